"""Finds the decision with which a training step fits into an amount of memory, as compiled.

Every round (rounds.py) decides and lets inductor generate the code, without compiling or running it (generated_code.py).
Everything else in memory (resident.py) is added to the peak of that code.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import nn

from fxcut.binary import log
from fxcut.cards import card_of
from fxcut.errors import FxcutError, InvalidArgument
from fxcut.fake_step import FakeStep
from fxcut.generated_code import memory_of_code
from fxcut.memory_of_operators import memory_of_operators
from fxcut.on_card import CARD, on_card
from fxcut.partitioner import Partitioner
from fxcut.prediction import Limit, limited, prediction_of, unlimited
from fxcut.resident import Optimizer, Resident, resident_memory
from fxcut.rounds import Round, Rounds, search
from fxcut.sizes import bytes_of, shown
from fxcut.step_memory import StepMemory
from fxcut.torch_releases import DECISIONS
from fxcut.workspaces import KnownWorkspaces, Workspaces

MEASURED = "measured"
KNOWN = "known"


class DoesNotFit(FxcutError):
    """No decision was found with which the step fits.

    lowest_bytes: the lowest total that was found. rounds: what was tried.
    """

    def __init__(self, message: str, lowest_bytes: int = 0, rounds: Sequence[Round] = ()) -> None:
        super().__init__(message)
        self.lowest_bytes = lowest_bytes
        self.rounds = list(rounds)


class Fit:
    """A decision with which a step fits, and all that it takes then. As a string, a table.

    partitioner: for fxcut.partitioning_by, or torch._inductor.config.custom_partitioner_fn. torch.compile then generates the
    code that was read.
    limit_bytes: as given. promised_bytes: what the step takes, all lines together.
    code_bytes: the peak of forward and backward within it, workspaces of kernels included. lines: what the total consists of, in
        bytes, by name.
    next_bytes: if less than 98 % of the limit is used, the total with which the next decision that recomputes less fits, as the
        rounds show or as is expected; None if none is known. Limits between promised_bytes and this gain nothing.
    rounds: what was tried, the first without a limit. chosen: the one that was taken. report: on its last graph.
    warnings: a sentence each.
    """

    def __init__(self, partitioner: Partitioner, limit_bytes: int, totals: _Totals, found: Rounds, chosen: Round) -> None:
        self.partitioner = partitioner
        self.limit_bytes = limit_bytes
        self.lines = totals.lines(chosen.memory)
        self.promised_bytes = sum(self.lines.values())
        self.code_bytes = chosen.memory.peak_bytes
        self.optimizer_step_bytes = totals.in_optimizer_step()
        self.next_bytes = totals.resident_bytes() + found.next_bytes if found.next_bytes is not None else None
        self.rounds = found.tried
        self.chosen = chosen
        self.report = chosen.reports[-1]
        self.warnings = _warnings(found.tried, chosen)

    def __str__(self) -> str:
        rows = [f"{shown(amount):>12}  {name}" for name, amount in self.lines.items()]
        rounds = [f"{'*' if one is self.chosen else ' '} {one}" for one in self.rounds]
        return "\n".join(
            [
                f"fits into {shown(self.limit_bytes)}: {shown(self.promised_bytes)} at the peak",
                "",
                *rows,
                f"{shown(self.promised_bytes):>12}  in total",
                *([f"{shown(self.optimizer_step_bytes):>12}  in the optimizer's step"] if self.optimizer_step_bytes else []),
                *([f"{shown(self.next_bytes):>12}  or so, with which less would be recomputed"] if self.next_bytes else []),
                "",
                *rounds,
                *(f"warning: {warning}" for warning in self.warnings),
            ]
        )

    def __repr__(self) -> str:
        return f"<fxcut.Fit {self.promised_bytes} of {self.limit_bytes} bytes, {self.partitioner!r}>"


class _Totals(NamedTuple):
    """What is in memory besides the code's own."""

    resident: Resident
    accumulated: int
    allowance: int
    has_optimizer: bool

    def resident_bytes(self) -> int:
        return sum(amount for name, amount in self.lines(StepMemory(0, 0, "", [])).items())

    def lines(self, memory: StepMemory) -> dict[str, int]:
        return {
            "parameters": self.resident.parameters,
            "buffers": self.resident.buffers,
            "optimizer states": self.resident.optimizer.state_bytes,
            "inputs": self.resident.inputs,
            "gradients of earlier steps": self.accumulated,
            "gradients that the backward has made": memory.gradients_at_peak,
            "activations and other buffers": memory.peak_bytes - memory.gradients_at_peak - memory.workspace_at_peak,
            "workspaces of kernels": memory.workspace_at_peak,
            "allowance": self.allowance,
        }

    def in_optimizer_step(self) -> int:
        """With the gradients of all parameters; nothing is left of forward and backward. 0 without an optimizer."""
        step = self.resident.gradient_bytes + self.resident.optimizer.working_bytes
        return self.resident_bytes() - self.accumulated + step if self.has_optimizer else 0


def fit(
    model: nn.Module,
    inputs: Any,
    *,
    peak_bytes: int | str | None = None,
    device: str | None = None,
    compiled: bool = True,
    optimizer: Optimizer = None,
    accumulate: bool = False,
    workspaces: int | str | None = None,
    allowance: int | str = 0,
    **options: Any,
) -> Fit:
    """The decision with which a training step of the model fits, as inductor compiles it, into an amount of memory.

    model: a module, whose result has gradients; it is not run, nor changed: its copy is, on fake tensors. One of 80 GB that was
        made under FakeTensorMode takes no memory. inputs: a tensor, a sequence of arguments, or a mapping of keyword arguments.
    peak_bytes: what everything together may take at once, in bytes, or with a unit as in "80GB": parameters, buffers, states of
        the optimizer, inputs, what forward and backward allocate, and the allowance. With a device it may be left out: the
        default is the memory with which that GPU is sold.
    device: "a100", "h100" or "b200": the step is that of a machine with this GPU, which this one need not have. PyTorch's CUDA
        build, with Triton, and Linux are needed. Everything is done in a process of its own, on the copies, which are on the GPU.
    compiled: False counts operator by operator, for a step that no compiler fuses.
    optimizer: "sgd", "sgd+momentum", "adam", "adamw", or a torch.optim.Optimizer of the model's parameters: its states and
        its step are measured on fake tensors; or bytes of states; None counts nothing.
    accumulate: gradients of earlier steps are in memory as well (no zero_grad between, or set_to_none=False).
    workspaces: what the operators that the code calls take and free within their calls: "measured", the default without a device,
        which runs each of them once in isolation, on generated tensors of its sizes; "known", the default with a device, on which
        nothing runs: for cuDNN's convolutions, by a rule ('fxcut help memory'); or bytes, for each call; not counted if compiled
        is False.
    allowance: what is added for the allocator and the context of a device: bytes, with a unit if need be.
    options: of fxcut.Partitioner, except its limits and the setting memory_of; under a limit the solver frontier decides.

    Returns the first decision found whose code takes between 98 and 100 % of what peak_bytes leaves to it; if there is none in
    five rounds, the one that recomputes least among those that fit. If the decision without a limit fits, that is returned.

    Raises UnsupportedTorch; DoesNotFit, with the lowest total that was found; InvalidArgument; NothingCaptured where nothing
    has a gradient; and what Partitioner and the compiler raise.
    """
    DECISIONS.check()
    asked = Asked(peak_bytes, compiled, optimizer, accumulate, workspaces, allowance, options)
    if device is None:
        return fit_asked(model, inputs, asked)
    on_that = asked.on_card(device)
    return on_card(device, lambda: fit_asked(model, inputs, on_that, CARD))


class Asked(NamedTuple):
    """The arguments of fit, under their names. options: of fxcut.Partitioner."""

    peak_bytes: int | str | None = None
    compiled: bool = True
    optimizer: Optimizer = None
    accumulate: bool = False
    workspaces: int | str | None = None
    allowance: int | str = 0
    options: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, **given: Any) -> Asked:
        """From the arguments of fit except device; those that are not its own are options."""
        own = {name: given.pop(name) for name in cls._fields[:-1] if name in given}
        return cls(**own, options=given)

    def on_card(self, device: str) -> Asked:
        """The arguments with defaults that follow from the device's name.

        Raises what card_of does, and InvalidArgument for workspaces that are to be measured.
        """
        card = card_of(device)
        if self.workspaces == MEASURED:
            raise InvalidArgument(
                f"fxcut.fit: workspaces: nothing is measured on the {device} that stands in: give bytes for each call, or nothing"
            )
        settings = {"device_profile": device, **(self.options.get("settings") or {})}
        return self._replace(
            peak_bytes=card.usable_bytes if self.peak_bytes is None else self.peak_bytes,
            workspaces=KNOWN if self.workspaces is None else self.workspaces,
            options={**self.options, "settings": settings},
        )


def fit_asked(model: nn.Module, inputs: Any, asked: Asked, device: torch.device | None = None) -> Fit:
    """`fit` in this process. device: where the copies are, of FakeCopies."""
    most_bytes = bytes_of("fxcut.fit: peak_bytes", asked.peak_bytes)
    optimizer, compiled, options = asked.optimizer, asked.compiled, asked.options
    step = FakeStep(model, inputs, optimizer if hasattr(optimizer, "step") else None, device)  # type: ignore[arg-type]
    measured = _workspaces(asked.workspaces)
    read = functools.partial(memory_of_code, workspaces=measured) if compiled else memory_of_operators
    memory_of = "compiled" if compiled else "operators"

    def decide(limit: Limit) -> Round:
        partitioner = Partitioner(**limited(options, limit, memory_of))
        return Round(limit, read(step, partitioner), partitioner.reports)

    first = decide(None)
    totals = _Totals(
        resident := resident_memory(step, first.memory.device, optimizer),
        resident.gradient_bytes if asked.accumulate else 0,
        bytes_of("fxcut.fit: allowance", asked.allowance),
        optimizer is not None,
    )
    code_budget = most_bytes - totals.resident_bytes()
    rounds = search(first, decide, code_budget, lambda: prediction_of(first.reports, options) if compiled else None)
    lowest = min(rounds.tried, key=lambda one: one.memory.peak_bytes)
    lowest_total = max(totals.resident_bytes() + lowest.memory.peak_bytes, totals.in_optimizer_step())
    if rounds.best is None or totals.in_optimizer_step() > most_bytes:
        raise DoesNotFit(_does_not_fit(most_bytes, totals, lowest), lowest_total, rounds.tried)
    partitioner = Partitioner(**(unlimited(options) if rounds.best is first else limited(options, rounds.best.limit, memory_of)))
    found = Fit(partitioner, most_bytes, totals, rounds, rounds.best)
    for warning in found.warnings:
        log.warning("fxcut.fit: %s", warning)
    return found


def _workspaces(given: int | str | None) -> Workspaces | int:
    if given == KNOWN:
        return KnownWorkspaces()
    return Workspaces() if given in (None, MEASURED) else bytes_of('fxcut.fit: workspaces: "measured", "known"', given)


def _does_not_fit(limit: int, totals: _Totals, lowest: Round) -> str:
    around, step = totals.resident_bytes(), totals.in_optimizer_step()
    least = around + lowest.memory.peak_bytes
    lines = [f"{name} {shown(amount)}" for name, amount in totals.lines(lowest.memory).items() if amount]
    if step > max(limit, least):
        return (
            f"fxcut.fit: the optimizer's step takes {shown(step)}, more than {shown(limit)}, whatever is recomputed: it has the "
            f"gradients of all parameters, its states, and {shown(totals.resident.optimizer.working_bytes)} of its own"
        )
    return (
        f"fxcut.fit: the step does not fit into {shown(limit)}: the lowest that was found is {shown(least)}: {', '.join(lines)}. "
        f"Take smaller inputs, or have values offloaded."
    )


def _warnings(rounds: Sequence[Round], chosen: Round) -> list[str]:
    first = rounds[0]
    warnings = [f"{text}: the step may take more than is promised" for text in chosen.memory.unknown]
    warnings += [
        f"with a limit of {one.limit} bytes {shown(one.saved_bytes)} are saved, less than the {shown(first.saved_bytes)} "
        f"without one, and the code takes more: {shown(one.memory.peak_bytes)}, not {shown(first.memory.peak_bytes)}"
        for one in rounds
        if one.saved_bytes < first.saved_bytes and one.memory.peak_bytes > first.memory.peak_bytes
    ]
    if len(chosen.reports) > 1:
        warnings.append("graph breaks gave the model several graphs: what runs between them is not counted")
    return warnings
