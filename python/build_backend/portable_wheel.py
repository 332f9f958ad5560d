"""What pip builds the package with: scikit-build-core, whose wheel is then made one for other machines than this.

auditwheel reads from the program which libraries and which glibc it asks for. It brings along the libraries that not
every Linux has, and gives the wheel the oldest tag that it can bear. A program that has all in itself (FXCUT_STATIC)
asks for nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from scikit_build_core import build as builder
from scikit_build_core.build import *  # noqa: F403  the hooks that are not defined below

ConfigSettings = dict[str, list[str] | str] | None


def build_wheel(
    wheel_directory: str, config_settings: ConfigSettings = None, metadata_directory: str | None = None
) -> str:
    """The hook of PEP 517: puts the wheel into the directory and returns its name."""
    if sys.platform != "linux":
        return builder.build_wheel(wheel_directory, config_settings, metadata_directory)
    with tempfile.TemporaryDirectory(prefix="fxcut-wheel-") as folder:
        built = Path(folder) / builder.build_wheel(folder, config_settings, metadata_directory)
        return _made_portable(built, Path(wheel_directory))


def _made_portable(wheel: Path, directory: Path) -> str:
    repaired = wheel.parent / "repaired"
    subprocess.run([sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", repaired, wheel], check=True)
    (portable,) = repaired.iterdir()
    (directory / portable.name).write_bytes(portable.read_bytes())
    return portable.name
