"""Draws inductor's seeds in the way in which PyTorch's own partition draws them, so that a step has the same numbers.

Since 2.15 the seeds carry the tag of activation checkpointing where the first to draw in a graph lies in a region. Then
PyTorch has both sides draw them, under the forward's state of the generator. But what runs under a state runs by itself,
and so inductor_seeds draws other seeds than the code that inductor makes of it. So a step has the numbers that it has
without fxcut only if the forward draws in the same way of the two, whether or not the seeds are then saved.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from typing import Any

import torch
from torch import fx

from fxcut.added_nodes import SAVING, fake_mode_of
from fxcut.binary import Answer, NoPartition
from fxcut.targets import target_name
from fxcut.torch_releases import policy_of

Json = dict[str, Any]

SEEDS = "prims.inductor_seeds.default"
RECOMPUTED = ("MUST_RECOMPUTE", "PREFER_RECOMPUTE")


def seeds_under_state(joint: fx.GraphModule, answer_of_pytorch: Callable[[], Answer]) -> set[str]:
    """The names of the seeds that PyTorch's own partition draws under a state.

    answer_of_pytorch: the partition that PyTorch would make; it is asked for only where there may be such seeds.
    """
    tagged = {node.name for node in joint.graph.nodes if is_seeds(node) and policy_of(node).get("recompute") in RECOMPUTED}
    if not tagged:
        return set()
    try:
        forward = answer_of_pytorch().forward
    except NoPartition:  # there are no numbers without fxcut
        return set()
    return tagged - {node["name"] for node in forward["nodes"]} if SEEDS in under_state(forward) else set()


def draw_under_state(forward: fx.GraphModule, names: Collection[str]) -> None:
    """Makes a forward draw these seeds under a state that is not kept, if it draws them without one."""
    stateless = [node for node in forward.graph.nodes if node.name in names and is_seeds(node)]
    for node in stateless:
        _put_under_state(forward.graph, node, fake_mode_of(forward).from_tensor(torch.get_rng_state()))
    if stateless:
        forward.recompile()


def _put_under_state(graph: fx.Graph, node: fx.Node, state: torch.Tensor) -> None:
    with graph.inserting_before(node):
        drawing = graph.call_function(
            torch.ops.higher_order.run_and_save_rng_state,
            (node.target, *node.args),  # type: ignore[arg-type]  # an operator is an argument here
            node.kwargs,
        )
        drawn = graph.call_function(operator.getitem, (drawing, 1))
    drawing.meta["val"] = state, node.meta["val"]
    drawn.meta = dict(node.meta)
    node.replace_all_uses_with(drawn)
    graph.erase_node(node)


def is_seeds(node: fx.Node) -> bool:
    return node.op == "call_function" and target_name(node.target) == SEEDS


def under_state(encoded_graph: Json) -> set[str]:
    """The operators that a forward runs under a state, which it returns."""
    return {node["args"][0]["op"] for node in encoded_graph["nodes"] if node["target"] == SAVING}
