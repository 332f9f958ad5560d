"""Whatever is decided, a step with random numbers has the bits that it has without fxcut, and leaves the generator so."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.utils.checkpoint
from torch import Tensor, nn

import fxcut
from models import TINY_MODELS
from options import OPTIONS, ROUNDING
from steps import Computed, Step, assert_same_bits, compiled_step

BACKENDS = ("aot_eager", "inductor")
BRIEF = ("budget 0", "least saved")
QUICK_UNDER_INDUCTOR = (*BRIEF, "nothing", "budget 0.5", "least peak", "aggressive", "nothing saveable")


class RandomBlock(nn.Module):
    """Draws in and outside of a checkpointed region, for dropout and for other ends."""

    def __init__(self) -> None:
        super().__init__()
        self.expand, self.contract = nn.Linear(16, 32), nn.Linear(32, 16)

    def first(self, x: Tensor) -> Tensor:
        return nn.functional.dropout(x * 2, 0.5)

    def region(self, x: Tensor) -> Tensor:
        return nn.functional.dropout(torch.relu(self.expand(x)), 0.3)

    def forward(self, x: Tensor) -> Tensor:
        hidden = fxcut.checkpoint_name(self.first(x), "scores")
        hidden = torch.utils.checkpoint.checkpoint(self.region, hidden, use_reentrant=False)
        hidden = fxcut.checkpoint_name(self.contract(hidden), "hidden") + torch.randn_like(x)
        kept = torch.bernoulli(torch.sigmoid(hidden.detach()))
        return (hidden * kept + nn.functional.dropout(hidden, 0.2)).pow(2).mean()


class RegionFirst(RandomBlock):
    """Draws first in the checkpointed region, whose tag inductor's seeds then have since 2.15."""

    def first(self, x: Tensor) -> Tensor:
        return x * 2


BLOCKS = {"block": RandomBlock, "region first": RegionFirst}
STEPS: dict[str, Callable[[], Step]] = {
    **{name: lambda block=block: (block(), {"x": torch.randn(8, 16)}) for name, block in BLOCKS.items()},
    "gpt": TINY_MODELS["gpt2"],
}


@functools.cache
def plain(name: str, backend: str) -> tuple[Computed, Tensor]:
    """What the step computes without fxcut, and the generator's state after it."""
    torch.manual_seed(0)
    return compiled_step(STEPS[name](), backend=backend), torch.get_rng_state()


def assert_numbers_of_plain(name: str, partition: Any, backend: str) -> None:
    expected, state = plain(name, backend)
    torch.manual_seed(0)
    ours = compiled_step(STEPS[name](), partition, backend=backend)
    assert torch.equal(torch.get_rng_state(), state)
    assert_same_bits(expected, ours)


def every_option() -> Iterator[Any]:
    for name, option, backend in itertools.product(BLOCKS, OPTIONS, BACKENDS):
        is_brief = option in BRIEF if backend == "aot_eager" else option == "budget 0"
        marks = [pytest.mark.brief] if is_brief else []
        if backend == "inductor" and option not in QUICK_UNDER_INDUCTOR:
            marks.append(pytest.mark.full)
        yield pytest.param(name, option, backend, id=f"{name}-{option}-{backend}", marks=marks)


@pytest.mark.parametrize(("name", "option", "backend"), list(every_option()))
def test_every_option_has_the_bits_of_plain(name: str, option: str, backend: str) -> None:
    assert_numbers_of_plain(name, fxcut.Partitioner(**OPTIONS[option]), backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BLOCKS)
def test_a_limit_below_what_pytorch_saves_has_the_bits_of_plain(name: str, backend: str) -> None:
    default = fxcut.Partitioner()
    compiled_step(STEPS[name](), default, backend=backend)
    limit = saved_bytes(default) * 3 // 4
    limited = fxcut.Partitioner(saved_bytes=limit)
    assert_numbers_of_plain(name, limited, backend)
    assert saved_bytes(limited) <= limit


def saved_bytes(partitioner: fxcut.Partitioner) -> int:
    assert partitioner.report is not None
    return partitioner.report["totals"]["saved_bytes_not_static"]


@pytest.mark.brief
def test_no_option_is_left_out() -> None:
    tried = {name for options in OPTIONS.values() for name in options}
    assert tried | ROUNDING == set(inspect.signature(fxcut.Partitioner).parameters)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("option", ["budget 0.2", "least peak"])
def test_a_gpt_has_the_bits_of_plain(option: str, backend: str) -> None:
    assert_numbers_of_plain("gpt", fxcut.Partitioner(**OPTIONS[option]), backend)


@torch.compiler.nested_compile_region
def drawing_region(x: Tensor, w: Tensor) -> Tensor:
    return nn.functional.dropout(torch.sin(x @ w), 0.3)


class Regions(nn.Module):
    """Calls twice what is compiled apart, and draws in there."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(16, 16))

    def forward(self, x: Tensor) -> Tensor:
        hidden = x @ self.weight
        return drawing_region(drawing_region(hidden, self.weight), self.weight).pow(2).mean()


STEPS["regions"] = lambda: (Regions(), {"x": torch.randn(8, 16)})


@pytest.mark.brief
@pytest.mark.parametrize("option", ["budget 0", "least saved"])
def test_what_a_region_drew_is_not_drawn_again(option: str) -> None:
    assert_numbers_of_plain("regions", fxcut.Partitioner(**OPTIONS[option]), "aot_eager")


@pytest.mark.brief
def test_what_was_changed_for_it_is_told() -> None:
    partitioner = fxcut.Partitioner(budget=0.0)
    compiled_step(STEPS["block"](), partitioner)
    saved = partitioner.report["repairs"][0]["name"]
    assert [warning for warning in partitioner.report.warnings if f"'{saved}'" in warning]
