"""The largest batch with which a training step fits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

from fxcut.errors import FxcutError
from fxcut.fake_step import fake_mode
from fxcut.fitting import Asked, DoesNotFit, Fit, fit_asked
from fxcut.on_card import CARD, on_card
from fxcut.sizes import shown
from fxcut.torch_releases import DECISIONS

MOST = 2**20


class BatchSizes:
    """Which sizes fit. As a string, a table.

    answers: by size, in the order of the sizes, a Fit or the DoesNotFit that says why not.
    """

    def __init__(self, answers: dict[int, Fit | DoesNotFit]) -> None:
        self.answers = dict(sorted(answers.items()))

    @property
    def largest(self) -> int | None:
        """None where no size fits."""
        return max((size for size, answer in self.answers.items() if isinstance(answer, Fit)), default=None)

    @property
    def fit(self) -> Fit:
        """The answer for the largest size that fits. Raises the DoesNotFit of the smallest size if none does."""
        if self.largest is None:
            raise next(iter(self.answers.values()))  # type: ignore[misc]
        found = self.answers[self.largest]
        assert isinstance(found, Fit)
        return found

    def __str__(self) -> str:
        return "\n".join(f"{size:>8}  {_told(answer)}" for size, answer in self.answers.items())


def _told(answer: Fit | DoesNotFit) -> str:
    if isinstance(answer, DoesNotFit):
        return f"does not fit: {shown(answer.lowest_bytes)} at least"
    return f"fits: {shown(answer.promised_bytes)}, {'as PyTorch decides' if answer.chosen.limit is None else 'with less saved'}"


def largest_batch(
    model: nn.Module,
    make_inputs: Callable[[int], Any],
    *,
    peak_bytes: int | str | None = None,
    sizes: Iterable[int] | None = None,
    device: str | None = None,
    **options: Any,
) -> BatchSizes:
    """Finds the batch sizes with which a training step of the model fits into an amount of memory.

    make_inputs: the inputs of fxcut.fit for a size. It is called under FakeTensorMode, where tensors take no memory.
    sizes: those to try, each of which gets its answer. By default: 1, 2, 4, ... up to the first that does not fit, and then
        bisection until the largest that fits is known. If a size does not fit, larger ones are assumed not to fit.
    peak_bytes, device, options: of fxcut.fit.

    Raises what fxcut.fit does except DoesNotFit, which is an answer.
    """
    DECISIONS.check()
    asked = Asked.of(peak_bytes=peak_bytes, **options)
    tried = None if sizes is None else list(sizes)
    if device is None:
        return _largest(functools.partial(_answer, model, make_inputs, asked, None), tried)
    answer = functools.partial(_answer, model, make_inputs, asked.on_card(device), CARD)
    return on_card(device, lambda: _largest(answer, tried))


def _answer(
    model: nn.Module, make_inputs: Callable[[int], Any], asked: Asked, device: torch.device | None, size: int
) -> Fit | DoesNotFit:
    with fake_mode():
        inputs = make_inputs(size)
    try:
        return fit_asked(model, inputs, asked, device)
    except DoesNotFit as error:
        return error


def _largest(answer: Callable[[int], Fit | DoesNotFit], sizes: Iterable[int] | None) -> BatchSizes:
    answers: dict[int, Fit | DoesNotFit] = {}

    def fits(size: int) -> bool:
        answers[size] = answer(size)
        return isinstance(answers[size], Fit)

    if sizes is not None:
        for size in sizes:
            fits(size)
        return BatchSizes(answers)
    above = 1
    while fits(above):
        if above >= MOST:
            raise FxcutError(f"fxcut.largest_batch: a batch of {MOST} fits: does make_inputs use the size that it is given?")
        above *= 2
    below = above // 2
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if fits(middle) else (below, middle)
    return BatchSizes(answers)
