"""`python -m fxcut.capture SCRIPT`: the joint graphs of everything that a script compiles, one file each.

The script runs unchanged; whichever backend compiles, each graph is recorded on its way to the partitioner. Inductor's graphs are
recorded after its joint graph passes, where it calls its partition function; those of other backends where AOTAutograd calls
theirs. With --device the script runs on fake tensors as if this machine had that GPU (script_on_card.py).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch._inductor import config as inductor_config

from fxcut.cards import CARDS, OF_ROCM
from fxcut.errors import FxcutError
from fxcut.recording import Recording
from fxcut.script_on_card import NeedsValues, running_on_card
from fxcut.torch_releases import (
    CAPTURE,
    PartitionFunction,
    inductor_partitions_by,
    is_inductors,
    partition_functions_replaced,
)

REPLACED = "--force replaces existing files"


@contextlib.contextmanager
def recording_all(name: str) -> Iterator[Recording]:
    """Within it, everything that is compiled is recorded. name: of the graphs."""
    CAPTURE.check()
    recording = Recording(name, compiler="inductor")

    def recorded(partition: PartitionFunction) -> PartitionFunction:
        return partition if is_inductors(partition) else recording.before(partition)

    with (
        inductor_partitions_by(recording),
        partition_functions_replaced(recorded),
        inductor_config.patch(force_disable_caches=True),
    ):
        yield recording


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a script and writes the graphs; the exit status is 0, 1 if nothing was captured, a missing value was needed or a file
    was in the way, or the script's own."""
    parser = argparse.ArgumentParser("python -m fxcut.capture", description="Captures the joint graphs of a script.")
    parser.add_argument("-o", "--output-dir", type=Path, default=Path("."), help="a directory for the files; created if missing")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    parser.add_argument(
        "--device",
        metavar="GPU",
        help=f"run the script, on fake tensors, as if this machine had that GPU: {', '.join(CARDS)}; may also follow the script",
    )
    parser.add_argument("script", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    options = parser.parse_args(arguments)
    if not options.script.is_file():
        parser.error(f"{options.script} is not a file")
    first = _path_of(options.script.stem, options.output_dir)
    if first.exists() and not options.force:
        parser.error(f"{first} exists: {REPLACED}, or choose another --output-dir")
    device, own = _without_device(options.arguments)
    device = options.device or device
    try:
        where = running_on_card(device) if device else contextlib.nullcontext()
    except FxcutError as error:
        parser.error(str(error))
    with recording_all(options.script.stem) as recording:
        try:
            with where:
                _run(options.script, own)
        except NeedsValues as error:
            print(f"{options.script}: {error}", file=sys.stderr)
            return 1
        finally:
            in_the_way = _write(recording, options.output_dir, options.force)
    if not recording.graphs:
        print(f"{options.script}: no joint graph: the script compiled nothing that has a gradient", file=sys.stderr)
        return 1
    return 1 if in_the_way else 0


def _without_device(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The GPU that `--device` names among a script's arguments, and the others. With another value the option is the script's."""
    for place, (option, value) in enumerate(zip(arguments, arguments[1:])):
        if option == "--device" and value in (*CARDS, *OF_ROCM):
            return value, arguments[:place] + arguments[place + 2 :]
    return None, arguments


def _run(script: Path, arguments: Sequence[str]) -> None:
    sys.argv = [str(script), *arguments]
    sys.path[0] = str(script.parent)
    with torch.enable_grad():
        runpy.run_path(str(script), run_name="__main__")


def _write(recording: Recording, folder: Path, force: bool) -> list[Path]:
    """Writes and prints all it can; returns the files that are there already and stay."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {_path_of(graph["name"], folder): graph for graph in recording.graphs}
    in_the_way = [path for path in paths if path.exists() and not force]
    for path, graph in paths.items():
        if path in in_the_way:
            print(f"{path} exists, and is not replaced: {REPLACED}", file=sys.stderr)
            continue
        with path.open("w") as file:
            json.dump(graph, file, separators=(",", ":"))
        print(path)
    return in_the_way


def _path_of(graph: str, folder: Path) -> Path:
    return folder / f"{graph}.json"


if __name__ == "__main__":
    sys.exit(main())
