"""Compares what fxcut.fit promises for a training step with what the compiled step takes when it runs, on the CPU.

usage: python python/bench/fit_memory.py [--shares SHARE,...] [--no-kernels] [--others COUNT] [MODEL...]

Each model is fitted into shares of what the code of its forward and backward takes without a limit, 1 being no limit. The step is
compiled with the partitioner that fxcut.fit returns, and runs three times; torch.profiler records each allocation and free of the
third run, including workspaces.

With --no-kernels inductor's own kernels, which allocate nothing, are left out: the wrappers run unchanged, and what they and
PyTorch's operators allocate is the same, without an hour of compiling.

`limit` is what is left to forward and backward, and so is `promised`, part of which is `workspace`, taken by an operator within
its call at the peak. The percentages are of the limit; `next` is the next decision that recomputes less, according to fxcut.fit.
With --others, if less than 98 % of the limit is promised, code is generated under that many more limits between the chosen
decision's and none: `others` is how many of them fit and recompute less.

Exit status 1: a step took more than was promised, or the limit is not used well: below 98 % of it was promised, and the next
decision is not known to take more than the limit, or one of the others fits and recomputes less.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import time
from typing import NamedTuple

import torch
from held_out_models import HELD_OUT
from sized_models import MEMORY, MODELS
from torch import Tensor, nn

import fxcut
from fxcut.allocations import changes_in, peak_of, recorded
from fxcut.fake_step import FakeStep
from fxcut.generated_code import memory_of_code
from fxcut.prediction import limited
from fxcut.rounds import CLOSE, Round
from fxcut.workspaces import Workspaces

WORKSPACES = "workspaces of kernels"
OPTIONS = {"gap": "5%"}


def run_compiled(model: nn.Module, inputs: dict[str, Tensor], partitioner: fxcut.Partitioner) -> int:
    torch.compiler.reset()
    with fxcut.partitioning_by(partitioner):
        compiled = torch.compile(model)

        def step() -> None:
            model.zero_grad()
            compiled(**inputs).backward()

        step()
        model.zero_grad()
        step()
        model.zero_grad()
        return peak_of(changes_in(recorded(step)))


def leave_kernels_out() -> None:
    from torch._inductor.async_compile import AsyncCompile

    def without_computing(*arguments: object) -> None:
        for tensor in arguments:
            if isinstance(tensor, Tensor) and not tensor.is_floating_point():
                tensor.data.zero_()  # indices into anything, for operators that go by them; autograd does not see it

    AsyncCompile.cpp_pybinding = lambda *_, **__: without_computing  # type: ignore[method-assign]


class Outcome(NamedTuple):
    """Of one limit.

    peak: that was measured, in bytes. seconds: that fxcut.fit took. others: how many fit and recompute less; None if not tried.
    """

    fit: fxcut.Fit
    peak: int
    seconds: float
    others: int | None

    @property
    def limit(self) -> int:
        return self.fit.limit_bytes - self.beside

    @property
    def beside(self) -> int:
        return self.fit.promised_bytes - self.fit.code_bytes

    @property
    def next_bytes(self) -> int | None:
        return self.fit.next_bytes and self.fit.next_bytes - self.beside

    def holds(self) -> bool:
        binds = not is_loose(self.fit) or (self.next_bytes is not None and self.next_bytes > self.limit and not self.others)
        return self.peak <= self.fit.code_bytes and binds

    def row(self, name: str, share: float) -> str:
        after = f"{self.next_bytes / self.limit:>7.1%}" if self.next_bytes else f"{'':>7}"
        return (
            f"{name:<10} {share:>5} {self.limit:>13,} {self.fit.code_bytes:>13,} {self.fit.code_bytes / self.limit:>7.1%} "
            f"{self.fit.lines[WORKSPACES]:>10,} {self.peak:>13,} {self.peak / self.limit:>7.1%} {after} "
            f"{'' if self.others is None else self.others:>6} {len(self.fit.rounds):>6} {self.seconds:>5.0f} "
            f"{'' if self.holds() else 'MISSED'}"
        )


HEAD = (
    f"{'model':<10} {'share':>5} {'limit':>13} {'promised':>21} {'workspace':>10} {'measured':>21} {'next':>7} {'others':>6} "
    f"{'rounds':>6} {'s':>5}"
)


def is_loose(fit: fxcut.Fit) -> bool:
    """Whether a decision was needed, and takes less than 98 % of what is left to forward and backward."""
    return fit.chosen.limit is not None and fit.code_bytes < CLOSE * (fit.limit_bytes - fit.promised_bytes + fit.code_bytes)


def others_that_fit(model: nn.Module, inputs: dict[str, Tensor], fit: fxcut.Fit, count: int) -> int:
    """How many of that many limits, from the chosen decision's to none, have code that fits and recompute less."""
    step, workspaces = FakeStep(model, inputs), Workspaces()
    bottom, top = fit.chosen.predicted_bytes, fit.rounds[0].predicted_bytes
    share = fit.limit_bytes - fit.promised_bytes + fit.code_bytes
    found = 0
    for number in range(1, count + 1):
        limit = bottom + (top - bottom) * number // (count + 1)
        partitioner = fxcut.Partitioner(**limited(OPTIONS, limit))
        other = Round(limit, memory_of_code(step, partitioner, workspaces), partitioner.reports)
        found += other.memory.peak_bytes <= share and other.recompute_cost < fit.chosen.recompute_cost
    return found


def run_one(name: str, asked: argparse.Namespace) -> bool:
    torch.manual_seed(0)
    model, inputs = (MODELS | HELD_OUT)[name](MEMORY)
    free = fxcut.fit(model, inputs, peak_bytes="1TB")
    holds = True
    for share in map(float, asked.shares.split(",")):
        begin = time.monotonic()
        limit = free.promised_bytes - free.code_bytes + int(share * free.code_bytes)
        fit = fxcut.fit(model, inputs, peak_bytes=limit, **OPTIONS)
        seconds = time.monotonic() - begin
        others = others_that_fit(model, inputs, fit, asked.others) if asked.others and is_loose(fit) else None
        outcome = Outcome(fit, run_compiled(model, inputs, fit.partitioner), seconds, others)
        print(outcome.row(name, share), flush=True)
        holds = outcome.holds() and holds
        if asked.v:
            print(fit, flush=True)
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shares", default="1,0.8", help="of what the code takes without a limit")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--no-kernels", action="store_true", help="leave inductor's kernels out")
    parser.add_argument("--others", type=int, default=0, help="limits to try beside, where the limit is not used")
    parser.add_argument("-v", action="store_true", help="also show each fit")
    parser.add_argument("models", nargs="*", default=list(MODELS), metavar="MODEL")
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    if asked.no_kernels:
        leave_kernels_out()
    if asked.one:
        return 0 if run_one(asked.models[0], asked) else 1
    print(f"torch {torch.__version__}")
    print(HEAD, flush=True)
    again = [sys.executable, __file__, "--one", *(word for word in sys.argv[1:] if word not in asked.models)]
    results = [subprocess.run([*again, name], check=False).returncode for name in asked.models]  # each in a process of its own
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
