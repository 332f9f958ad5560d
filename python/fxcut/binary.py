"""The fxcut program: where it is, and what it answers."""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

ENVIRONMENT = "FXCUT_BINARY"
NO_PARTITION = 4

log = logging.getLogger("fxcut")


class BinaryNotFound(RuntimeError):
    """The fxcut program is in none of the places where it is looked for."""


class BinaryFailed(RuntimeError):
    """The fxcut program ended with an error.

    exit_status: its exit status; negative where a signal ended it.
    stderr: what it printed.
    """

    def __init__(self, command: Sequence[str], exit_status: int, stderr: str) -> None:
        super().__init__(f"{' '.join(command)}\nended with exit status {exit_status}:\n{stderr.strip()}")
        self.exit_status = exit_status
        self.stderr = stderr


class NoPartition(BinaryFailed):
    """The graph cannot be partitioned so: policies contradict each other, or a limit cannot be met (exit status 4)."""


class Answer(NamedTuple):
    """What `fxcut partition --output-dir` writes, as read from JSON."""

    forward: Json
    backward: Json
    report: Json


def find_binary() -> Path:
    """The program that the environment variable FXCUT_BINARY names, else the package's own, else one on the PATH.

    Raises BinaryNotFound, which says where it was looked for.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return _existing(Path(named), f"the environment variable {ENVIRONMENT} names")
    own = Path(__file__).parent / "bin" / "fxcut"
    if own.is_file():
        return own
    on_path = shutil.which("fxcut")
    if on_path:
        return Path(on_path)
    raise BinaryNotFound(
        f"fxcut: the program is neither in the package ({own}) nor on the PATH. Install the package with pip, which "
        f"builds it, or set {ENVIRONMENT} to one."
    )


def _existing(path: Path, who: str) -> Path:
    if not path.is_file():
        raise BinaryNotFound(f"fxcut: there is no program at {path}, which {who}.")
    return path


def partition(
    graph: Json, options: Sequence[str], config: Mapping[str, Any], policy: Json | None, binary: Path
) -> Answer:
    """Has the program partition a graph.

    graph: as of joint_graph_to_json. options: further arguments of `fxcut partition`. config: settings by name.
    policy: a document of schemas/policy.schema.json.

    Raises NoPartition for exit status 4 and BinaryFailed for any other but 0. Warnings go to the log "fxcut".
    """
    with tempfile.TemporaryDirectory(prefix="fxcut-") as folder:
        files = Path(folder)
        command = [str(binary), "partition", _write(files / "graph.json", graph)]
        command += ["--config", _write(files / "config.json", config)]
        command += ["--policy", _write(files / "policy.json", policy)] if policy is not None else []
        command += [*options, "--json", "--output-dir", str(files / "answer")]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            failure = NoPartition if run.returncode == NO_PARTITION else BinaryFailed
            raise failure(command, run.returncode, run.stderr)
        for line in run.stderr.splitlines():
            log.warning("%s", line)
        return Answer(*(json.loads((files / "answer" / f"{name}.json").read_bytes()) for name in Answer._fields))


def _write(path: Path, content: Any) -> str:
    path.write_text(json.dumps(content, separators=(",", ":")))
    return str(path)


def fingerprint(binary: Path) -> str:
    """A hash of the program's content; the same as long as its file is."""
    status = binary.stat()
    return _hash_of(binary, status.st_size, status.st_mtime_ns)


@functools.cache
def _hash_of(binary: Path, size: int, changed: int) -> str:
    return hashlib.sha256(binary.read_bytes()).hexdigest()
