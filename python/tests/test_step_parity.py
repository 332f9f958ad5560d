"""Without options rematerialize_step makes of a whole step what PyTorch's own pass does, node by node."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest
from torch import fx

import fxcut
from fxcut.torch_releases import WHOLE_STEPS

if not WHOLE_STEPS.is_met():
    pytest.skip("PyTorch 2.15 is the first to trace whole steps", allow_module_level=True)

from torch._functorch._activation_checkpointing.remat_using_tags_for_fwd_loss_bwd_graph_pass import (
    remat_using_tags_for_fwd_loss_bwd_graph as pass_of_pytorch,
)

from whole_steps import (
    DYNAMO,
    REFUSED_BY_PYTORCH,
    STEPS,
    at_random,
    edited,
    nodes_of,
    passed_to,
)

TAGGED_AT_RANDOM = ("mlp", "batch_norm_in_region", "sgd", "dynamic_sizes", "two_losses", "views_and_items")


@pytest.mark.parametrize("name", [name for name in DYNAMO if name not in REFUSED_BY_PYTORCH])
def test_without_options_it_is_pytorchs_own_pass(name: str) -> None:
    made: list[list[tuple[str, ...]]] = []

    def both(step: fx.GraphModule, static: Sequence[str]) -> fx.GraphModule:
        made.append(nodes_of(pass_of_pytorch(copy.deepcopy(step))))
        ours = fxcut.rematerialize_step(step, static_lifetime_inputs=static)
        made.append(nodes_of(ours))
        return ours

    passed_to(both, STEPS[name])
    assert made[0] == made[1]


def seeds() -> list[Any]:
    return [pytest.param(seed, marks=[pytest.mark.full] if seed >= 5 else []) for seed in range(100)]


@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("name", TAGGED_AT_RANDOM)
def test_tags_at_random_are_heeded_as_pytorch_does(name: str, seed: int) -> None:
    made: list[list[tuple[str, ...]]] = []

    def both(step: fx.GraphModule, static: Sequence[str]) -> fx.GraphModule:
        tagged = edited(step, at_random(seed))
        try:
            expected = pass_of_pytorch(copy.deepcopy(tagged))
        except RuntimeError:  # ours goes on where PyTorch's gives up
            return step
        made.append(nodes_of(expected))
        made.append(nodes_of(fxcut.rematerialize_step(tagged, static_lifetime_inputs=static)))
        return step

    passed_to(both, STEPS[name])
    assert not made or made[0] == made[1]
