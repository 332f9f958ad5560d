"""What fxcut.fit promises of a training step, against what the compiled step takes when it runs, on the CPU.

usage: python python/bench/fit_memory.py [--shares SHARE,...] [--no-kernels] [MODEL...]

Each model is fitted between the lowest that fxcut.fit finds and what the code of its forward and backward takes without a limit; the
shares are of that way, 1 being no limit. The step is compiled with the partitioner that fxcut.fit returns, and runs three times; of
the third torch.profiler has each allocation and free, workspaces among them.

With --no-kernels inductor's own kernels are left out, which compute and allocate nothing: the wrappers run as they are, and what they
and PyTorch's operators allocate is the same, without an hour of compiling.

`limit` is what is left to forward and backward, and so for `promised`, of which `workspace` is what an operator takes within its
call at the peak. The percentages are of the limit. Exit status 1: a step took more than was promised, or where a limit binds,
less than 98 % of it was promised.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import time

import torch
from sized_models import MEMORY, MODELS
from torch import Tensor, nn

import fxcut
from fxcut.allocations import changes_in, peak_of, recorded

CLOSE = 0.98
WORKSPACES = "workspaces of kernels"

def run_compiled(model: nn.Module, inputs: dict[str, Tensor], partitioner: fxcut.Partitioner) -> int:
    torch.compiler.reset()
    with torch._inductor.config.patch(custom_partitioner_fn=partitioner):
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
                tensor.zero_()  # indices into anything, for operators that go by them

    AsyncCompile.cpp_pybinding = lambda *_, **__: without_computing  # type: ignore[method-assign]


def show(name: str, share: float, fit: fxcut.Fit, peak: int, seconds: float) -> bool:
    beside = fit.promised_bytes - fit.code_bytes
    limit = fit.limit_bytes - beside
    binds = fit.chosen.limit is not None
    holds = peak <= fit.code_bytes and (not binds or fit.code_bytes >= CLOSE * limit)
    print(
        f"{name:<10} {share:>5} {limit:>13,} {fit.code_bytes:>13,} {fit.code_bytes / limit:>7.1%} {fit.lines[WORKSPACES]:>10,} "
        f"{peak:>13,} {peak / limit:>7.1%} {len(fit.rounds):>6} {seconds:>5.0f} {'' if holds else 'MISSED'}",
        flush=True,
    )
    return holds


def lowest_total(model: nn.Module, inputs: dict[str, Tensor], around: int) -> int:
    """What fxcut.fit finds where nothing is left to forward and backward."""
    try:
        return fxcut.fit(model, inputs, peak_bytes=around).promised_bytes
    except fxcut.DoesNotFit as error:
        return error.lowest_bytes


def run_one(name: str, shares: list[float], verbose: bool) -> bool:
    torch.manual_seed(0)
    model, inputs = MODELS[name](MEMORY)
    free = fxcut.fit(model, inputs, peak_bytes="1TB")
    lowest = lowest_total(model, inputs, free.promised_bytes - free.code_bytes)
    holds = True
    for share in shares:
        begin = time.monotonic()
        fit = fxcut.fit(model, inputs, peak_bytes=lowest + int(share * (free.promised_bytes - lowest)), gap="5%")
        seconds = time.monotonic() - begin
        holds = show(name, share, fit, run_compiled(model, inputs, fit.partitioner), seconds) and holds
        if verbose:
            print(fit, flush=True)
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shares", default="1,0.5", help="of the way from the lowest to what the step takes without a limit")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--no-kernels", action="store_true", help="leave inductor's kernels out")
    parser.add_argument("-v", action="store_true", help="also show each fit")
    parser.add_argument("models", nargs="*", default=list(MODELS), metavar="MODEL")
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    if asked.no_kernels:
        leave_kernels_out()
    if asked.one:
        return 0 if run_one(asked.models[0], [float(share) for share in asked.shares.split(",")], asked.v) else 1
    print(f"torch {torch.__version__}")
    print(f"{'model':<10} {'share':>5} {'limit':>13} {'promised':>21} {'workspace':>10} {'measured':>21} {'rounds':>6} {'s':>5}", flush=True)
    again = [sys.executable, __file__, "--one", *(word for word in sys.argv[1:] if word not in asked.models)]
    results = [subprocess.run([*again, name], check=False).returncode for name in asked.models]  # each in a process of its own
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
