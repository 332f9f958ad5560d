"""The code that inductor generates for a training step, without compiling or running it, and the memory that it takes.

The step is traced on fake tensors, which have sizes and no memory. Inductor does all that it does up to the text of its
Python wrappers, as in torch._inductor.utils.get_code; the kernels in them go to no compiler. What AOTAutograd and inductor
log for TORCH_TRACE meanwhile, that text among it, is what `fxcut memory` reads.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import json
import logging
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import torch
from torch import fx
from torch._dynamo.backends.debugging import boxed_nop
from torch._functorch import config as functorch_config
from torch._inductor.graph import GraphLowering
from torch._logging._internal import TorchLogsFormatter, trace_log
from torch._subclasses.fake_tensor import unset_fake_temporarily

from fxcut.binary import Json, run
from fxcut.fake_step import FakeStep
from fxcut.joint_graphs import NothingCaptured
from fxcut.partitioner import Partitioner

LOG = "inductor.log"


class StepMemory(NamedTuple):
    """Memory of a step's forward and backward, parameters, buffers and inputs apart.

    peak_bytes: the highest. gradients_at_peak: how much of that is what the backward returns. device: whose memory.
    unknown: a line for each block of unknown size, which counts as nothing.
    """

    peak_bytes: int
    gradients_at_peak: int
    device: str
    unknown: list[str]


def memory_of_code(step: FakeStep, partition: Partitioner) -> StepMemory:
    """What the code takes that inductor generates for the step, as `partition` splits its graphs.

    All that torch.compile has compiled so far in this process is forgotten, as by torch.compiler.reset.

    Raises NothingCaptured where nothing has a gradient, what running the program does, and what the compiler raises.
    """
    with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
        with _traced_to(Path(name) / LOG), _text_alone():
            run_compiled(step, partition, _generated)
        steps = json.loads(run(Path(name), ["memory", LOG, "--format", "json"]).stdout)["steps"]
    unknown = [note["text"] for one in steps for note in one["notes"] if note["text"].startswith("size unknown")]
    return StepMemory(*peak_of_graphs(steps), steps[0]["device"], unknown)


def run_compiled(step: FakeStep, partition: Partitioner, compile_side: Callable[..., Any]) -> None:
    """Compiles the step, and runs its forward on fake tensors.

    compile_side: inductor's `inner_compile`: makes a function of a forward or a backward graph.

    Raises NothingCaptured where nothing has a gradient.
    """
    from torch._inductor.compile_fx import compile_fx

    def backend(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
        patches = {"custom_partitioner_fn": partition, "force_disable_caches": True}
        return compile_fx(module, inputs, inner_compile=compile_side, config_patches=patches)  # type: ignore

    torch.compiler.reset()
    # Without it the backward is compiled where it first runs, which it does not here.
    with step.mode, functorch_config.patch(force_non_lazy_backward_lowering=True), torch.enable_grad():
        torch.compile(step.model, backend=backend)(*step.args, **step.kwargs)
    torch.compiler.reset()
    if not partition.reports:
        raise NothingCaptured("fxcut: no result of the model has a gradient, so that there is no training step")


def peak_of_graphs(steps: Sequence[Json]) -> tuple[int, int]:
    """The peak of graphs that run one after the other, and then, for the backward, in reverse; and the gradients in it.

    steps: of schemas/memory.schema.json. What one backward hands to the next counts on both sides.
    """
    held = gradients = 0
    moments = []
    for step in steps:
        moments.append((held + step["forward_peak_bytes"], 0))
        held += step["between_bytes"]
    for step in (step for step in reversed(steps) if step["has_backward"]):
        held -= step["between_bytes"]
        moments.append((held + step["backward_peak_bytes"] + _seed(step), gradients + _gradients(step, step["at_peak"])))
        held += step["curve"][-1]["bytes_after"]
        gradients += _gradients(step, range(len(step["blocks"])))
    return max(moments)


def _seed(step: Json) -> int:
    """Bytes of the gradient of a loss, which its caller, Tensor.backward, holds to the end."""
    return sum(block["bytes"] or 0 for block in step["blocks"] if block["kind"] == "tangent" and block["shape"] == [])


def _gradients(step: Json, among: Sequence[int]) -> int:
    """Bytes of what the backward makes and nothing frees."""
    blocks = (step["blocks"][number] for number in among)
    return sum(
        block["bytes"] or 0
        for block in blocks
        if block["counted"] and block["freed_at"] is None and (block["made_at"] or {}).get("side") == "backward"
    )


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
    """What PyTorch logs for TORCH_TRACE goes to that file, and for the while nowhere else."""
    with path.open("w") as file:
        handler = logging.StreamHandler(file)
        handler.setFormatter(TorchLogsFormatter(trace=True))
        with mock.patch.object(trace_log, "handlers", [handler]):
            yield
