"""Keeps the backward from drawing other random numbers than the forward did.

PyTorch puts a random operator under its generator's state only where activation checkpointing asked to recompute it.
Its memory budgets recompute others as well: dropout then has another mask in the backward, and the gradients are wrong.
Here the decision stays, except for those operators: they run again under the state that the forward's had, or, if that is
impossible, their values are saved. It is impossible for operators without a device, by which PyTorch finds the generator, for
calls of subgraphs that draw, and for inductor's seeds, unless PyTorch itself draws them so (fxcut.seeds).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import torch
from torch import fx

from fxcut.added_nodes import RUNNING
from fxcut.binary import Answer
from fxcut.errors import FxcutError
from fxcut.seeds import under_state
from fxcut.targets import target_name

Json = dict[str, Any]


class OtherRandomNumbers(FxcutError):
    """The backward would draw other random numbers than the forward did, and nothing helped."""


def drawn_again(joint: fx.GraphModule, answer: Answer, stated_seeds: Collection[str]) -> list[fx.Node]:
    """The random nodes that the backward draws anew: without a state, or under one by which the numbers are others.

    stated_seeds: the names of the seeds that PyTorch's own partition draws under a state.
    """
    both = _calls(answer.forward) & _calls(answer.backward)
    wrapped = under_state(answer.forward)

    def is_drawn_anew(node: fx.Node) -> bool:
        if node.name in both:
            return True
        return target_name(node.target) in wrapped and not (_heeds_state(node) or node.name in stated_seeds)

    return [node for node in joint.graph.nodes if _is_random(joint, node) and is_drawn_anew(node)]


def with_same_draws(graph: Json, answer: Answer, again: list[fx.Node]) -> Json:
    """The report of the answer, so changed that a replay of it saves the states, or else the values, of `again`.

    graph: the JSON form of the joint graph.
    """
    nodes = {node["name"]: node for node in graph["nodes"]}
    # What a replay does not find among what was recomputed, it recomputes under the forward's state.
    stated = {node.name for node in again if _heeds_state(node)}
    recomputed = [row for row in answer.report["recomputed_values"] if row["name"] not in stated]
    values = [value for node in again if not _heeds_state(node) for value in _values_of(node, answer)]
    saved = [*answer.report["saved_values"], *(_saved_row(nodes[value.name]) for value in values)]
    return {**answer.report, "saved_values": saved, "recomputed_values": recomputed}


def _values_of(node: fx.Node, answer: Answer) -> list[fx.Node]:
    """A tuple is saved by what the backward takes out of it."""
    if isinstance(node.meta.get("val"), torch.Tensor):
        return [node]
    return [item for item in node.users if item.name in _calls(answer.backward)]


def _saved_row(node: Json) -> Json:
    value = node["val"]
    return {
        "name": node["name"],
        "operator": node["target"],
        "dtype": value["dtype"],
        "shape": value["shape"],
        "bytes": 0,  # a replay finds out, as it does where the value crosses
        "static_lifetime": False,
        "forward_output": 0,
        "backward_input": 0,
        "offloaded": False,
        "why": {"reason": "random_operator", "text": "drawn by the forward; drawn again it would be another number"},
    }


def _heeds_state(node: fx.Node) -> bool:
    """Whether it draws the same numbers again where PyTorch sets its generator back to the same state."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or target.namespace == "prims":
        return False
    has_tensor = any(isinstance(arg.meta.get("val"), torch.Tensor) for arg in node.args if isinstance(arg, fx.Node))
    return has_tensor or node.kwargs.get("device") is not None


def _is_random(module: fx.GraphModule, node: fx.Node) -> bool:
    """Whether it draws, has another operator draw, or calls a subgraph in which something does."""
    if node.op != "call_function":
        return False
    if isinstance(node.target, torch._ops.OpOverload):
        return _is_seeded(node.target) and not _is_attention_without_dropout(node)
    if any(_is_seeded(arg) for arg in node.args):
        return target_name(node.target) != RUNNING  # which is given the state
    attributes = [getattr(module, str(arg.target), None) for arg in node.all_input_nodes if arg.op == "get_attr"]
    called = [graph for graph in attributes if isinstance(graph, fx.GraphModule)]
    return any(_is_random(graph, inner) for graph in called for inner in graph.graph.nodes)


def _is_seeded(operator: object) -> bool:
    return torch.Tag.nondeterministic_seeded in getattr(operator, "tags", ())


def _is_attention_without_dropout(node: fx.Node) -> bool:
    """It has the tag of random operators and draws nothing."""
    schema = cast(torch._ops.OpOverload, node.target)._schema
    for position, parameter in enumerate(schema.arguments):
        if parameter.name == "dropout_p":
            given = node.args[position] if position < len(node.args) else node.kwargs.get(parameter.name)
            return bool((parameter.default_value if given is None else given) == 0)
    return False


def _calls(encoded_graph: Json) -> set[str]:
    return {node["name"] for node in encoded_graph["nodes"] if node["op"] == "call_function"}
