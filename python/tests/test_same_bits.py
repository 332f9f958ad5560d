"""Where fxcut decides as PyTorch's partitioner does, loss and gradients are those of PyTorch to the last bit."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, fx, nn

import fxcut
from functions import EXAMPLES
from models import TINY_MODELS, checkpointed
from options import named_block
from steps import Computed, assert_same_bits, compiled_step

BACKENDS = ("aot_eager", "inductor")
# inductor takes its time: each model once, and each way it can come at least twice.
QUICK_UNDER_INDUCTOR = {
    ("gpt2", "stored", "static"),
    ("llama", "checkpointed", "dynamic"),
    ("resnet", "stored", "dynamic"),
    ("bert", "checkpointed", "static"),
    ("t5", "stored", "dynamic"),
    ("mixture_of_experts", "checkpointed", "static"),
}

# Checkpointing and symbolic sizes are there, each with the model that takes least time.
BRIEF = {("gpt2", "stored", "static"), ("resnet", "stored", "dynamic"), ("mixture_of_experts", "checkpointed", "static")}

# PyTorch recomputes the batch norms of a region from running statistics that the forward has updated by then. In training
# only the next statistics come of them, so that the numbers stay; fxcut, which knows no operator's arithmetic, saves more.
REPAIRED = {("resnet", "checkpointed", "aot_eager")}


def assert_same_partition(one: Computed, other: Computed) -> None:
    assert one.sides == other.sides and one.sides


def all_steps() -> Iterator[Any]:
    """Every model, with checkpointing and without, with numbers and symbols for sizes, under both backends."""
    for name in TINY_MODELS:
        for way in ("stored", "checkpointed"):
            for sizes in ("static", "dynamic"):
                for backend in BACKENDS:
                    is_quick = backend == "aot_eager" or (name, way, sizes) in QUICK_UNDER_INDUCTOR
                    marks = [] if is_quick else [pytest.mark.full]
                    if backend == "aot_eager" and (name, way, sizes) in BRIEF:
                        marks.append(pytest.mark.brief)
                    yield pytest.param(name, way, sizes, backend, id=f"{name}-{way}-{sizes}-{backend}", marks=marks)


@pytest.mark.parametrize(("name", "way", "sizes", "backend"), list(all_steps()))
def test_models_have_the_bits_of_pytorchs_partitioner(name: str, way: str, sizes: str, backend: str) -> None:
    step = checkpointed(TINY_MODELS[name]()) if way == "checkpointed" else TINY_MODELS[name]()
    dynamic = sizes == "dynamic"
    partitioner = fxcut.Partitioner()
    own = compiled_step(step, backend=backend, dynamic=dynamic)
    ours = compiled_step(step, partitioner, backend=backend, dynamic=dynamic)
    assert_same_bits(own, ours)
    assert bool(partitioner.report.get("repairs")) == ((name, way, backend) in REPAIRED)
    if (name, way, backend) in REPAIRED:
        ours = compiled_step(step, fxcut.Partitioner(settings={"sound": "never"}), backend=backend, dynamic=dynamic)
    assert_same_partition(own, ours)
    assert bool(own.tagged) == (way == "checkpointed")
    assert bool(own.symbols) == dynamic


class Wrapped(nn.Module):
    """A function as a module: arguments that have a gradient become parameters, other tensors buffers."""

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        super().__init__()
        self.function = function
        self.arguments = arguments
        for number, argument in enumerate(arguments):
            if isinstance(argument, Tensor) and argument.requires_grad:
                self.register_parameter(f"argument_{number}", nn.Parameter(argument.detach()))
            elif isinstance(argument, nn.Module):
                self.add_module(f"argument_{number}", argument)
            elif isinstance(argument, Tensor):
                self.register_buffer(f"argument_{number}", argument)

    def forward(self) -> Tensor:
        given = [getattr(self, f"argument_{n}", argument) for n, argument in enumerate(self.arguments)]
        return self.function(*given).sum()


BRIEF_UNDER_INDUCTOR = "mixed_precision_autocast"


def all_functions() -> Iterator[Any]:
    for name, backend in itertools.product(EXAMPLES, BACKENDS):
        marks = [] if backend == "aot_eager" else [pytest.mark.full]
        if (name, backend) == (BRIEF_UNDER_INDUCTOR, "inductor"):
            marks = [pytest.mark.brief]
        yield pytest.param(name, backend, id=f"{name}-{backend}", marks=marks)


@pytest.mark.parametrize(("name", "backend"), list(all_functions()))
def test_functions_have_the_bits_of_pytorchs_partitioner(name: str, backend: str) -> None:
    example = EXAMPLES[name]
    step = (Wrapped(example.function, example.arguments()), {})
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        own = compiled_step(step, backend=backend, dynamic=example.dynamic)
        ours = compiled_step(step, fxcut.Partitioner(), backend=backend, dynamic=example.dynamic)
    assert_same_bits(own, ours)


def test_pytorchs_settings_hold() -> None:
    step = named_block()
    with torch._functorch.config.patch(activation_memory_budget=0.0):
        own, ours = compiled_step(step), compiled_step(step, fxcut.Partitioner())
    assert_same_bits(own, ours)
    assert ours.sides != compiled_step(step, fxcut.Partitioner()).sides


def test_nodes_keep_the_meta_of_the_joint_graph() -> None:
    compared = 0

    def partition(joint: fx.GraphModule, inputs: Any, **options: Any) -> Any:
        nonlocal compared
        sides = fxcut.Partitioner()(joint, inputs, **options)
        names = {node.name for node in joint.graph.nodes}
        originals = {(node.name, node.target): node.meta for node in joint.graph.nodes if node.op != "output"}
        for node in itertools.chain(*(side.graph.nodes for side in sides)):
            original = originals.get((node.name, node.target))
            # An item of what fxcut added may have the name of another item, which this side does not have.
            is_added = node.target is operator.getitem and node.args[0].name not in names
            if original is not None and not is_added:
                compared += 1
                kept = {key: item for key, item in node.meta.items() if key in original or key != "autograd_backward"}
                assert kept.keys() == original.keys()
                assert all(kept[key] is original[key] for key in original)
        return sides

    compiled_step(checkpointed(TINY_MODELS["gpt2"]()), partition)
    assert compared > 100
