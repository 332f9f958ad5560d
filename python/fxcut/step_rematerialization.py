"""A pass over whole steps (forward, loss and backward in one graph) whose decisions the fxcut program makes.

It does for a step what the Partitioner does for a joint graph, but the result is one graph, like the input: values that are not
kept are recomputed just before the backward uses them.
"""

from __future__ import annotations

import contextlib
import inspect
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from torch import fx

from fxcut.binary import log, rematerialize
from fxcut.collector import paused_collector
from fxcut.compilation import compile_id, graph_name
from fxcut.kept_files import GRAPH, folder_for, write_json
from fxcut.names_in_graph import move_names_to_meta
from fxcut.options import Options
from fxcut.partitioner import FAST, Partitioner
from fxcut.report import Report
from fxcut.settings import pytorch_settings
from fxcut.step_from_json import step_from_answer
from fxcut.step_to_json import step_to_json
from fxcut.torch_releases import WHOLE_STEPS
from fxcut.traced_steps import passing_steps_to


@paused_collector()
def rematerialize_step(
    step: fx.GraphModule, *, static_lifetime_inputs: Sequence[str] = (), **options: Any
) -> fx.GraphModule:
    """A step that computes the same and keeps less in memory between its forward and its backward.

    step: forward, loss and backward in one graph, on fake tensors; its nodes of the backward are marked by
        `autograd_backward` or by `custom: {"phase": "backward"}` in their meta, as torch.compile, trace_step and
        torch.fx.traceback.annotate mark them. Checkpoint names move to the meta of the named values.
    static_lifetime_inputs: the names of the placeholders that live before and after it: parameters and buffers.
    options: those of fxcut.Partitioner, with the same meaning. Without any, what activation checkpointing tagged runs
        again, as PyTorch has it.

    Returns a new module with the same placeholders and outputs; `meta["fxcut_report"]` of it is the Report.

    Raises UnsupportedTorch before 2.15, and what the Partitioner raises.
    """
    WHOLE_STEPS.check()
    inspect.signature(Partitioner).bind(**options)
    with folder_for(step) as folder:
        same_storage = move_names_to_meta(step)
        sent = step_to_json(
            step, static_lifetime_inputs=static_lifetime_inputs, name=graph_name(), same_storage=same_storage
        )
        write_json(folder / GRAPH, sent)
        arguments = Options(options).write(folder, pytorch_settings())
        answer = rematerialize(folder, GRAPH, arguments)
        made = step_from_answer(step, sent, answer.step)
        compressed = zlib.compress((folder / GRAPH).read_bytes(), FAST)
    report = Report(answer.report, name=sent["name"], compile_id=compile_id(), table=answer.table, graph=compressed)
    for warning in answer.warnings:
        log.warning("%s: %s", report.name, warning)
    made.meta["fxcut_report"] = report
    return made


@contextlib.contextmanager
def rematerializing_steps(**options: Any) -> Iterator[list[Report]]:
    """Within it, whatever step torch.compile compiles goes through rematerialize_step instead of PyTorch's own pass.

    options: those of rematerialize_step. Dynamo traces torch.autograd.grad meanwhile, and PyTorch's caches are off.

    Gives a list, to which each step adds its Report.

    Raises UnsupportedTorch before 2.15. What rematerialize_step raises, the call of the compiled function raises.
    """
    reports: list[Report] = []

    def apply(step: fx.GraphModule, static_lifetime_inputs: Sequence[str]) -> fx.GraphModule:
        made = rematerialize_step(step, static_lifetime_inputs=static_lifetime_inputs, **options)
        reports.append(made.meta["fxcut_report"])
        return made

    with passing_steps_to(apply):
        yield reports
