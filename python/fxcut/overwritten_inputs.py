"""Keeps what an input was for the backward, where the forward overwrites it.

Where mutations stay in the graph, as inductor has them, the forward ends with a copy_ into each input that it changes. A backward
that reads the input would then read its new content. Users clone what they overwrite, but inductor's passes over the joint graph
take the clone for a no-op and remove it, before anyone partitions. So the backward gets a clone of its own, which can only be
saved: no pass removes what a graph returns.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import fx

from fxcut.added_nodes import set_value
from fxcut.static_inputs import is_primal, is_tangent
from fxcut.to_json import storage_of

COPY = torch.ops.aten.copy_.default


def clone_for_backward(joint: fx.GraphModule, same_storage: Mapping[int, int]) -> None:
    """Has nodes that depend on gradients take clones of such inputs, and of views of them; the module changes in place.

    same_storage: storage to storage, by address, where a value's memory is that of another.
    """

    def memory_of(node: fx.Node) -> int | None:
        storage = storage_of(node)
        return None if storage is None else same_storage.get(storage, storage)

    copies = joint.graph.find_nodes(op="call_function", target=COPY)
    written = {memory_of(copy.args[0]) for copy in copies if is_primal(copy.args[0])}
    if not written:
        return
    clones: dict[fx.Node, fx.Node] = {}
    of_backward: set[fx.Node] = set()
    for node in list(joint.graph.nodes):
        depends = is_tangent(node) or not of_backward.isdisjoint(node.all_input_nodes)
        if not depends or node.op == "output":
            continue
        of_backward.add(node)
        if node.target is COPY:
            continue
        for read in node.all_input_nodes:
            if read in of_backward or memory_of(read) not in written:
                continue
            if read not in clones:
                clones[read] = _clone_of(read, joint.graph)
            node.replace_input_with(read, clones[read])
    joint.recompile()


def _clone_of(node: fx.Node, graph: fx.Graph) -> fx.Node:
    first_call = next(other for other in graph.nodes if other.op != "placeholder")
    with graph.inserting_before(first_call) if node.op == "placeholder" else graph.inserting_after(node):
        clone = graph.call_function(torch.ops.aten.clone.default, (node,))
    value = node.meta["val"]
    with value.fake_mode:
        set_value(clone, value.clone())
    return clone
