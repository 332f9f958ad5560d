"""Decisions that differ from a known one by a few values, and fit better.

Of a decision it is known what its code takes; by how much a change moves that is predicted, which is better known than the whole:
what no rule of the prediction has is in both. Of one value at a time it is asked what saving it does, or computing it again. Then
they are added up, each asked about with those before it: while the code takes too much, those that lower it, which cost the least
time for the bytes first; from then on those that save time, most for the bytes first, and still fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fxcut.changes import Change
from fxcut.prediction import Limit, Predicted, PredictionOfGraph

MOST_ALONE = 48  # values of each kind that are asked about, the largest
MOST_TOGETHER = 24
WORTH = 0.1  # of the time that is saved so far: a value that saves less is not worth that the code may take too much
SMALL = 0.001  # of what the code takes: values of fewer bytes are left as they are


class Expected(NamedTuple):
    """Of a decision that was changed: what its code is expected to take, after what is predicted of it."""

    change: Change
    code_bytes: int
    predicted: Predicted

    @property
    def recomputed_ms(self) -> float:
        return self.predicted.recomputed_ms


class Neighbours(NamedTuple):
    """best: expected to fit, and of such to compute least again; None if none is. next_bytes: the least that is expected of
    saving one value more that saves time, and does not fit; None if there is none."""

    best: Expected | None
    next_bytes: int | None


def neighbours(prediction: PredictionOfGraph, limit: Limit, change: Change, code_bytes: int, aim: int) -> Neighbours:
    """Of a decision that is known, as is what its code takes. aim: what code may be expected to take."""
    start = prediction.changed(limit, change)
    if start is None:
        return Neighbours(None, None)
    around = _Around(prediction, limit, Expected(change, code_bytes, start))
    return around.search(aim)


class _Around:
    def __init__(self, prediction: PredictionOfGraph, limit: Limit, known: Expected) -> None:
        self._prediction = prediction
        self._limit = limit
        self._known = known
        self._off = known.code_bytes - known.predicted.code_bytes

    def search(self, aim: int) -> Neighbours:
        saving = self._alone(Change(save=(name,)) for name in self._largest("recomputed_values"))
        at = self._known
        if at.code_bytes > aim:
            dropping = self._alone(Change(recompute=(name,)) for name in self._largest("saved_values"))
            at = self._lowered([*saving, *dropping], aim)
        faster = [(single, one) for single, one in saving if one.recomputed_ms < self._known.recomputed_ms]
        if at.code_bytes <= aim:
            at = self._filled(faster, at, aim)
        too_much = [one.code_bytes for _, one in faster if one.code_bytes > aim]
        return Neighbours(at if at.code_bytes <= aim and at != self._known else None, min(too_much, default=None))

    def _largest(self, rows: str) -> list[str]:
        """Names of the largest values that are saved, or computed again, and of which no policy says so."""
        report = self._prediction.report(self._limit, self._known.change)
        movable = [
            row
            for row in (report or {rows: []})[rows]
            if row["operator"] != "placeholder" and row["why"]["reason"] != "policy" and not row.get("offloaded")
            and row["bytes"] >= SMALL * self._known.code_bytes
        ]
        return [row["name"] for row in sorted(movable, key=lambda row: -row["bytes"])[:MOST_ALONE]]

    def _expected(self, change: Change) -> Expected | None:
        predicted = self._prediction.changed(self._limit, change)
        return predicted and Expected(change, predicted.code_bytes + self._off, predicted)

    def _alone(self, singles: Iterator[Change]) -> list[tuple[Change, Expected]]:
        expected = ((single, self._expected(self._known.change.then(single))) for single in singles)
        return [(single, one) for single, one in expected if one is not None]

    def _lowered(self, moves: Sequence[tuple[Change, Expected]], aim: int) -> Expected:
        def price(move: tuple[Change, Expected]) -> float:
            return max(move[1].recomputed_ms - self._known.recomputed_ms, 0) / (self._known.code_bytes - move[1].code_bytes)

        at = self._known
        lowering = sorted((move for move in moves if move[1].code_bytes < self._known.code_bytes), key=price)
        for single, _ in lowering[:MOST_TOGETHER]:
            if at.code_bytes <= aim:
                break
            trial = self._expected(at.change.then(single))
            at = trial if trial and trial.code_bytes < at.code_bytes else at
        return at

    def _filled(self, moves: Sequence[tuple[Change, Expected]], at: Expected, aim: int) -> Expected:
        def price(move: tuple[Change, Expected]) -> float:
            return (move[1].recomputed_ms - self._known.recomputed_ms) / max(move[1].code_bytes - self._known.code_bytes, 1)

        for single, _ in sorted(moves, key=price)[:MOST_TOGETHER]:
            trial = self._expected(at.change.then(single))
            if trial and trial.code_bytes <= aim and at.recomputed_ms - trial.recomputed_ms > WORTH * max(self._saved(at), 0):
                at = trial
        return at

    def _saved(self, at: Expected) -> float:
        """Milliseconds, beside the known decision."""
        return self._known.recomputed_ms - at.recomputed_ms
