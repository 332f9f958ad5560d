"""The memory of a training step whose operators run one by one, as fxcut's reports simulate it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import fx
from torch._dynamo.backends.debugging import boxed_nop

from fxcut.allocations import taken
from fxcut.fake_step import FakeStep
from fxcut.generated_code import run_compiled
from fxcut.partitioner import Partitioner
from fxcut.step_memory import StepMemory


def memory_of_operators(step: FakeStep, partition: Partitioner) -> StepMemory:
    """Like memory_of_code, operator by operator. Each of several graphs counts what the ones before hold, and all gradients."""
    run_compiled(step, partition, _as_it_is)
    device = next(iter(step.model.parameters())).device.type
    gradients = sum(
        taken(one.numel() * one.element_size(), device) for one in step.model.parameters() if one.requires_grad
    )
    held, peak = 0 if len(partition.reports) == 1 else gradients, 0
    for report in partition.reports:
        memory = report["memory"]
        peak = max(peak, held + memory["peak_bytes"])
        held += memory["between_bytes"]
    return StepMemory(peak, 0, device, [])


def _as_it_is(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
    return boxed_nop(module, inputs)
