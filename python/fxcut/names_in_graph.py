"""Takes the naming operators out of a joint graph: the name moves to `checkpoint_name` in the meta of what it names.

Without this a name would cost a copy, keep operators from fusing, and change what is saved. Two cases keep a copy.
A value that has a name already keeps the operator for its second one, since meta holds only one. And what the graph
returns under a name becomes a clone, so that the caller gets the two tensors that it asked for.
"""

from __future__ import annotations

import torch
from torch import fx

from fxcut.naming_operator import NAMING_OPERATOR
from fxcut.to_json import storage_address
from fxcut.torch_releases import output_node


def move_names_to_meta(joint: fx.GraphModule) -> dict[int, int]:
    """Changes the graph in place.

    Returns storage to storage, by address: values that were traced as living in the named copy live in what was
    named.
    """
    same_storage: dict[int, int] = {}
    for named in joint.graph.find_nodes(op="call_function", target=NAMING_OPERATOR):
        value, name = named.args
        if value.meta.get("checkpoint_name", name) != name:
            continue
        value.meta["checkpoint_name"] = name
        _note_same_storage(same_storage, named, value)
        _clone_for_output(joint.graph, named)
        named.replace_all_uses_with(value)
        joint.graph.erase_node(named)
    return same_storage


def _note_same_storage(same_storage: dict[int, int], named: fx.Node, value: fx.Node) -> None:
    copy, original = named.meta.get("val"), value.meta.get("val")
    if isinstance(copy, torch.Tensor) and isinstance(original, torch.Tensor):
        original_storage = storage_address(original)
        copy_storage = storage_address(copy)
        if original_storage is not None and copy_storage is not None:
            same_storage[copy_storage] = same_storage.get(original_storage, original_storage)


def _clone_for_output(graph: fx.Graph, named: fx.Node) -> None:
    output = output_node(graph)
    if output not in named.users:
        return
    with graph.inserting_after(named):
        clone = graph.call_function(torch.ops.aten.clone.default, (named,))
    clone.meta = {key: item for key, item in named.meta.items() if key != "checkpoint_name"}
    output.replace_input_with(named, clone)
