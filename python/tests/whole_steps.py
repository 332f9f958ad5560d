"""The steps of testdata/steps, and what one computed."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, fx, nn
from torch.utils._pytree import tree_leaves

from conftest import CHECKOUT
from fxcut.traced_steps import call_compiled, passing_steps_to

sys.path.insert(0, str(CHECKOUT / "testdata" / "steps"))
from edits import at_random, edited  # noqa: E402, F401
from layers import region  # noqa: E402, F401
from traced import STEPS, Traced  # noqa: E402
from traced import step as plain_step  # noqa: E402, F401

NEEDS_RANKS = ("collectives_in_region", "collectives_in_region_of_inductor")
REFUSED_BY_PYTORCH = (
    "accumulated_then_sgd",
    "chunked_cross_entropy_in_regions",
    "dropout_in_region",
    "microbatches",
    "phase_annotated_twice",
    "second_order",
    "two_losses",
    "two_losses_of_one_trunk",
)
# In eager a region that runs again updates its statistics again, or stops at an input that was written to since; and
# what PyTorch traces of AdamW differs from it in the last bit, whatever becomes of the trace.
OTHERWISE_IN_EAGER = ("batch_norm_in_region", "state_written_in_forward_and_backward", "adamw")
DYNAMO = [name for name, traced in STEPS.items() if traced.tracer == "aot_eager" and name not in NEEDS_RANKS]


class Computed:
    """What a step returned and what it left: its arguments' tensors, and the state of the random generator."""

    def __init__(self, traced: Traced, call: Callable[..., Any]) -> None:
        torch.compiler.reset()
        torch.manual_seed(0)
        args = traced.arguments()
        torch.manual_seed(1)
        returned = call(traced.function, *args)
        self.random_state = torch.get_rng_state()
        leaves = tree_leaves([returned, *map(tensors_of, args)])
        self.tensors = [leaf.detach().clone() for leaf in leaves if isinstance(leaf, Tensor)]

    def assert_same_bits(self, other: Computed) -> None:
        assert len(self.tensors) == len(other.tensors) > 0
        different = [i for i, (a, b) in enumerate(zip(self.tensors, other.tensors)) if not torch.equal(a, b)]
        assert different == []
        assert torch.equal(self.random_state, other.random_state)


def tensors_of(argument: Any) -> Any:
    return dict(argument.state_dict()) if isinstance(argument, nn.Module) else argument


@functools.cache
def plain(name: str) -> Computed:
    """What eager computes, or where eager computes something else, the step as it was traced."""
    if name in OTHERWISE_IN_EAGER:
        return passed_to(lambda step, _: step, STEPS[name])
    return Computed(STEPS[name], eagerly)


def eagerly(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def compiled(traced: Traced) -> Callable[..., Any]:
    return lambda function, *args: call_compiled("aot_eager", traced.dynamic, function, *args)


def passed_to(rematerialize: Callable[..., fx.GraphModule], traced: Traced) -> Computed:
    with passing_steps_to(rematerialize):
        return Computed(traced, compiled(traced))


def nodes_of(step: fx.GraphModule) -> list[tuple[str, ...]]:
    return [(node.name, node.op, str(node.target), str(node.args), str(node.kwargs)) for node in step.graph.nodes]
