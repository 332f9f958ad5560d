"""A partition function for PyTorch whose decisions the fxcut program makes."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import os
import tempfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import fx
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition

from fxcut.binary import Answer, Json, find_binary, fingerprint, log, partition
from fxcut.caches import put_reports, watch_entries
from fxcut.collector import paused_collector
from fxcut.compilation import compile_id, graph_name
from fxcut.donated_buffers import keep_shared_from_donation
from fxcut.from_json import modules_from_answer
from fxcut.inputs_written_later import save_copies
from fxcut.kept_files import GRAPH, folder_for, write_json
from fxcut.limits import LimitedGraphs
from fxcut.names_in_graph import move_names_to_meta
from fxcut.options import Options, Policy
from fxcut.overwritten_inputs import clone_for_backward
from fxcut.random_numbers import OtherRandomNumbers, drawn_again, with_same_draws
from fxcut.report import REPORT, Report
from fxcut.run_times import run_times
from fxcut.seeds import draw_under_state, seeds_under_state
from fxcut.settings import pytorch_settings
from fxcut.static_inputs import is_primal, static_primals
from fxcut.to_json import INDUCTOR, joint_graph_to_json
from fxcut.torch_releases import (
    DECISIONS,
    CustomPartitionerFn,
    PartitionFunction,
    inductor_partitions_by,
    mark_static_inputs,
    partition_functions_replaced,
    watch_donations,
)

Modules = tuple[fx.GraphModule, fx.GraphModule]

OF_PYTORCH = (default_partition, min_cut_rematerialization_partition)
UNFUSED = {"memory_of": "operators"}  # what other backends than inductor fuse is not known
FAST = 1  # zlib's level; a graph shrinks to a tenth by it
SAME_DRAWS = "the backward would draw new random numbers: it uses the forward's, of {}"
COPIES = "copies of {} are saved, because AOTAutograd writes to the inputs after the forward"


class Partitioner(CustomPartitionerFn):
    """Partitions joint graphs into forward and backward.

    Fits `torch._inductor.config.custom_partitioner_fn`, which there is since 2.9, or partitioning_by; and `partition_fn` of
    `torch._dynamo.backends.common.aot_autograd` and of `aot_function`. Without options it decides what PyTorch does
    under the settings of torch._functorch.config, which it reads at each graph; but where such a
    partition would compute other values, from an input that the forward has overwritten or with new random numbers, it
    is repaired by saving more (the setting `sound`; {"sound": "never"} leaves PyTorch's decisions).

    reports: a Report for each graph, in the order in which they were compiled or found in PyTorch's caches.
    """

    def __init__(
        self,
        *,
        policy: Policy | None = None,
        budget: float | None = None,
        budget_solver: str | None = None,
        saved_bytes: int | str | None = None,
        peak_bytes: int | str | None = None,
        recompute_again: bool = False,
        time_limit: float | None = None,
        gap: float | str | None = None,
        save_names: Sequence[str] | str = (),
        offload_names: Sequence[str] | str = (),
        recompute_names: Sequence[str] | str = (),
        compress_names: Sequence[str] | str = (),
        recompute_gathered: bool = False,
        jax_policy: str | None = None,
        ignore_tags: bool = False,
        offload_dialect: str | None = None,
        device_profile: str | os.PathLike[str] | None = None,
        compress_errors: Policy | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """All options are those of `fxcut partition`, which 'fxcut help partition' and the topics of 'fxcut help' describe.

        policy: a file, or its content, of schemas/policy.schema.json; it is read here, once.
        budget: activation_memory_budget, from 0 to 1. budget_solver: one of PyTorch's, or "frontier".
        saved_bytes, peak_bytes: limits of memory in bytes, or with a unit as in "12GiB", or "least". The peak is the one that is
            predicted for the code if inductor compiles, otherwise that of the operators; the setting memory_of chooses. A limit
            applies to each graph separately: if graph breaks give a model several, each may use all of it, and a warning says so.
        recompute_again: within peak_bytes, also recompute a value more than once, if that pays.
        time_limit: seconds after which the search of the solver frontier ends, with an answer that depends on the machine;
            without it equal graphs get equal answers. gap: how far above the optimum its answer may be, such as "0.1%".
        save_names, offload_names, recompute_names: names given by checkpoint_name.
        compress_names: of values that cross in fewer bits, if they are saved; the last may be followed by a colon and a dtype.
        recompute_gathered: gather sharded parameters again in the backward, as FSDP does, and never save them whole.
        jax_policy: such as "dots_saveable" or "save_only_these_names:q,k".
        ignore_tags: drop the recompute tags of activation checkpointing.
        offload_dialect: "aten", "ao" or "xla". device_profile: a file of schemas/device_profile.schema.json.
        compress_errors: what measure_compression returns of this one graph, or a file of it; for settings with compress_error.
        settings: any other, by name (`fxcut help settings`); they come before torch._functorch.config.

        Raises UnsupportedTorch, BinaryNotFound, and InvalidArgument for options that make no sense or contradict each
        other. Calling it raises BinaryNotFound, NoPartition, BinaryFailed with what the program printed,
        InvalidArgument for what torch._functorch.config says, AnswerNotUnderstood, UnknownTarget, OtherRandomNumbers
        and InternalError; all are FxcutErrors, and name the file in which the graph is kept.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        DECISIONS.check()
        self._start(Options(given))

    def _start(self, options: Options) -> None:
        self._options = options
        self._limited = LimitedGraphs(options.given)
        self.reports: list[Report] = []
        watch_entries()
        watch_donations()

    def __getstate__(self) -> Json:
        """PyTorch's caches pickle it into their keys: its options count there, but not what it has decided."""
        return {"options": self._options}

    def __setstate__(self, state: Json) -> None:
        self._start(state["options"])

    @property
    def report(self) -> Report | None:
        """The last of `reports`; None before the first."""
        return self.reports[-1] if self.reports else None

    def __repr__(self) -> str:
        return f"fxcut.Partitioner({', '.join(f'{name}={value!r}' for name, value in self._options.given.items())})"

    @paused_collector()
    def __call__(  # type: ignore[override]  # PyTorch passes these two always
        self,
        gm: fx.GraphModule,
        joint_inputs: Sequence[object],
        *,
        num_fwd_outputs: int,
        static_lifetime_input_indices: Sequence[int] | None = None,
        compiler: str | None = None,
        **_: Any,
    ) -> Modules:
        """The forward and the backward module of a joint graph, whose checkpoint names move to the meta of the named values.

        num_fwd_outputs: how many leaves of the output are the forward's. static_lifetime_input_indices: which inputs
        are always resident. compiler: "inductor", which says so itself: of its graphs the memory of the code is predicted,
            of others that of operators that no compiler fuses. Other arguments are ignored.
        """
        with folder_for(gm) as folder:
            same_storage = move_names_to_meta(gm)
            _mark_static_inputs(gm, static_lifetime_input_indices)
            settings = pytorch_settings() if compiler == INDUCTOR else {**pytorch_settings(), **UNFUSED}
            is_sound = self._options.over(settings)["sound"] != "never"
            if is_sound:
                clone_for_backward(gm, same_storage)
            graph = joint_graph_to_json(
                gm,
                num_fwd_outputs=num_fwd_outputs,
                static_lifetime_input_indices=static_lifetime_input_indices,
                name=self._free_name(),
                same_storage=same_storage,
                run_times=run_times(gm, self._options.over(settings)),
                compiler=compiler if compiler == INDUCTOR else None,
            )
            write_json(folder / GRAPH, graph)
            stated_seeds = seeds_under_state(gm, lambda: _answer_of_pytorch(folder, settings))
            answer = self._ask(folder, gm, graph, settings, stated_seeds)
            modules = modules_from_answer(gm, graph, answer, num_fwd_outputs)
            draw_under_state(modules[0], stated_seeds)
            answer = _with_copies_told(answer, save_copies(gm, *modules, num_fwd_outputs, same_storage))
            if is_sound:
                keep_shared_from_donation(*modules, num_fwd_outputs, same_storage)
            compressed = zlib.compress((folder / GRAPH).read_bytes(), FAST)
        report = Report(answer.report, name=graph["name"], compile_id=compile_id(), table=answer.table, graph=compressed)
        self._tell(report, answer.warnings)
        put_reports(gm, self._reports_of_this_graph())
        return modules

    def report_on(self, graph: bytes) -> Json:
        """The content of the report on a joint graph that was captured (the text of its file), without its modules.

        Raises NoPartition and BinaryFailed with what the program printed.
        """
        with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
            (Path(name) / GRAPH).write_bytes(graph)
            return partition(Path(name), GRAPH, self._options.write(Path(name), pytorch_settings())).report

    def _ask(
        self, folder: Path, gm: fx.GraphModule, graph: Json, settings: Json, stated_seeds: Collection[str]
    ) -> Answer:
        """The program's answer, changed where random numbers would differ between the two sides."""
        answer = partition(folder, GRAPH, self._options.write(folder, settings))
        again = drawn_again(gm, answer, stated_seeds)
        if not again:
            return answer
        write_json(folder / REPORT, with_same_draws(graph, answer, again))
        changed = partition(folder, GRAPH, ["--decision", REPORT], "answer_with_same_draws")
        still = drawn_again(gm, changed, stated_seeds)
        if still:
            raise OtherRandomNumbers(f"fxcut: these would draw new random numbers in the backward: {_names(still)}")
        report = {**changed.report, "warnings": [*answer.report["warnings"], SAME_DRAWS.format(_names(again))]}
        return changed._replace(report=report, warnings=answer.warnings)

    def _free_name(self) -> str:
        name, taken = graph_name(), {report.name for report in self.reports}
        numbered = (f"{name}_{number}" for number in itertools.count(1))
        return next(free for free in itertools.chain([name], numbered) if free not in taken)

    def _reports_of_this_graph(self) -> list[Report]:
        """With those of the regions in it that were compiled apart, which have no entry in the caches of their own."""
        return [report for report in self.reports if report.name.startswith(graph_name()) and not report.from_cache]

    def _tell(self, report: Report, warnings: Sequence[str]) -> None:
        self.reports.append(report)
        log.info("%s", report.summary())
        for warning in warnings:
            log.warning("%s: %s", report.name, warning)
        torch._logging.trace_structured(
            "artifact",
            metadata_fn=lambda: {"name": "fxcut_report", "encoding": "json"},
            payload_fn=lambda: json.dumps({"name": report.name, "from_cache": report.from_cache, "report": report}),
        )
        self._limited.add(report)

    def found_in_cache(self, reports: Sequence[Json]) -> None:
        """For PyTorch's caches (fxcut.caches): what the entry that is used holds of reports."""
        for cached in reports:
            report = Report.from_cached(cached, compile_id())
            self._tell(report, report.warnings)

    def uuid(self) -> str:
        """The key of this partitioner in PyTorch's caches: the program, this package and all options. torch._functorch.config is
        part of their key already."""
        content = [fingerprint(find_binary()), _package_fingerprint(), self._options.key()]
        return hashlib.sha256("\n".join(content).encode()).hexdigest()


@contextlib.contextmanager
def partitioning_by(partitioner: Partitioner) -> Iterator[Partitioner]:
    """Within it, the partitioner decides on everything that is compiled; yields the partitioner.

    It is torch._inductor.config.custom_partitioner_fn meanwhile, and the partition function of backends such as aot_eager that
    leave the decision to one of PyTorch's. PyTorch 2.8 has no such setting: there it takes the place of inductor's own partition
    function, and AOTAutograd's cache, whose keys would not tell, is off.
    """
    DECISIONS.check()

    def decided(partition: PartitionFunction) -> PartitionFunction:
        return partitioner if partition in OF_PYTORCH else partition

    with inductor_partitions_by(partitioner), partition_functions_replaced(decided):
        yield partitioner


def _answer_of_pytorch(folder: Path, settings: Json) -> Answer:
    """What PyTorch would decide by itself under these settings."""
    plain = write_json(folder / "plain_config.json", {**settings, "sound": "never"})
    return partition(folder, GRAPH, ["--config", plain], "answer_of_pytorch")


def _with_copies_told(answer: Answer, copied: Sequence[str]) -> Answer:
    if not copied:
        return answer
    warning = COPIES.format(", ".join(copied))
    report = {**answer.report, "warnings": [*answer.report["warnings"], warning]}
    return answer._replace(report=report, warnings=[*answer.warnings, warning])


def _names(nodes: Sequence[fx.Node]) -> str:
    return ", ".join(node.name for node in nodes)


def _mark_static_inputs(joint: fx.GraphModule, static_lifetime_input_indices: Sequence[int] | None) -> None:
    if static_lifetime_input_indices is not None:
        static = set(static_primals(joint, static_lifetime_input_indices))
        mark_static_inputs(list(filter(is_primal, joint.graph.nodes)), static)


@functools.cache
def _package_fingerprint() -> str:
    content = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        content.update(path.read_bytes())
    return content.hexdigest()
