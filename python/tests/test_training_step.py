"""A training step with fxcut's partition: PyTorch's bits where the decision is the same, near eager's always."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.utils.checkpoint
from torch import Tensor, nn
from torch._functorch.partitioners import min_cut_rematerialization_partition as PYTORCHS
from torch._inductor.utils import fresh_cache

import fxcut
from functions import EXAMPLES
from models import TINY_MODELS
from steps import Computed, assert_close, assert_same_bits, compiled_step, eager_step

DYNAMIC_MODELS = ["llama_checkpointed", "bert", "mixture_of_experts"]


def assert_same_partition(one: Computed, other: Computed) -> None:
    assert one.sides == other.sides and one.sides


@pytest.mark.parametrize("name", TINY_MODELS)
def test_aot_eager_has_the_bits_of_pytorchs_partitioner(name: str) -> None:
    step = TINY_MODELS[name]()
    own, ours = compiled_step(step), compiled_step(step, fxcut.Partitioner())
    assert_same_partition(own, ours)
    assert_same_bits(own, ours)


@pytest.mark.parametrize("name", DYNAMIC_MODELS)
def test_symbolic_sizes_have_the_bits_of_pytorchs_partitioner(name: str) -> None:
    step = TINY_MODELS[name]()
    own, ours = (compiled_step(step, partition, dynamic=True) for partition in (PYTORCHS, fxcut.Partitioner()))
    assert_same_partition(own, ours)
    assert_same_bits(own, ours)


@pytest.mark.parametrize("name", TINY_MODELS)
def test_inductor_has_the_bits_of_pytorchs_partitioner(name: str) -> None:
    step = TINY_MODELS[name]()
    own, ours = (compiled_step(step, partition, backend="inductor") for partition in (PYTORCHS, fxcut.Partitioner()))
    assert_same_partition(own, ours)
    assert_same_bits(own, ours)


OFFLOAD_PRODUCTS = {
    "version": 1,
    "policies": [{"name": "products", "rules": [{"match": {"op": "aten.*mm.*"}, "policy": "MUST_CPU_OFFLOAD"}]}],
}
OPTIONS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "save names": {"save_names": ["hidden", "scores"]},
    "recompute names": {"recompute_names": "hidden,scores"},
    "offload names": {"offload_names": ["hidden", "scores"]},
    "offload by policy": {"policy": OFFLOAD_PRODUCTS},
    "nothing saveable": {"jax_policy": "nothing_saveable"},
    "everything saveable": {"jax_policy": "everything_saveable"},
    "dots saveable": {"jax_policy": "dots_saveable", "ignore_tags": True},
    "names saveable": {"jax_policy": "save_only_these_names:hidden"},
    "budget 0": {"budget": 0.0},
    "budget 0.5": {"budget": 0.5},
    "budget 0.5 by frontier": {"budget": 0.5, "budget_solver": "frontier", "time_limit": 1},
    "least saved": {"saved_bytes": "least", "time_limit": 1},
    "least peak": {"peak_bytes": "least", "time_limit": 1},
    "aggressive": {"settings": {"aggressive_recomputation": True}},
    "default partitioner": {"settings": {"partitioner": "default"}},
}
MODEL_OPTIONS = ["offload by policy", "budget 0.5", "least saved", "nothing saveable"]


class NamedBlock(nn.Module):
    """Attention and a layer that expands, with names, dropout and a checkpointed region."""

    def __init__(self) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(16, 48)
        self.expand = nn.Linear(16, 32)
        self.contract = nn.Linear(32, 16)

    def attention(self, x: Tensor) -> Tensor:
        q, k, v = self.query_key_value(x).chunk(3, -1)
        scores = fxcut.checkpoint_name(q @ k.transpose(-1, -2), "scores")
        return nn.functional.dropout(torch.softmax(scores, -1), 0.2) @ v

    def forward(self, x: Tensor) -> Tensor:
        x = x + torch.utils.checkpoint.checkpoint(self.attention, x, use_reentrant=False)
        hidden = fxcut.checkpoint_name(nn.functional.gelu(self.expand(x)), "hidden")
        return torch.sin(self.contract(torch.cos(hidden))).pow(2).mean()


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


@pytest.fixture
def eagers_random_numbers():
    with torch._inductor.config.patch(fallback_random=True):
        yield


def named_block() -> tuple[nn.Module, dict[str, Tensor]]:
    return NamedBlock(), {"x": torch.randn(2, 8, 16)}


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_near_eager(option: str, backend: str, eagers_random_numbers: None) -> None:
    step = named_block()
    partitioner = fxcut.Partitioner(**OPTIONS[option])
    assert_close(compiled_step(step, partitioner, backend=backend), eager_step(step))
    assert partitioner.report is not None


@pytest.mark.parametrize("option", MODEL_OPTIONS)
@pytest.mark.parametrize("name", TINY_MODELS)
def test_models_are_near_eager(name: str, option: str) -> None:
    step = TINY_MODELS[name]()
    assert_close(compiled_step(step, fxcut.Partitioner(**OPTIONS[option])), eager_step(step))


@pytest.mark.parametrize("ignore_tags", [False, True])
def test_a_budget_draws_no_other_random_numbers(ignore_tags: bool) -> None:
    """PyTorch 2.13 recomputes this dropout with another mask."""
    step = TINY_MODELS["gpt2_checkpointed" if ignore_tags else "gpt2"]()
    partitioner = fxcut.Partitioner(budget=0.5, ignore_tags=ignore_tags)
    assert_close(compiled_step(step, partitioner), eager_step(step))


def test_names_change_what_is_saved() -> None:
    step = named_block()
    saved = {}
    for option in ("save names", "recompute names", "offload names"):
        partitioner = fxcut.Partitioner(**OPTIONS[option])
        compiled_step(step, partitioner)
        saved[option] = {named["name"]: named["decision"] for named in partitioner.report["names"]}
    assert saved == {
        "save names": {"scores": "saved", "hidden": "saved"},
        "recompute names": {"scores": "recomputed", "hidden": "recomputed"},
        "offload names": {"scores": "offloaded", "hidden": "offloaded"},
    }


def test_names_alone_change_nothing() -> None:
    """Not one node of the graphs is a name."""
    sides = compiled_step(named_block(), fxcut.Partitioner()).sides
    assert not [node for side in sides[0] for node in side if "checkpoint_name" in str(node[1])]


def test_pytorchs_settings_hold() -> None:
    step = named_block()
    with torch._functorch.config.patch(activation_memory_budget=0.0):
        own, ours = (compiled_step(step, partition) for partition in (PYTORCHS, fxcut.Partitioner()))
    assert_same_bits(own, ours)
    assert ours.sides != compiled_step(step, fxcut.Partitioner()).sides


@pytest.mark.parametrize("name", EXAMPLES)
def test_functions_have_the_bits_of_pytorchs_partitioner(name: str) -> None:
    example = EXAMPLES[name]
    module = Wrapped(example.function, example.arguments())
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        own, ours = (
            compiled_step((module, {}), partition, dynamic=example.dynamic)
            for partition in (PYTORCHS, fxcut.Partitioner())
        )
    assert_same_bits(own, ours)


def test_inductors_cache_knows_one_decision_from_another() -> None:
    """The same options find the graph in the cache, so that the program is not asked; others do not."""
    step = named_block()
    asked = []
    with fresh_cache():
        for names in ("scores", "scores", "hidden"):
            partitioner = fxcut.Partitioner(recompute_names=names)
            torch.compiler.reset()
            with torch._inductor.config.patch(custom_partitioner_fn=partitioner):
                torch.compile(step[0])(**step[1]).backward()
            asked.append(partitioner.report is not None)
    assert asked == [True, False, True]
