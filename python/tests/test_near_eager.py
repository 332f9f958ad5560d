"""Whatever is saved, recomputed or offloaded, a step computes what eager does, up to rounding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import fxcut
from models import TINY_MODELS, checkpointed
from options import OPTIONS, named_block
from steps import assert_close, compiled_step, eager_step

QUICK_WITH_MODELS = ("offload by policy", "budget 0.5", "least saved", "nothing saveable")
QUICK_UNDER_INDUCTOR = ("offload names", "recompute by policy", "dots saveable", "budget 0.5", "least peak")


@pytest.fixture(autouse=True)
def eagers_random_numbers() -> Iterator[None]:
    with torch._inductor.config.patch(fallback_random=True):
        yield


def every_option() -> Iterator[Any]:
    for option in OPTIONS:
        marks = [pytest.mark.brief] if option in QUICK_UNDER_INDUCTOR else []
        yield pytest.param(option, "aot_eager", id=f"{option}-aot_eager", marks=marks)
        marks = [] if option in QUICK_UNDER_INDUCTOR else [pytest.mark.full]
        yield pytest.param(option, "inductor", id=f"{option}-inductor", marks=marks)


@pytest.mark.parametrize(("option", "backend"), list(every_option()))
def test_every_option_is_near_eager(option: str, backend: str) -> None:
    step = named_block()
    partitioner = fxcut.Partitioner(**OPTIONS[option])
    assert_close(compiled_step(step, partitioner, backend=backend), eager_step(step))
    assert partitioner.report is not None


def models_with_options() -> Iterator[Any]:
    """Every model with every option; under inductor, which does not see the options, with some."""
    for name in TINY_MODELS:
        for option in OPTIONS:
            is_quick = option in QUICK_WITH_MODELS
            marks = [] if is_quick else [pytest.mark.full]
            yield pytest.param(name, option, "aot_eager", id=f"{name}-{option}-aot_eager", marks=marks)
            if is_quick:
                yield pytest.param(name, option, "inductor", id=f"{name}-{option}-inductor", marks=[pytest.mark.full])


@pytest.mark.parametrize(("name", "option", "backend"), list(models_with_options()))
def test_models_are_near_eager(name: str, option: str, backend: str) -> None:
    step = TINY_MODELS[name]()
    assert_close(compiled_step(step, fxcut.Partitioner(**OPTIONS[option]), backend=backend), eager_step(step))


@pytest.mark.parametrize("ignore_tags", [False, True])
def test_a_budget_draws_no_other_random_numbers(ignore_tags: bool) -> None:
    """PyTorch 2.13 recomputes this dropout with another mask."""
    step = TINY_MODELS["gpt2"]()
    step = checkpointed(step) if ignore_tags else step
    partitioner = fxcut.Partitioner(budget=0.5, ignore_tags=ignore_tags)
    assert_close(compiled_step(step, partitioner), eager_step(step))
