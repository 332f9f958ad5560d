"""`python -m fxcut.capture SCRIPT`: the joint graphs of all that a script compiles, one file each.

The script runs as it is; whichever backend compiles, each graph is written down on its way to the partitioner.
inductor hands over its own after its joint graph passes, through `custom_partitioner_fn`. All others are met where
AOTAutograd calls their partition function.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import json
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch._functorch._aot_autograd import graph_compile
from torch._inductor import compile_fx
from torch._inductor import config as inductor_config

from fxcut.recording import Recording
from fxcut.torch_version import check_torch_version

WHERE_PARTITION_FUNCTIONS_ARE_CALLED = "_partition_joint_graph_into_fw_bw"


@contextlib.contextmanager
def recording_all(name: str) -> Iterator[Recording]:
    """Within it, whatever is compiled is recorded. name: what the graphs are called."""
    check_torch_version()
    recording = Recording(name, compiler="inductor")
    original = getattr(graph_compile, WHERE_PARTITION_FUNCTIONS_ARE_CALLED)
    patches = {"custom_partitioner_fn": recording, "force_disable_caches": True}
    watched = mock.patch.object(
        graph_compile, WHERE_PARTITION_FUNCTIONS_ARE_CALLED, _with_recorded_partition_fn(original, recording)
    )
    with inductor_config.patch(patches), watched:
        yield recording


def _with_recorded_partition_fn(original: Callable[..., Any], recording: Recording) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        partition = bound.arguments["partition_fn"]
        if partition is not compile_fx.partition_fn and partition is not recording:
            bound.arguments["partition_fn"] = recording.before(partition)
        return original(*bound.args, **bound.kwargs)

    return call


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a script and writes the graphs; the exit status is 0, 1 where nothing was captured, or the script's own."""
    parser = argparse.ArgumentParser("python -m fxcut.capture", description="Captures the joint graphs of a script.")
    parser.add_argument("-o", "--output-dir", type=Path, default=Path("."), help="the directory for the files; created if missing")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    parser.add_argument("script", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    options = parser.parse_args(arguments)
    if not options.script.is_file():
        parser.error(f"{options.script} is not a file")
    with recording_all(options.script.stem) as recording:
        try:
            _run(options.script, options.arguments)
        finally:
            _write(recording, options.output_dir, options.force)
    if not recording.graphs:
        print(f"{options.script}: no joint graph: the script compiled nothing that has a gradient", file=sys.stderr)
        return 1
    return 0


def _run(script: Path, arguments: Sequence[str]) -> None:
    sys.argv = [str(script), *arguments]
    sys.path[0] = str(script.parent)
    with torch.enable_grad():
        runpy.run_path(str(script), run_name="__main__")


def _write(recording: Recording, folder: Path, force: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for graph in recording.graphs:
        path = folder / f"{graph['name']}.json"
        with path.open("w" if force else "x") as file:
            json.dump(graph, file, separators=(",", ":"))
        print(path)


if __name__ == "__main__":
    sys.exit(main())
