"""A partition function for PyTorch whose decisions the fxcut program makes."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import fx
from torch._inductor.custom_graph_pass import CustomPartitionerFn

from fxcut.binary import Answer, Json, find_binary, fingerprint, partition
from fxcut.from_json import modules_from_answer
from fxcut.names_in_graph import move_names_to_meta
from fxcut.random_numbers import OtherRandomNumbers, drawn_twice
from fxcut.recompute_tags import drop_tags, tag_recomputed
from fxcut.settings import Policy, names_option, pytorch_settings, read_policy, value_option
from fxcut.to_json import is_primal, joint_graph_to_json
from fxcut.torch_version import check_torch_version, torch_release

Modules = tuple[fx.GraphModule, fx.GraphModule]


class Partitioner(CustomPartitionerFn):
    """Partitions joint graphs into forward and backward.

    Fits `torch._inductor.config.custom_partitioner_fn`, and `partition_fn` of
    `torch._dynamo.backends.common.aot_autograd` and of `aot_function`. Without options it decides what PyTorch does
    under the settings of torch._functorch.config, which it reads at each graph; but for random operators that a memory
    budget recomputes: PyTorch draws other numbers in the backward then, and here they are the forward's.

    report: of the graph that was partitioned last, the report that schemas/report.schema.json describes; None before
        the first and where PyTorch's caches had the graph.
    """

    def __init__(
        self,
        *,
        policy: Policy | None = None,
        budget: float | None = None,
        budget_solver: str | None = None,
        saved_bytes: int | str | None = None,
        peak_bytes: int | str | None = None,
        time_limit: float | None = None,
        save_names: Sequence[str] | str = (),
        offload_names: Sequence[str] | str = (),
        recompute_names: Sequence[str] | str = (),
        jax_policy: str | None = None,
        ignore_tags: bool = False,
        offload_dialect: str | None = None,
        device_profile: str | os.PathLike[str] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """All options are those of `fxcut partition`, whose help and README say what they mean.

        policy: a file, or its content, of schemas/policy.schema.json; it is read here, once.
        budget: activation_memory_budget, from 0 to 1. budget_solver: one of PyTorch's, or "frontier".
        saved_bytes, peak_bytes: limits of memory in bytes, or with a unit as in "12GiB", or "least".
        time_limit: seconds that frontier looks for something better.
        save_names, offload_names, recompute_names: names given by checkpoint_name.
        jax_policy: such as "dots_saveable" or "save_only_these_names:q,k".
        ignore_tags: drop the recompute tags of activation checkpointing.
        offload_dialect: "aten", "ao" or "xla". device_profile: a file of schemas/device_profile.schema.json.
        settings: any other, by name (`fxcut help settings`); they come before torch._functorch.config.

        Raises UnsupportedTorch, ValueError for a budget that is not from 0 to 1, and what reading the policy raises.
        Calling it raises BinaryNotFound, NoPartition, BinaryFailed with what the program printed,
        AnswerNotUnderstood, UnknownTarget and OtherRandomNumbers.
        """
        check_torch_version()
        if budget is not None and not 0 <= budget <= 1:
            raise ValueError(f"fxcut.Partitioner: budget is a number from 0 to 1, and not {budget}")
        self.report: Json | None = None
        self._policy = read_policy(policy)
        self._ignore_tags = ignore_tags
        self._device_profile = None if device_profile is None else Path(device_profile).read_text()
        self._settings = {
            **(settings or {}),
            **({} if budget is None else {"activation_memory_budget": budget}),
        }
        self._options = [
            *value_option("--budget-solver", budget_solver),
            *value_option("--saved-bytes", saved_bytes),
            *value_option("--peak-bytes", peak_bytes),
            *value_option("--time-limit", time_limit),
            *value_option("--jax-policy", jax_policy),
            *value_option("--offload-dialect", offload_dialect),
            *value_option("--device-profile", device_profile and os.fspath(device_profile)),
            *names_option("--save-names", save_names),
            *names_option("--offload-names", offload_names),
            *names_option("--recompute-names", recompute_names),
        ]

    def __call__(  # type: ignore[override]  # PyTorch passes these two always
        self,
        gm: fx.GraphModule,
        joint_inputs: Sequence[object],
        *,
        num_fwd_outputs: int,
        static_lifetime_input_indices: Sequence[int] | None = None,
        **_: Any,
    ) -> Modules:
        """The forward and the backward module of a joint graph, in which names are moved to where they belong.

        num_fwd_outputs: how many leaves of the output are the forward's. static_lifetime_input_indices: which primals
        live anyway. Other arguments, such as inductor's `compiler`, are not looked at.
        """
        same_storage = move_names_to_meta(gm)
        _mark_static_inputs(gm, static_lifetime_input_indices)
        graph = joint_graph_to_json(
            gm,
            num_fwd_outputs=num_fwd_outputs,
            static_lifetime_input_indices=static_lifetime_input_indices,
            same_storage=same_storage,
        )
        if self._ignore_tags:
            drop_tags(graph)
        answer = self._ask(gm, graph)
        self.report = answer.report
        return modules_from_answer(gm, answer, num_fwd_outputs)

    def _ask(self, gm: fx.GraphModule, graph: Json) -> Answer:
        """The program's answer, asked for again where random numbers would differ between the two sides."""
        binary, config = find_binary(), {**pytorch_settings(), **self._settings}
        tagged: set[str] = set()
        while True:
            answer = partition(graph, self._options, config, self._policy, binary)
            twice = drawn_twice(gm, answer)
            if not twice:
                return answer
            if twice <= tagged:
                raise OtherRandomNumbers(f"fxcut: these draw again in the backward: {', '.join(sorted(twice))}")
            tag_recomputed(graph, twice)
            tagged |= twice

    def uuid(self) -> str:
        """What PyTorch's caches know this by: the program, this package and all options. torch._functorch.config is
        part of their key already."""
        told = [self._ignore_tags, self._options, self._settings, self._policy, self._device_profile]
        content = [fingerprint(find_binary()), _package_fingerprint(), json.dumps(told, sort_keys=True)]
        return hashlib.sha256("\n".join(content).encode()).hexdigest()


def _mark_static_inputs(joint: fx.GraphModule, static_lifetime_input_indices: Sequence[int] | None) -> None:
    """Since 2.15 inductor reads this off the backward's inputs, whose order says nothing of it."""
    if static_lifetime_input_indices is None or torch_release() < (2, 15):
        return
    static = set(static_lifetime_input_indices)
    for index, node in enumerate(filter(is_primal, joint.graph.nodes)):
        node.meta["is_static_input"] = index in static


@functools.cache
def _package_fingerprint() -> str:
    content = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        content.update(path.read_bytes())
    return content.hexdigest()
