"""Compares what `fxcut memory` reads from compiled code with what that code allocates when it runs, on the CPU.

usage: python python/bench/compiled_memory.py [--tool FXCUT] [--json FILE] [MODEL...]

Each model is compiled by inductor with a TORCH_TRACE log and takes three training steps. torch.profiler records each
allocation and each free of the third step (PyTorch's CPU allocator reports them, in bytes as asked for); those between the start
and the end of a compiled graph's call count. What one operator both takes and frees within its call is its workspace, which no
wrapper shows: it is listed separately.

For each side the columns have the highest sum of bytes above those at its start, measured, and the error of `fxcut memory`;
`left` is the same for what is held when the side ends; `allocations` counts them. Exit status 1: some figure is off by more than
0.1 %.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from layers import Around, Attention, Routed, SumOf, Tagger, Transposed, UNet, convolution
from torch import Tensor, nn

from fxcut.allocations import ALLOCATION, below, changes_in, recorded

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from models import CORPUS_MODELS  # noqa: E402

MAX_RELATIVE_ERROR = 0.001  # of the measured peak

Step = tuple[nn.Module, dict[str, Tensor]]


def mlp() -> Step:
    layers = [nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.GELU(), nn.Linear(512, 256)]
    return SumOf(*layers), {"x": torch.randn(4096, 256)}


def dropout_mlp() -> Step:
    block = lambda: Around(nn.LayerNorm(256), nn.Linear(256, 512), nn.SiLU(), nn.Dropout(0.1), nn.Linear(512, 256))  # noqa: E731
    return SumOf(block(), block(), block()), {"x": torch.randn(2048, 256)}


def convnet() -> Step:
    layers = [convolution(3, 32), nn.MaxPool2d(2), convolution(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)]
    return SumOf(*layers), {"x": torch.randn(16, 3, 64, 64)}


def autoencoder() -> Step:
    layers = [nn.Conv2d(3, 16, 4, 2, 1), nn.LeakyReLU(), nn.Conv2d(16, 32, 4, 2, 1), nn.LeakyReLU()]
    layers += [nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Sigmoid()]
    return SumOf(*layers), {"x": torch.randn(16, 3, 64, 64)}


def mixer() -> Step:
    block = lambda: nn.Sequential(  # noqa: E731
        Around(nn.LayerNorm(128), Transposed(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64))),
        Around(nn.LayerNorm(128), nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 128)),
    )
    return SumOf(block(), block()), {"x": torch.randn(32, 64, 128)}


def attention() -> Step:
    block = lambda: nn.Sequential(Around(nn.LayerNorm(128), Attention(128, 4)), Around(nn.LayerNorm(128), nn.Linear(128, 128)))  # noqa: E731
    return SumOf(block(), block()), {"x": torch.randn(8, 128, 128)}


def eager_loss() -> Step:
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1000)), {"input": torch.randn(256, 64)}


MODELS: dict[str, Callable[[], Step]] = {
    "mlp": mlp,
    "dropout_mlp": dropout_mlp,
    "convnet": convnet,
    "autoencoder": autoencoder,
    "unet": lambda: (UNet(16), {"x": torch.randn(8, 3, 64, 64)}),
    "mixer": mixer,
    "attention": attention,
    "routed": lambda: (Routed(128), {"x": torch.randn(16, 64, 128)}),
    "eager_loss": eager_loss,
    "tagger": lambda: (Tagger(64), {"x": torch.randint(0, 500, (16, 64))}),
    **CORPUS_MODELS,
}


@dataclass
class Side:
    """Bytes above those at the start of a compiled graph's call."""

    name: str = ""
    peak: int = 0
    left: int = 0
    allocations: int = 0
    workspace: int = 0  # the largest that one operator takes and frees within its call
    changes: list[int] = field(default_factory=list)


def mark_calls() -> None:
    """Each call of a compiled graph becomes an event of the profiler."""
    from torch._inductor.output_code import CompiledFxGraph

    call = CompiledFxGraph.__call__

    def marked(self: Any, inputs: Any) -> Any:
        with torch.profiler.record_function("compiled_graph"):
            return call(self, inputs)

    CompiledFxGraph.__call__ = marked  # type: ignore[method-assign]


def statements_of(event: Any) -> Iterator[Any]:
    """What the wrapper does: operators, and allocations of its own. Inductor marks its calls with events in between."""
    for child in event.children:
        if child.name.startswith("##"):
            yield from statements_of(child)
        else:
            yield child


def measured_side(call: Any) -> Side:
    side = Side()
    steps: list[int] = []  # what lasts beyond the operator that does it
    for child in statements_of(call):
        changes = changes_in([child] if child.tag == ALLOCATION else list(below(child)))
        is_open: dict[int, int] = {}
        lasting: dict[int, int] = {}
        taken = most = 0
        for place, (address, size) in enumerate(changes):
            if size > 0:
                is_open[address] = place
            elif address in is_open:
                begin = is_open.pop(address)
                lasting.pop(begin, None)
                taken -= changes[begin][1]
                continue
            lasting[place] = size
            taken += max(size, 0)
            most = max(most, taken)
        kept = [lasting[place] for place in sorted(lasting)]
        side.workspace = max(side.workspace, most - sum(size for size in kept if size > 0))
        steps += kept
    now = 0
    for size in steps:
        now += size
        side.peak = max(side.peak, now)
        side.allocations += size > 0
    side.left, side.changes = now, steps
    return side


def measured_sides(step: Callable[[], None]) -> list[Side]:
    return [measured_side(event) for event in recorded(step) if event.name == "compiled_graph"]


def predicted_sides(tool: str, log: str) -> tuple[list[Side], list[Any]]:
    """A side for each graph, in the order in which they run, and the statements not understood."""
    answer = subprocess.run([tool, "memory", log, "--format", "json"], check=True, capture_output=True, text=True).stdout
    sides: dict[str, list[Side]] = {"inference": [], "forward": [], "backward": []}
    notes = []
    for step in latest(json.loads(answer)["steps"]):
        notes += step["notes"]
        for side in sorted({point["side"] for point in step["curve"]}):
            curve = [point for point in step["curve"] if point["side"] == side]
            begin = step["between_bytes"] + tangent_bytes(step) if side == "backward" else 0
            counted = [b for b in step["blocks"] if b["counted"] and b["kind"] != "tangent"]
            made = [b for b in counted if (b["made_at"] or {}).get("side") == side]
            sides[side].append(
                Side(
                    side,
                    max((point["bytes"] for point in curve), default=begin) - begin,
                    (curve[-1]["bytes_after"] if curve else begin) - begin,
                    len([b for b in made if b["bytes"] != 0]),
                )
            )
    return sides["inference"] + sides["forward"] + sides["backward"][::-1], notes


def latest(steps: list[Any]) -> list[Any]:
    """For each frame those of its last compilation: "0_1/2" replaces "0_0/0"."""
    compilation = {step["name"].split("_")[0]: step["name"].split("/")[0] for step in steps}
    return [step for step in steps if step["name"].split("/")[0] in compilation.values()]


def tangent_bytes(step: dict[str, Any]) -> int:
    return sum(block["bytes"] or 0 for block in step["blocks"] if block["kind"] == "tangent")


def run_one(name: str, tool: str) -> dict[str, Any]:
    """In a process of its own, where TORCH_TRACE is set."""
    torch.manual_seed(0)
    mark_calls()
    model, inputs = MODELS[name]()
    compiled = torch.compile(model)

    def step() -> None:
        loss = compiled(**inputs)
        if loss.dim() > 0:
            loss = loss.sin().mean()  # not compiled: the gradient that comes back is a tensor
        loss.backward()
        model.zero_grad()

    step()
    step()  # changes by the first one may cause it to be compiled anew
    measured = measured_sides(step)
    (log,) = glob.glob(os.environ["TORCH_TRACE"] + "/*.log")
    predicted, notes = predicted_sides(tool, log)
    return {"model": name, "measured": [vars(s) for s in measured], "predicted": [vars(s) for s in predicted], "notes": notes}


def run_apart(name: str, tool: str, here: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        caches = {"TORCHINDUCTOR_FX_GRAPH_CACHE": "0", "TORCHINDUCTOR_AUTOGRAD_CACHE": "0"}
        command = [sys.executable, __file__, "--one", "--tool", tool, name]
        ran = subprocess.run(command, env={**os.environ, **caches, "TORCH_TRACE": directory}, capture_output=True, text=True)
        if ran.returncode != 0:
            return {"model": name, "failure": ran.stderr.strip().splitlines()[-1:] or ["no word"]}
        if here:
            Path(here).mkdir(parents=True, exist_ok=True)
            for log in glob.glob(directory + "/*.log"):
                (Path(here) / f"{name}.log").write_bytes(Path(log).read_bytes())
    return json.loads(ran.stdout.splitlines()[-1])


def show(row: dict[str, Any]) -> bool:
    """Prints a line for each side; whether all is within the bound."""
    if "failure" in row:
        print(f"{row['model']:<14} failed: {row['failure'][0]}")
        return False
    measured, predicted = row["measured"], row["predicted"]
    if len(measured) != len(predicted):
        print(f"{row['model']:<14} {len(measured)} graphs ran, {len(predicted)} sides were read")
        return False
    holds = True
    for seen, read in zip(measured, predicted):
        off = read["peak"] - seen["peak"]
        relative = abs(off) / max(seen["peak"], 1)
        left = abs(read["left"] - seen["left"]) / max(abs(seen["left"]), 1)
        holds = holds and relative <= MAX_RELATIVE_ERROR and left <= MAX_RELATIVE_ERROR
        print(
            f"{row['model']:<14} {read['name']:<9} {seen['peak']:>12,} {off:>+10,} {relative:>8.3%} {seen['left']:>13,} "
            f"{read['left'] - seen['left']:>+10,} {seen['allocations']:>6} {read['allocations']:>6} {seen['workspace']:>12,} "
            f"{len(row['notes']):>5}",
            flush=True,
        )
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="fxcut", help="the program")
    parser.add_argument("--json", default="", help="also write the rows to this file")
    parser.add_argument("--keep-logs", default="", help="a directory for the logs")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", default=list(MODELS), metavar="MODEL")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(run_one(asked.models[0], asked.tool)))
        return 0
    print(f"torch {torch.__version__}")
    print(
        f"{'model':<14} {'side':<9} {'peak bytes':>12} {'off':>10} {'off':>8} {'left':>13} {'off':>10} {'allocations':>13} "
        f"{'workspace':>12} {'notes':>5}"
    )
    rows, holds = [], True
    for name in asked.models:
        rows.append(run_apart(name, asked.tool, asked.keep_logs))
        holds = show(rows[-1]) and holds
    if asked.json:
        Path(asked.json).write_text(json.dumps(rows, indent=1))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
