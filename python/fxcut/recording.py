"""Partition functions that write down the joint graph they are given and then leave the decision to PyTorch's own."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from torch import fx
from torch._functorch.partitioners import min_cut_rematerialization_partition

from fxcut.kept_files import folder_for
from fxcut.names_in_graph import move_names_to_meta
from fxcut.to_json import Json, joint_graph_to_json
from fxcut.torch_releases import CustomPartitionerFn

Modules = tuple[fx.GraphModule, fx.GraphModule]


class Recording(CustomPartitionerFn):
    """Collects `graphs`, in the order in which they are compiled, the JSON form of each.

    Fits both aot_autograd's `partition_fn` and `inductor_partitions_by`.
    """

    def __init__(
        self,
        name: str,
        partition: Callable[..., Modules] = min_cut_rematerialization_partition,
        run_times: Callable[[fx.GraphModule], dict[fx.Node, float]] | None = None,
        compiler: str | None = None,
    ) -> None:
        """name: what the graphs are called, followed by a number from the second one on. run_times: milliseconds of a
        graph's nodes, which are written down with it. compiler: the backend that calls this partition function."""
        self.graphs: list[Json] = []
        self.name = name
        self._partition = partition
        self._run_times = run_times
        self._compiler = compiler

    def __call__(self, gm: fx.GraphModule, joint_inputs: Sequence[object], **kwargs: Any) -> Modules:
        return self.before(self._partition, self._compiler)(gm, joint_inputs, **kwargs)

    def before(self, partition: Callable[..., Modules], compiler: str | None = None) -> Callable[..., Modules]:
        """A partition function that records a graph and then has `partition` decide. compiler: the backend that calls it."""

        def record_and_partition(gm: fx.GraphModule, joint_inputs: Sequence[object], **kwargs: Any) -> Modules:
            self._record(gm, kwargs["num_fwd_outputs"], kwargs.get("static_lifetime_input_indices"), compiler)
            return partition(gm, joint_inputs, **kwargs)

        return record_and_partition

    def _record(self, gm: fx.GraphModule, num_fwd_outputs: int, static: Sequence[int] | None, compiler: str | None) -> None:
        number = len(self.graphs)
        with folder_for(gm):
            same_storage = move_names_to_meta(gm)
            self.graphs.append(
                joint_graph_to_json(
                    gm,
                    num_fwd_outputs=num_fwd_outputs,
                    static_lifetime_input_indices=static,
                    name=f"{self.name}_{number}" if number else self.name,
                    same_storage=same_storage,
                    run_times=self._run_times(gm) if self._run_times else None,
                    compiler=compiler,
                )
            )

    def uuid(self) -> str:
        """Another one each time: a graph that comes out of a cache would not be recorded. None would not do, since
        inductor's key of a graph is then that without a partition function."""
        return uuid.uuid4().hex
