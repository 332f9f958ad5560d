"""The part of a control_deps call that one side has: some of its values, and a copy of its subgraph for those alone.

PyTorch 2.15 splits a call over values of both sides. In the answer such a part has the call's own name, a get_attr of
the new subgraph, and getitems whose positions have moved.
"""

from __future__ import annotations

from typing import Any, cast

from torch import fx

from fxcut.targets import HIGHER_ORDER

Json = dict[str, Any]

CONTROL_DEPS = HIGHER_ORDER + "control_deps"


def is_part(original: fx.Node, encoded: Json) -> bool:
    """Whether the answer's call has another subgraph than the joint graph's call of that name."""
    if encoded["target"] != CONTROL_DEPS:
        return False
    return encoded["args"][1]["node"] != cast(fx.Node, original.args[1]).name


def value_of_part(original: fx.Node, encoded: Json, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operation's result, None where it is on the other side, and then the values that are left."""
    has_operation = encoded["val"]["items"][0]["kind"] != "none"
    deps = [argument.meta["val"] if isinstance(argument, fx.Node) else argument for argument in args[2:]]
    return (original.meta["val"][0] if has_operation else None, *deps)


def add_subgraphs(joint: fx.GraphModule, nodes: dict[str, fx.Node], encoded_graph: Json) -> None:
    """Gives the joint module the subgraphs of the parts on this side. nodes: the joint graph's, by name."""
    targets = {node["name"]: node["target"] for node in encoded_graph["nodes"] if node["op"] == "get_attr"}
    for encoded in encoded_graph["nodes"]:
        original = nodes.get(encoded["name"])
        if original is None or not is_part(original, encoded):
            continue
        whole = cast(fx.GraphModule, getattr(joint, cast(str, cast(fx.Node, original.args[1]).target)))
        target = targets[encoded["args"][1]["node"]]
        setattr(joint, target, _part_of(whole, encoded_graph["subgraphs"][target]))


def _part_of(whole: fx.GraphModule, encoded: Json) -> fx.GraphModule:
    originals = {node.name: node for node in whole.graph.nodes}
    graph = fx.Graph()
    copies: dict[str, fx.Node] = {}
    for node in encoded["nodes"]:
        if node["op"] == "output":
            (returned,) = node["args"]
            items = [None if item is None else copies[item["node"]] for item in returned["tuple"]]
            graph.output(tuple(items))
        else:
            copies[node["name"]] = graph.node_copy(originals[node["name"]], lambda n: copies[n.name])
    return fx.GraphModule(whole, graph)
