"""The command `fxcut` that pip installs. It stands apart from the package, whose import takes as long as PyTorch's."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program, with the command's arguments."""
    binary = Path(__file__).parent.parent / "fxcut" / "bin" / "fxcut"
    os.execv(binary, [str(binary), *sys.argv[1:]])
