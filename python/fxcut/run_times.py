"""Run times of operators, measured: what PyTorch does under the estimator "profile", on a CPU as well.

A call that this process has measured before keeps that time, so that equal graphs get equal answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, fx
from torch.utils._pytree import tree_leaves

from fxcut.run_alone import description, milliseconds
from fxcut.static_inputs import is_tangent
from fxcut.targets import target_name
from fxcut.to_json import storage_address

Json = dict[str, Any]

BUDGET = "activation_memory_budget"
REGION_BUDGET = "_region_activation_memory_budget"
LIMITS = ("saved_bytes_limit", "peak_bytes_limit")
# A single process cannot run these: they wait for the others.
COLLECTIVES = ("_c10d_functional", "_c10d_functional_autograd", "c10d_functional", "c10d", "symm_mem", "_dtensor")
# Takes one number out of inductor's seeds. The kernel that draws numbers does so itself; as a call of PyTorch's it is not free.
LOOKUP_OF_SEED = "prims.inductor_lookup_seed.default"

_known: dict[tuple[Any, str], float | None] = {}


def run_times(joint: fx.GraphModule, settings: Json) -> dict[fx.Node, float]:
    """Milliseconds of what a memory budget may have recomputed, where these settings ask for them.

    Left out are nodes that have a `runtime_ms`, which comes before what is measured, and what cannot run by itself.
    """
    if settings.get("activation_memory_budget_runtime_estimator") != "profile" or not _is_choice(joint, settings):
        return {}
    times = {node: _time_of(node) for node in _recomputable(joint) if node.meta.get("runtime_ms") is None}
    return {node: time for node, time in times.items() if time is not None}


def all_run_times(joint: fx.GraphModule) -> dict[fx.Node, float]:
    """Milliseconds of each operator of the step that can run by itself; less those that have a `runtime_ms`."""
    operators = (node for node in joint.graph.nodes if node.op == "call_function" and _is_run(node))
    times = {node: _time_of(node) for node in operators if node.meta.get("runtime_ms") is None}
    return {node: time for node, time in times.items() if time is not None}


def _is_choice(joint: fx.GraphModule, settings: Json) -> bool:
    """Whether values are chosen by what recomputing them takes: a budget of all chooses nothing, and of PyTorch's
    solvers neither does one of nothing."""
    nothing_to_choose = (1,) if settings.get(f"{BUDGET}_solver") == "frontier" else (0, 1)
    if settings.get(BUDGET, 1) not in nothing_to_choose or any(settings.get(limit) for limit in LIMITS):
        return True
    return any(
        "memory_budget" in node.meta or REGION_BUDGET in (node.meta.get("custom") or {}) for node in joint.graph.nodes
    )


def _recomputable(joint: fx.GraphModule) -> Iterator[fx.Node]:
    """The operators of the forward that the backward takes something of, be it by way of others."""
    backward: set[fx.Node] = set()
    for node in joint.graph.nodes:
        if is_tangent(node) or not backward.isdisjoint(node.all_input_nodes):
            backward.add(node)
    backward.discard(joint.graph.output_node())
    taken: set[fx.Node] = set()
    for node in reversed(joint.graph.nodes):
        if node not in backward and any(user in backward or user in taken for user in node.users):
            taken.add(node)
    return (node for node in joint.graph.nodes if node in taken and _is_run(node))


def _is_run(node: fx.Node) -> bool:
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or target.namespace in COLLECTIVES:
        return False
    return bool(_tensors(node))


def _tensors(node: fx.Node) -> list[Tensor]:
    return [value for value in tree_leaves(node.meta.get("val")) if isinstance(value, Tensor)]


def _time_of(node: fx.Node) -> float | None:
    if _hands_on_memory(node) or target_name(node.target) == LOOKUP_OF_SEED:
        return 0.0
    call = node.target, description((node.args, node.kwargs))
    if call not in _known:
        _known[call] = milliseconds(node)
    return _known[call]


def _hands_on_memory(node: fx.Node) -> bool:
    """A view, which computes nothing: what measuring it shows is the call, which compilers leave out."""
    if node.target._schema.is_mutable:  # type: ignore[union-attr]
        return False
    given = {storage_address(tensor) for argument in node.all_input_nodes for tensor in _tensors(argument)}
    return all(storage_address(tensor) in given for tensor in _tensors(node))
