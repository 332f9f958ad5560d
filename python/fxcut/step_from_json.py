"""fxcut's answer to the graph module of a whole step.

The answer lists the nodes in order, each under the name that it gets in PyTorch's own pass: copies are called
NAME_recomputed, and what comes after a copy may be numbered anew, so a name of the answer may be that of another node
of the step as it was. A node is therefore found by what it computes: the same call on the same values. Values are the
same where the nodes found for them are, a copy counting as what it is a copy of. What is found is copied from the step
as it was with its meta, and all that JSON does not hold; the rest, which fxcut added, is created from the answer alone
(added_nodes). Which of two equal calls is found changes the meta only, since the call is in either case the answer's.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

from torch import fx
from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.node import map_arg

from fxcut.added_nodes import AnswerNotUnderstood, add_call, fake_mode_of
from fxcut.from_json import names_in
from fxcut.saved_states import lift_saved_states

Json = dict[str, Any]
Call = tuple[str, str, str]

RECOMPUTED = "_recomputed"


def step_from_answer(step: fx.GraphModule, sent: Json, answer: Json) -> fx.GraphModule:
    """The module that the answer describes, with the placeholders, outputs and attributes of the step.

    sent: the step as the program was given it. answer: what the program wrote, of the format `fx-step-graph`.

    Raises AnswerNotUnderstood where the answer cannot be rebuilt, and UnknownTarget where it calls what PyTorch lacks.
    """
    return _make_graph_module(step, _Builder(step, sent).graph(answer))


class _Builder:
    """Builds the answer's graph out of the nodes of the step."""

    def __init__(self, step: fx.GraphModule, sent: Json) -> None:
        self._step = step
        self._originals = {node.name: node for node in step.graph.nodes}
        self._sent = {encoded["name"]: encoded for encoded in sent["nodes"]}
        self._equal: dict[Call, deque[fx.Node]] = defaultdict(deque)
        for name, encoded in self._sent.items():
            self._equal[_call(encoded, lambda name: name)].append(self._originals[name])
        self._nodes: dict[str, fx.Node] = {}  # of the answer, by name
        self._found: dict[str, str] = {}  # the names of the step's nodes that they are

    def graph(self, answer: Json) -> fx.Graph:
        graph = fx.Graph()
        graph._codegen = copy.copy(self._step.graph._codegen)  # it has the structure of the inputs and outputs
        for encoded in answer["nodes"]:
            name = encoded["name"]
            original = self._original(encoded)
            node = self._added(graph, encoded) if original is None else self._copied(graph, original, encoded)
            if node.name != name:
                raise AnswerNotUnderstood(f"fxcut: torch.fx renames {name} to {node.name}")
            if original is not None:
                self._found[name] = original.name
            if encoded.get("meta", {}).get("autograd_backward", False):
                node.meta["autograd_backward"] = True
            self._nodes[name] = node
        lift_saved_states(graph)
        return graph

    def _original(self, encoded: Json) -> fx.Node | None:
        """The node of the step that this one is, or is a copy of; None where fxcut added it."""
        name = encoded["name"]
        if encoded["op"] == "output":  # whose list the program may have as a tuple
            return self._step.graph.output_node()
        equal = self._equal.get(_call(encoded, lambda name: self._found.get(name, "")))
        if equal and not name.endswith(RECOMPUTED):
            return equal.popleft() if len(equal) > 1 else equal[0]
        candidate = name.removesuffix(RECOMPUTED)  # of other values: what it was computed from may be reloaded now
        if candidate in self._sent and _kind(self._sent[candidate]) == _kind(encoded):
            return self._originals[candidate]
        return equal[0] if equal else None

    def _copied(self, graph: fx.Graph, original: fx.Node, encoded: Json) -> fx.Node:
        names = iter(names_in([encoded.get("args", []), [encoded["kwargs"][key] for key in original.kwargs]]))

        def copy_of(_: fx.Node) -> fx.Node:
            return self._nodes[next(names)]

        args, kwargs = map_arg(original.args, copy_of), map_arg(original.kwargs, copy_of)
        node = graph.create_node(original.op, original.target, args, kwargs, encoded["name"], original.type)
        node.meta = dict(original.meta)
        return node

    def _added(self, graph: fx.Graph, encoded: Json) -> fx.Node:
        if encoded["op"] != "call_function":
            raise AnswerNotUnderstood(f"fxcut: {encoded['name']} is a {encoded['op']} that the step does not have.")
        return add_call(graph, encoded, self._nodes, fake_mode_of(self._step))


def _call(encoded: Json, name_of: Callable[[str], str]) -> Call:
    """What a node computes: the same for calls that differ by the names of their values only. name_of: gives those."""
    arguments = [encoded.get("args", []), encoded.get("kwargs", {})]
    return encoded["op"], encoded["target"], json.dumps(_renamed(arguments, name_of), sort_keys=True)


def _renamed(encoded: Any, name_of: Callable[[str], str]) -> Any:
    if isinstance(encoded, list):
        return [_renamed(item, name_of) for item in encoded]
    if isinstance(encoded, dict):
        return {key: name_of(item) if key == "node" else _renamed(item, name_of) for key, item in encoded.items()}
    return encoded


def _kind(encoded: Json) -> Call:
    """What a node computes, whatever the values are."""
    return _call(encoded, lambda _: "")
