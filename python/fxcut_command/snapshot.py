"""The command `fxcut-snapshot` that pip installs: a memory snapshot of PyTorch as JSON, for `fxcut memory --recorded`.

torch.cuda.memory._dump_snapshot writes a pickle, which may hold any object and run any code when it is read. This reads plain
containers, numbers and strings, of which a snapshot consists, and refuses all else. PyTorch is not needed.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

MEMBERS = ("segments", "device_traces")


class NoSnapshot(Exception):
    """A file that is no snapshot; its text says why and what to do."""


class _Plain(pickle.Unpickler):
    """Only what a pickle holds by itself: whatever is looked up in a module, be it a class or a function, is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise NoSnapshot(f"it holds {module}.{name}, and a snapshot holds plain data alone: it is not read")

    def persistent_load(self, pid: Any) -> Any:
        raise NoSnapshot("it refers to objects that are elsewhere: it is not read")


def read_snapshot(file: BinaryIO) -> dict[str, Any]:
    """The members of a snapshot that tell of its blocks. Raises NoSnapshot."""
    try:
        found = _Plain(file).load()
    except NoSnapshot:
        raise
    except Exception as error:  # whatever a broken pickle makes the unpickler raise
        raise NoSnapshot(f"it is no pickle that can be read: {type(error).__name__}: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(found.get(member), list) for member in MEMBERS):
        raise NoSnapshot(f"expected lists named {' and '.join(MEMBERS)}, as torch.cuda.memory._dump_snapshot writes them")
    return {member: found[member] for member in MEMBERS}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fxcut-snapshot", description="Turns a memory snapshot of PyTorch into JSON.")
    parser.add_argument("snapshot", type=Path, help="a file that torch.cuda.memory._dump_snapshot wrote")
    parser.add_argument("json", type=Path, help="the file to write, for fxcut memory --recorded")
    asked = parser.parse_args(arguments)
    try:
        with asked.snapshot.open("rb") as file:
            text = json.dumps(read_snapshot(file), allow_nan=False)
        asked.json.write_text(text)
    except (NoSnapshot, OSError, RecursionError, TypeError, ValueError) as error:
        print(f"fxcut-snapshot: error: {asked.snapshot}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
