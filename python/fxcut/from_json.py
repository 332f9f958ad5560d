"""fxcut's answer to the two graph modules that PyTorch runs.

The answer lists each side's nodes in order. A node that the joint graph has under that name is copied from there with
its meta, and its arguments become those that the answer names, in their order: everything that is not in the JSON stays what it
was. Most nodes come back as they were sent, so that their arguments are the copies of the same nodes. Nodes that fxcut added are
created from the answer alone (added_nodes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx
from torch._subclasses import FakeTensorMode
from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.node import map_arg
from torch.utils._pytree import arg_tree_leaves

from fxcut.added_nodes import (
    AnswerNotUnderstood,
    add_call,
    add_generator,
    add_placeholder,
    decoded_argument,
    fake_mode_of,
    generator_devices,
)
from fxcut.binary import Answer
from fxcut.control_deps import add_subgraphs, is_part, value_of_part
from fxcut.targets import target_name
from fxcut.torch_releases import SavedForBackwardsAOTOutput, SavedUncheckedAOTOutput, results_of

Json = dict[str, Any]

REPEATED = "_recomputed"  # ends the name of a call that the backward runs once more, a number aside


def modules_from_answer(
    joint: fx.GraphModule, sent: Json, answer: Answer, num_fwd_outputs: int
) -> tuple[fx.GraphModule, fx.GraphModule]:
    """The forward and the backward module.

    Both hold the joint module's attributes; a node's name and meta are the joint node's. sent: the joint graph as the
    program was given it.

    Raises AnswerNotUnderstood where the answer cannot be rebuilt, and UnknownTarget where it calls what PyTorch lacks.
    """
    builder = _Builder(joint, sent)
    forward = builder.side(answer.forward, made_by={})
    backward = builder.side(answer.backward, made_by={node.name: node for node in forward.nodes})
    _describe_outputs(joint, forward, backward, num_fwd_outputs)
    for node in backward.nodes:
        if node.op in ("call_function", "get_attr"):
            node.meta["autograd_backward"] = True
    return _make_graph_module(joint, forward), _make_graph_module(joint, backward)


class _Builder:
    """Builds graphs out of the nodes of one joint graph."""

    def __init__(self, joint: fx.GraphModule, sent: Json) -> None:
        self._module = joint
        self._sent = {node["name"]: node for node in sent["nodes"]}
        self._joint = {node.name: node for node in joint.graph.nodes}
        self._fake_mode: FakeTensorMode = fake_mode_of(joint)
        self._generators: dict[str, torch.device] = {}

    def side(self, encoded_graph: Json, made_by: dict[str, fx.Node]) -> fx.Graph:
        """One side. made_by: where its inputs may come from, by name."""
        graph = fx.Graph()
        nodes: dict[str, fx.Node] = {}
        self._generators = generator_devices(encoded_graph)
        add_subgraphs(self._module, self._joint, encoded_graph)
        for encoded in encoded_graph["nodes"]:
            if encoded["op"] == "output":
                value = decoded_argument(encoded["args"][0], nodes)
                graph.create_node("output", "output", (value,), name=encoded["name"])
                continue
            node = self._node(graph, encoded, nodes, made_by)
            if node.name != encoded["name"]:
                raise AnswerNotUnderstood(f"fxcut: torch.fx renames {encoded['name']} to {node.name}")
            nodes[node.name] = node
        return graph

    def _node(self, graph: fx.Graph, encoded: Json, nodes: dict[str, fx.Node], made_by: dict[str, fx.Node]) -> fx.Node:
        original = self._original(encoded)
        repeated = self._repeated(encoded) if original is None else None
        if repeated is not None:
            return _with_inputs_of(graph, repeated, encoded, nodes)
        if encoded["op"] == "placeholder":
            if original is None:
                return self._added_input(graph, encoded, made_by)
            node = graph.placeholder(original.name)
            node.meta = original.meta
            return node
        if original is None:
            return self._added(graph, encoded, nodes)
        if _call(encoded) == _call(self._sent[original.name]):
            return _copied(graph, original, lambda argument: nodes[argument.name])
        if is_part(original, encoded) or _takes_another_item(original, encoded):
            return _rewritten(graph, original, encoded, nodes)
        return _with_inputs_of(graph, original, encoded, nodes)

    def _original(self, encoded: Json) -> fx.Node | None:
        """The joint graph's node that this one is; None for one that fxcut added.

        Added nodes are named as PyTorch's passes name them, on each side anew, so that one may have the name of a node of the
        joint graph which is on the other side or nowhere, even one that calls the same operator. But the program hands on the
        value and the meta of the joint graph's nodes as they were sent, and what it adds is in storages of its own.
        """
        original, sent = self._joint.get(encoded["name"]), self._sent.get(encoded["name"])
        if original is None or sent is None:
            return None
        is_input = encoded["op"] == "placeholder"  # be it of what is no input in the joint graph
        if not is_input and (encoded["op"], encoded["target"]) != (sent["op"], sent["target"]):
            return None
        if not is_input and is_part(original, encoded):  # whose value is a part as well
            return original
        return original if _is_as_sent(sent, encoded) else None

    def _repeated(self, encoded: Json) -> fx.Node | None:
        """The joint graph's call that this call of the backward repeats under a name of its own."""
        original = self._joint.get(encoded["name"].rpartition(REPEATED)[0])
        is_it = original is not None and encoded["op"] == original.op and encoded["target"] == target_name(original.target)
        return original if is_it else None

    def _added_input(self, graph: fx.Graph, encoded: Json, made_by: dict[str, fx.Node]) -> fx.Node:
        name = encoded["name"]
        if name in self._generators:
            return add_generator(graph, name, self._generators[name])
        return add_placeholder(graph, encoded, made_by.get(name), self._fake_mode)

    def _added(self, graph: fx.Graph, encoded: Json, nodes: dict[str, fx.Node]) -> fx.Node:
        if encoded["op"] == "get_attr":
            return graph.create_node("get_attr", encoded["target"], name=encoded["name"])
        if encoded["op"] != "call_function":
            raise AnswerNotUnderstood(
                f"fxcut: {encoded['name']} is a {encoded['op']} that the joint graph does not have."
            )
        node = add_call(graph, encoded, nodes, self._fake_mode)
        drawn = self._random_operator(encoded)
        if drawn is not None:
            node.meta = {**drawn.meta, "val": node.meta["val"]}
        return node

    def _random_operator(self, encoded: Json) -> fx.Node | None:
        """The random operator in the joint graph whose result this item is, by autograd's number."""
        meta = encoded.get("meta", {})
        if "seq_nr" not in meta or encoded["target"] != "operator.getitem":
            return None
        for node in self._joint.values():
            if node.meta.get("seq_nr") == meta["seq_nr"] and "nondeterministic_seeded" in _tags(node):
                return node
        return None


def _call(encoded: Json) -> tuple[Any, ...]:
    return encoded["op"], encoded["target"], encoded.get("args"), encoded.get("kwargs")


def _is_as_sent(sent: Json, encoded: Json) -> bool:
    return all(sent.get(key) == encoded.get(key) for key in ("val", "tensor_meta", "meta"))


def _with_inputs_of(graph: fx.Graph, original: fx.Node, encoded: Json, nodes: dict[str, fx.Node]) -> fx.Node:
    """The original under the name and with the inputs of the answer."""
    names = iter(names_in([encoded.get("args", []), _in_order_of(original.kwargs, encoded)]))
    node = _copied(graph, original, lambda _: nodes[next(names)], encoded["name"])
    if next(names, None) is not None:
        raise AnswerNotUnderstood(f"fxcut: {node.name} has more inputs in the answer than in the joint graph")
    return node


def _copied(
    graph: fx.Graph, original: fx.Node, copy_of: Callable[[fx.Node], fx.Node], name: str | None = None
) -> fx.Node:
    """Graph.node_copy in half the time: it has `create_node` search the arguments for symbolic sizes, which a node of the
    joint graph may have, and replaces the dictionary of the meta, by which a node leaves its graph's index and returns."""
    node = graph.create_node(original.op, original.target, name=name or original.name, type_expr=original.type)
    node.args = map_arg(original.args, copy_of)
    if original.kwargs:
        node.kwargs = map_arg(original.kwargs, copy_of)
    node.meta.update(original.meta)
    return node


def _tags(node: fx.Node) -> list[str]:
    return [tag.name for tag in getattr(node.target, "tags", ())]


def _takes_another_item(original: fx.Node, encoded: Json) -> bool:
    return encoded["target"] == "operator.getitem" and encoded["args"][1] != original.args[1]


def _rewritten(graph: fx.Graph, original: fx.Node, encoded: Json, nodes: dict[str, fx.Node]) -> fx.Node:
    """A node of the joint graph with other arguments than there, constants among them."""
    args = tuple(decoded_argument(item, nodes) for item in encoded["args"])
    kwargs = {key: decoded_argument(item, nodes) for key, item in encoded.get("kwargs", {}).items()}
    node = graph.create_node("call_function", original.target, args, kwargs, name=original.name)
    node.meta = dict(original.meta)
    if is_part(original, encoded):
        node.meta["val"] = value_of_part(original, encoded, args)
    return node


def names_in(encoded: Any) -> Iterator[str]:
    """The nodes that arguments name, in the order in which torch.fx maps over them."""
    if isinstance(encoded, list):
        for item in encoded:
            yield from names_in(item)
    elif isinstance(encoded, dict):
        ((kind, content),) = encoded.items()
        if kind == "node":
            yield content
        elif kind == "dict":
            yield from names_in(list(content.values()))
        elif kind in ("tuple", "slice"):
            yield from names_in(content)


def _in_order_of(kwargs: dict[str, Any], encoded: Json) -> list[Any]:
    return [encoded["kwargs"][key] for key in kwargs]


def _describe_outputs(joint: fx.GraphModule, forward: fx.Graph, backward: fx.Graph, num_fwd_outputs: int) -> None:
    """Describes each output to AOTAutograd, as PyTorch's partitioners do."""
    joint_output = joint.graph.output_node()
    leaves = arg_tree_leaves(*joint_output.args)
    described = arg_tree_leaves(joint_output.meta.get("desc", [None] * len(leaves)))
    saved = results_of(forward)[num_fwd_outputs:]
    descriptions = [
        (
            SavedUncheckedAOTOutput
            if isinstance(node, fx.Node) and node.meta.get("saved_tensor_with_no_vc_check", False)
            else SavedForBackwardsAOTOutput
        )(position)
        for position, node in enumerate(saved)
    ]
    for graph, outputs in (
        (forward, [*described[:num_fwd_outputs], *descriptions]),
        (backward, described[num_fwd_outputs:]),
    ):
        output = graph.output_node()
        output.meta["desc"] = outputs
        output.meta["output_stack_traces"] = [
            node.meta.get("stack_trace") if isinstance(node, fx.Node) else None for node in results_of(graph)
        ]
