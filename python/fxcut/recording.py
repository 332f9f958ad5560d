"""Partition functions that write down the joint graph they are given and then leave the decision to PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import fx
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._inductor.custom_graph_pass import CustomPartitionerFn

from fxcut.names_in_graph import move_names_to_meta
from fxcut.to_json import Json, joint_graph_to_json

Modules = tuple[fx.GraphModule, fx.GraphModule]


class Recording(CustomPartitionerFn):
    """Collects `graphs`, in the order in which they are compiled, the JSON form of each.

    Fits both aot_autograd's `partition_fn` and inductor's `custom_partitioner_fn`.
    """

    def __init__(self, name: str, partition: Callable[..., Modules] = min_cut_rematerialization_partition) -> None:
        """name: what the graphs are called, followed by a number from the second one on."""
        self.graphs: list[Json] = []
        self._name = name
        self._partition = partition

    def __call__(self, gm: fx.GraphModule, joint_inputs: Sequence[object], **kwargs: Any) -> Modules:
        number = len(self.graphs)
        same_storage = move_names_to_meta(gm)
        self.graphs.append(
            joint_graph_to_json(
                gm,
                num_fwd_outputs=kwargs["num_fwd_outputs"],
                static_lifetime_input_indices=kwargs.get("static_lifetime_input_indices"),
                name=f"{self._name}_{number}" if number else self._name,
                same_storage=same_storage,
            )
        )
        return self._partition(gm, joint_inputs, **kwargs)

    def uuid(self) -> None:
        """None: a graph that comes out of a cache would not be recorded."""
        return None
