"""The code that inductor generates for a training step, without compiling or running it, and the memory that it takes.

The step is traced on fake tensors, which have sizes and no memory. Inductor does everything up to the text of its Python
wrappers, as in torch._inductor.utils.get_code; the kernels in them are not compiled. `fxcut memory` reads what AOTAutograd and
inductor log for TORCH_TRACE meanwhile, which includes that text.
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import fx
from torch._dynamo.backends.debugging import boxed_nop
from torch._inductor.graph import GraphLowering
from torch._logging._internal import TorchLogsFormatter, trace_log
from torch._subclasses.fake_tensor import unset_fake_temporarily

from fxcut.binary import Json, run
from fxcut.fake_step import FakeStep
from fxcut.joint_graphs import nothing_captured
from fxcut.missing_values import values_not_needed
from fxcut.partitioner import Partitioner, partitioning_by
from fxcut.step_memory import StepMemory, peak_of_graphs
from fxcut.torch_releases import backwards_compiled_at_once, compile_backwards, taking_fake_inputs
from fxcut.workspaces import Workspaces

LOG = "inductor.log"
NOT_COUNTED = ("size unknown", "not understood", "not known: whether")  # notes of `fxcut memory` begin so


def memory_of_code(step: FakeStep, partition: Partitioner, workspaces: Workspaces | int = 0) -> StepMemory:
    """The memory of the code that inductor generates for the step, whose graphs `partition` splits.

    workspaces: of the operators that the code calls, measured; or bytes for each call. Everything that torch.compile has compiled
        so
    far in this process is forgotten, as by torch.compiler.reset.

    Raises what run_compiled and running the program do, and what the compiler raises.
    """
    with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
        with _traced_to(Path(name) / LOG), _text_alone():
            run_compiled(step, partition, _generated)
        steps = json.loads(run(Path(name), ["memory", LOG, "--format", "json"]).stdout)["steps"]
    unknown = _not_counted(steps)
    if isinstance(workspaces, Workspaces):
        unknown += workspaces.measure([call for one in steps for call in one["calls"]])
    peak = peak_of_graphs(steps, workspaces.of if isinstance(workspaces, Workspaces) else lambda _: workspaces)
    return StepMemory(peak.bytes, peak.gradients, steps[0]["device"], unknown, peak.workspace)


def _not_counted(steps: Sequence[Json]) -> list[str]:
    """What the program reports of the code that counts as nothing, such as both branches of a torch.cond; each text once."""
    texts = [note["text"] for step in steps for note in step["notes"] if note["text"].startswith(NOT_COUNTED)]
    return [f"of the code that inductor generates this is not counted: {text}" for text in dict.fromkeys(texts)]


def run_compiled(step: FakeStep, partition: Partitioner, compile_side: Callable[..., Any]) -> None:
    """Compiles the step, and runs its forward on fake tensors.

    compile_side: inductor's `inner_compile`: makes a function of a forward or a backward graph.

    Raises NothingCaptured where nothing has a gradient, and InvalidArgument where the model goes on from a tensor's values.
    """
    from torch._inductor.compile_fx import compile_fx

    def backend(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
        patches = {"force_disable_caches": True}
        return compile_fx(module, inputs, inner_compile=compile_side, config_patches=patches)  # type: ignore

    torch.compiler.reset()
    with (
        values_not_needed("fxcut.fit"),
        step.mode,
        partitioning_by(partition),
        backwards_compiled_at_once(),  # without it, when it first runs, which it does not here
        torch.enable_grad(),
    ):
        results = torch.compile(step.model, backend=taking_fake_inputs(backend))(*step.args, **step.kwargs)
        compile_backwards(results, list(step.model.parameters()))
    torch.compiler.reset()
    if not partition.reports:
        raise nothing_captured("fxcut.fit", results)


def _generated(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
    """Has inductor generate code, which is logged; returns the graph itself, to run on fake tensors."""
    from torch._inductor.compile_fx import compile_fx_inner

    with unset_fake_temporarily():  # constants in it are real, and what fake mode copies is not
        as_it_was = copy.deepcopy(module)
    compile_fx_inner(module, inputs, **options)
    return boxed_nop(as_it_was, inputs)


class _NotLoaded:
    """Stands for the module that the code would be."""

    def call(self, *_: Any) -> Any:
        raise AssertionError("code that was not compiled is called")


def _write_and_do_not_load(lowering: GraphLowering) -> _NotLoaded:
    code, _ = lowering.codegen_with_cpp_wrapper() if lowering.cpp_wrapper else lowering.codegen()
    torch._logging.trace_structured("inductor_output_code", payload_fn=lambda: code.value)
    return _NotLoaded()


def _text_alone() -> contextlib.AbstractContextManager[Any]:
    return mock.patch.object(GraphLowering, "compile_to_module", _write_and_do_not_load)


@contextlib.contextmanager
def _traced_to(path: Path) -> Iterator[None]:
    """What PyTorch logs for TORCH_TRACE goes to that file, and meanwhile nowhere else."""
    with path.open("w") as file:
        handler = logging.StreamHandler(file)
        handler.setFormatter(TorchLogsFormatter(trace=True))
        with mock.patch.object(trace_log, "handlers", [handler]):
            yield
