"""The fxcut program: finding it, running it, and its answers."""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fxcut.errors import FxcutError

Json = dict[str, Any]

ENVIRONMENT = "FXCUT_BINARY"
NO_PARTITION = 4
WARNING = "fxcut: {}: warning: "

log = logging.getLogger("fxcut")


class BinaryNotFound(FxcutError):
    """The fxcut program was not found in any of the places searched."""


class BinaryFailed(FxcutError):
    """The fxcut program ended with an error.

    exit_status: its exit status; negative if a signal ended it.
    stderr: what it printed.
    """

    def __init__(self, message: str, exit_status: int = 0, stderr: str = "") -> None:
        super().__init__(message)
        self.exit_status = exit_status
        self.stderr = stderr


class NoPartition(BinaryFailed):
    """The graph cannot be partitioned so: policies contradict each other, or a limit cannot be met (exit status 4)."""


class Answer(NamedTuple):
    """What `fxcut partition --output-dir` writes, as read from JSON; the table that it prints; its warnings."""

    forward: Json
    backward: Json
    report: Json
    table: str
    warnings: list[str]


class StepAnswer(NamedTuple):
    """The same for a whole step, which stays one graph."""

    step: Json
    report: Json
    table: str
    warnings: list[str]


def find_binary() -> Path:
    """The program named by the environment variable FXCUT_BINARY, otherwise the package's own, otherwise one on the PATH.

    Raises BinaryNotFound, which says where it was searched for.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return _existing(Path(named), f"the environment variable {ENVIRONMENT} names").absolute()
    own = Path(__file__).parent / "bin" / "fxcut"
    if own.is_file():
        return own
    on_path = shutil.which("fxcut")
    if on_path:
        return Path(on_path).absolute()
    raise BinaryNotFound(
        f"fxcut: the program is neither in the package ({own}) nor on the PATH. Install the package with pip, which "
        f"builds it, or set {ENVIRONMENT} to one."
    )


def _existing(path: Path, who: str) -> Path:
    if not path.is_file():
        raise BinaryNotFound(f"fxcut: {path} is not a file, and is the program that {who}.")
    return path


def partition(folder: Path, graph: str, options: Sequence[str], answer: str = "answer") -> Answer:
    """Makes the program partition a graph.

    folder: where it runs, so that all files are named from there.
    graph: the file with the graph. options: further arguments of `fxcut partition`. answer: a new folder for the answer.

    Raises what `run` does.
    """
    (forward, backward, report), table, warnings = _answer(folder, graph, options, answer, ("forward", "backward", "report"))
    return Answer(forward, backward, report, table, warnings)


def rematerialize(folder: Path, graph: str, options: Sequence[str], answer: str = "answer") -> StepAnswer:
    """`partition` for the graph of a whole step."""
    (step, report), table, warnings = _answer(folder, graph, options, answer, ("step", "report"))
    return StepAnswer(step, report, table, warnings)


def _answer(
    folder: Path, graph: str, options: Sequence[str], answer: str, names: Sequence[str]
) -> tuple[list[Json], str, list[str]]:
    """The files of these names, the table and the warnings."""
    finished = run(folder, ["partition", graph, *options, "--output-dir", answer])
    files = [json.loads((folder / answer / f"{name}.json").read_bytes()) for name in names]
    warnings = finished.stderr.removeprefix(WARNING.format(graph)).rstrip().split("\n" + WARNING.format(graph))
    return files, finished.stdout, [warning for warning in warnings if warning]


def run(folder: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs the program in a folder, and returns what it printed.

    Raises BinaryNotFound, NoPartition for exit status 4, and BinaryFailed for any other but 0.
    """
    command = [str(find_binary()), *arguments]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        failure = NoPartition if finished.returncode == NO_PARTITION else BinaryFailed
        raise failure(
            f"fxcut ended with exit status {finished.returncode}:\n{finished.stderr.strip()}\n"
            f"  this repeats it: (cd {folder} && {shlex.join(command)})",
            finished.returncode,
            finished.stderr,
        )
    return finished


def fingerprint(binary: Path) -> str:
    """A hash of the program's content; the same as long as its file is."""
    status = binary.stat()
    return _hash_of(binary, status.st_size, status.st_mtime_ns)


@functools.cache
def _hash_of(binary: Path, size: int, changed: int) -> str:
    return hashlib.sha256(binary.read_bytes()).hexdigest()
