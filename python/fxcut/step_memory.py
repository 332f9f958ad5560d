"""The peak of a training step's compiled code, from what `fxcut memory` reports on its graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from fxcut.allocations import taken
from fxcut.binary import Json


class StepMemory(NamedTuple):
    """Memory of a step's forward and backward, without parameters, buffers and inputs.

    peak_bytes: the highest. Of that, gradients_at_peak: what the backward returns; workspace_at_peak: what an operator takes and
    frees within its call. device: whose memory. unknown: a line for each amount that is unknown, and counts as nothing.
    """

    peak_bytes: int
    gradients_at_peak: int
    device: str
    unknown: list[str]
    workspace_at_peak: int = 0


class Moment(NamedTuple):
    """Bytes in use, and how many of them are gradients and a workspace."""

    bytes: int
    gradients: int = 0
    workspace: int = 0

    def above(self, held: int, gradients: int) -> Moment:
        return Moment(self.bytes + held, self.gradients + gradients, self.workspace)


def peak_of_graphs(steps: Sequence[Json], workspace: Callable[[Json], int]) -> Moment:
    """The peak of graphs that run one after the other, and then, for the backward, in reverse.

    steps: of schemas/memory.schema.json. workspace: bytes that a call among them takes and frees. What one backward hands to the
    next counts on both sides.
    """
    held = gradients = 0
    moments = []
    for step in steps:
        moments.append(_highest(_forward(step, workspace)).above(held, 0))
        held += step["between_bytes"]
    for step in (step for step in reversed(steps) if step["has_backward"]):
        held -= step["between_bytes"]
        moments.append(_highest(_backward(step, workspace)).above(held + _seed(step), gradients))
        held += step["curve"][-1]["bytes_after"]
        gradients += _gradients(step, step["blocks"])
    return _highest(moments)


def _highest(moments: Iterable[Moment]) -> Moment:
    return max(moments, key=lambda moment: moment.bytes)


def _forward(step: Json, workspace: Callable[[Json], int]) -> Iterator[Moment]:
    yield Moment(step["forward_peak_bytes"])
    for call in step["calls"]:
        if call["side"] != "backward":
            yield Moment(call["bytes"] + (taken := workspace(call)), 0, taken)


def _backward(step: Json, workspace: Callable[[Json], int]) -> Iterator[Moment]:
    yield Moment(step["backward_peak_bytes"], _gradients(step, [step["blocks"][number] for number in step["at_peak"]]))
    for call in step["calls"]:
        if call["side"] == "backward":
            made = [block for block in step["blocks"] if (block["made_at"] or call)["line"] <= call["line"]]
            yield Moment(call["bytes"] + (taken := workspace(call)), _gradients(step, made), taken)


def _taken(step: Json, block: Json) -> int:
    """As `fxcut memory` counts the block in the curve; its own bytes are those of its storage."""
    return taken(block["bytes"] or 0, step["device"])


def _seed(step: Json) -> int:
    """Bytes of the gradient of a loss, which its caller, Tensor.backward, holds to the end."""
    return sum(_taken(step, block) for block in step["blocks"] if block["kind"] == "tangent" and block["shape"] == [])


def _gradients(step: Json, among: Sequence[Json]) -> int:
    """Bytes that the backward allocates and nothing frees."""
    return sum(
        _taken(step, block)
        for block in among
        if block["counted"] and block["freed_at"] is None and (block["made_at"] or {}).get("side") == "backward"
    )
