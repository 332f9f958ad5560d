"""Keeps the backward from drawing other random numbers than the forward did.

PyTorch puts a random operator under its generator's state only where activation checkpointing asked to recompute it.
A memory budget may recompute others: dropout then has another mask in the backward, and the gradients are wrong. Such
an operator is tagged, and the graph partitioned again: what is tagged is recomputed under the forward's state.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import fx

from fxcut.binary import Answer

Json = dict[str, Any]


class OtherRandomNumbers(RuntimeError):
    """The backward would draw other random numbers than the forward did, and tags do not change that."""


def drawn_twice(joint: fx.GraphModule, answer: Answer) -> set[str]:
    """The random operators, by name, that both sides call without a state."""
    both = _calls(answer.forward) & _calls(answer.backward)
    return {node.name for node in joint.graph.nodes if _is_random(node)} & both


def _is_random(node: fx.Node) -> bool:
    is_seeded = torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())
    return is_seeded and not _is_attention_without_dropout(node)


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
