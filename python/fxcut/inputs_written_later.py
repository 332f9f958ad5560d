"""Saves copies of inputs that AOTAutograd writes to after the forward.

Where a backend does not keep mutations in the graph (`keep_inference_input_mutations` of aot_autograd), and for some inputs in
any case, the forward returns what an input is to become, such as a BatchNorm's running mean, and AOTAutograd copies it there
afterwards. Saved as it is, the input would have its new content in the backward, which autograd refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import fx
from torch.utils._pytree import arg_tree_leaves

from fxcut.added_nodes import set_value
from fxcut.static_inputs import input_of, is_primal
from fxcut.to_json import storage_of
from fxcut.torch_releases import InputMutationAOTOutput, output_node, results_of


def save_copies(
    joint: fx.GraphModule,
    forward: fx.GraphModule,
    backward: fx.GraphModule,
    num_fwd_outputs: int,
    same_storage: Mapping[int, int],
) -> list[str]:
    """Has the forward save copies of such inputs, and of views of them; both modules change in place.

    same_storage: storage to storage, by address, where a value's memory is that of another.

    Returns the names of what is copied.
    """
    storages = {storage_of(node) for node in _written_later(joint)} - {None}

    def is_exposed(saved: Any) -> bool:
        storage = storage_of(saved) if isinstance(saved, fx.Node) else None
        return storage is not None and same_storage.get(storage, storage) in storages

    returned = list(results_of(forward.graph))
    exposed = [saved for saved in returned[num_fwd_outputs:] if is_exposed(saved)]
    for node in exposed:
        copy = _copied_at_end(forward.graph, node)
        returned[returned.index(node, num_fwd_outputs)] = copy
        _received_instead(backward.graph, node.name, copy)
    if exposed:
        output_node(forward.graph).args = (tuple(returned),)
        forward.recompile()
        backward.recompile()
    return [node.name for node in exposed]


def _written_later(joint: fx.GraphModule) -> list[fx.Node]:
    """The inputs for which the joint graph returns a new value; none before PyTorch 2.9, where the outputs do not say so."""
    output = output_node(joint.graph)
    new_values = {
        input_of(one.mutated_input): storage_of(value)
        for value, one in zip(arg_tree_leaves(*output.args), arg_tree_leaves(*output.meta.get("desc", ())))
        if isinstance(one, InputMutationAOTOutput) and isinstance(value, fx.Node)
    }
    inputs = {node: new_values.get(input_of(node.meta.get("desc"))) for node in joint.graph.nodes if is_primal(node)}
    # A view of the input itself has only its sizes or strides changed.
    return [node for node, storage in inputs.items() if storage not in (None, storage_of(node))]


def _copied_at_end(graph: fx.Graph, node: fx.Node) -> fx.Node:
    with graph.inserting_before(output_node(graph)):
        copy = graph.call_function(torch.ops.aten.clone.default, (node,))
    value = node.meta["val"]
    with value.fake_mode:
        set_value(copy, value.clone())
    return copy


def _received_instead(graph: fx.Graph, name: str, copy: fx.Node) -> None:
    """The backward's input of that name becomes the copy."""
    before = next(node for node in graph.find_nodes(op="placeholder") if node.name == name)
    with graph.inserting_before(before):
        node = graph.placeholder(copy.name)
    node.meta = dict(copy.meta)
    before.replace_all_uses_with(node)
    graph.erase_node(before)
