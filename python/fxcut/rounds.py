"""The search for a limit under which the code of a training step keeps to its budget.

fxcut keeps to a limit on the predicted peak of the code ('fxcut help memory'). The limit is corrected by the difference to the
code that inductor generates, including workspaces, and by how that changes from round to round.

The program cannot make this search in one call, as it makes those for peaks that it predicts (lib: partition/try_limits.h): only
inductor, in this process, knows what the code of a decision takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fxcut.binary import NoPartition
from fxcut.prediction import LEAST, Limit, Prediction, recompute_cost
from fxcut.report import Report
from fxcut.sizes import shown
from fxcut.step_memory import StepMemory

MAX_ROUNDS = 5
CLOSE = 0.98  # of what forward and backward may take: a decision that uses this much is good enough
LIMIT_RESOLUTION = 0.005  # of a limit: closer limits count as equal
PROBE_FACTORS = (1.01, 1.03, 1.1)  # times the chosen decision's limit: where the next cheaper decision is looked for


class Round(NamedTuple):
    """One decision, and the memory of its forward and backward, parameters, buffers and inputs apart.

    limit: of the peak that is predicted of the code, in bytes; None for the first, which has none, or "least".
    """

    limit: Limit
    memory: StepMemory
    reports: list[Report]

    @property
    def predicted_bytes(self) -> int:
        """The peak of the graph in which it is highest: of its code, or where only that is known, operator by operator."""
        return max(report["memory"].get("compiled", report["memory"])["peak_bytes"] for report in self.reports)

    @property
    def unpredicted_bytes(self) -> int:
        return self.memory.peak_bytes - self.predicted_bytes

    @property
    def saved_bytes(self) -> int:
        return sum(report.held_bytes for report in self.reports)

    @property
    def recompute_cost(self) -> int:
        return sum(map(recompute_cost, self.reports))

    def __str__(self) -> str:
        limit = shown(self.limit) if isinstance(self.limit, int) else self.limit or "none"
        return (
            f"limit {limit:>10}: saved {shown(self.saved_bytes):>10}, predicted {shown(self.predicted_bytes):>10}, "
            f"the code {shown(self.memory.peak_bytes):>10}"
        )


class Rounds(NamedTuple):
    """tried: in order. best: among those that fit; None if none does. next_bytes: if the best is not CLOSE, what the code of the
    next decision takes, which recomputes less and does not fit: from a round, or as is expected; None if none is known."""

    tried: list[Round]
    best: Round | None
    next_bytes: int | None


def search(
    first: Round, decide: Callable[[Limit], Round], code_budget: int, prediction: Callable[[], Prediction | None] = lambda: None
) -> Rounds:
    """Tries limits until the code takes between CLOSE and all of its budget, in bytes, or nothing is left to try.

    prediction: called only if the chosen decision is not CLOSE; returns None if there is none.
    """
    if first.memory.peak_bytes <= code_budget:
        return Rounds([first], first, None)
    tried = [first]
    while len(tried) < MAX_ROUNDS and (limit := _next_limit(tried, code_budget)) is not None:
        try:
            tried.append(decide(limit))
        except NoPartition:
            if any(one.limit == LEAST for one in tried):
                break
            tried.append(decide(LEAST))
    best = _best(tried, code_budget)
    return Rounds(tried, best, _next(tried, best, code_budget, prediction) if best else None)


def _best(tried: Sequence[Round], code_budget: int) -> Round | None:
    """The round that recomputes least among those that fit."""
    fitting = [one for one in tried if one.memory.peak_bytes <= code_budget]
    return max(fitting, key=lambda one: (-one.recompute_cost, one.memory.peak_bytes), default=None)


def _is_close(round: Round, code_budget: int) -> bool:
    return round.memory.peak_bytes >= CLOSE * code_budget


def _next_limit(tried: Sequence[Round], code_budget: int) -> Limit:
    """The next limit; None once the search is over."""
    best = _best(tried, code_budget)
    if best and _is_close(best, code_budget):
        return None
    limit = _between(tried, code_budget) if best or len(tried) < MAX_ROUNDS - 1 else None
    if limit is None and not best and all(one.limit != LEAST for one in tried):
        return LEAST
    return limit


def _between(tried: Sequence[Round], code_budget: int) -> int | None:
    """A limit between fitting and exceeding ones; None if none is left, or a higher one has made the same decision again."""
    fits = [one for one in tried if one.memory.peak_bytes <= code_budget]
    if [one.predicted_bytes for one in fits].count(tried[-1].predicted_bytes) > 1:
        return None
    least = [one.predicted_bytes for one in tried if one.limit == LEAST]
    low = max([one.limit for one in fits if isinstance(one.limit, int)] + least, default=0)
    high = min(one.predicted_bytes for one in tried if one not in fits)
    limit = _expected_to_take(code_budget, tried)
    if not low < limit < high:
        limit = (low + high) // 2 if low else 0
    return limit if limit - low > LIMIT_RESOLUTION * limit else None


def _expected_to_take(code_budget: int, tried: Sequence[Round]) -> int:
    """A limit by proportion: first of a round's code to its prediction, then of the differences between the last two rounds."""
    last, before = tried[-1], tried[-2] if len(tried) > 1 else None
    predicted = last.predicted_bytes - (before.predicted_bytes if before else 0)
    code = last.memory.peak_bytes - (before.memory.peak_bytes if before else 0)
    if predicted * code <= 0:
        predicted = code = 1
    return last.predicted_bytes + (code_budget - last.memory.peak_bytes) * predicted // code


def _next(tried: Sequence[Round], best: Round, code_budget: int, prediction: Callable[[], Prediction | None]) -> int | None:
    if _is_close(best, code_budget):
        return None
    above = [one for one in tried if one.memory.peak_bytes > code_budget]
    decided = [one for one in above if all(report.get("frontier") for report in one.reports)]
    less = [one.memory.peak_bytes for one in decided if one.recompute_cost < best.recompute_cost]
    predict = prediction()
    for factor in PROBE_FACTORS if predict else ():
        expected = predict(int(factor * (code_budget - best.unpredicted_bytes)))  # type: ignore[misc]
        if not expected or expected.recompute_cost >= best.recompute_cost:
            continue
        if expected.code_bytes + best.unpredicted_bytes > code_budget:
            less.append(expected.code_bytes + best.unpredicted_bytes)
            break
    return min(less, default=None)
