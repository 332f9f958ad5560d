"""The search for a limit under which the code of a training step takes what is left to it.

fxcut limits the peak of the operators run one by one; compiled code takes another amount ('fxcut help memory'), and not always
more under a higher limit. So of many limits it is predicted what their code takes; the highest is tried that is expected to fit;
what its code does take corrects what is expected of the others (outlook.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fxcut.binary import NoPartition
from fxcut.outlook import Outlook
from fxcut.prediction import LEAST, Limit, Prediction, in_proportion
from fxcut.report import Report
from fxcut.sizes import shown
from fxcut.step_memory import StepMemory

MOST_ROUNDS = 5
CLOSE = 0.98  # of what forward and backward may take: from there on a decision is good enough
MARGIN = 0.002  # of that, for what is expected; each round that takes too much triples it


class Round(NamedTuple):
    """One decision, and the memory of its forward and backward, parameters, buffers and inputs apart.

    limit: of the peak operator by operator, in bytes; None for the first, which has none, or "least".
    """

    limit: Limit
    memory: StepMemory
    reports: list[Report]

    @property
    def operators_bytes(self) -> int:
        """The peak operator by operator, of the graph in which it is highest."""
        return max(report["memory"]["peak_bytes"] for report in self.reports)

    @property
    def saved_bytes(self) -> int:
        return sum(report["totals"]["saved_bytes_not_static"] for report in self.reports)

    @property
    def recompute_cost(self) -> int:
        """As the solver counts it; 0 without a limit."""
        return sum((report.get("frontier") or {"recompute_cost": 0})["recompute_cost"] for report in self.reports)

    def __str__(self) -> str:
        limit = shown(self.limit) if isinstance(self.limit, int) else self.limit or "none"
        return (
            f"limit {limit:>10}: saved {shown(self.saved_bytes):>10}, operator by operator {shown(self.operators_bytes):>10}, "
            f"the code {shown(self.memory.peak_bytes):>10}"
        )


class Rounds(NamedTuple):
    """tried: in order. best: of those that fit; None if none does. next_bytes: what the code of the next decision takes, which
    does not fit and recomputes less: of a round, or as is expected; None where nothing is known of one."""

    tried: list[Round]
    best: Round | None
    next_bytes: int | None


def search(
    first: Round, decide: Callable[[Limit], Round], share: int, prediction: Callable[[], Prediction | None] = lambda: None
) -> Rounds:
    """Tries limits until the code takes between CLOSE and all of the share, or nothing is left to try.

    prediction: is asked for only if the first does not fit; None if there is none.
    """
    if first.memory.peak_bytes <= share:
        return Rounds([first], first, None)
    tried = [first]
    predict = prediction() or in_proportion(first.operators_bytes, first.memory.peak_bytes)
    outlook = Outlook(predict, first.operators_bytes)
    outlook.learn(None, first.operators_bytes, first.memory.peak_bytes)
    while len(tried) < MOST_ROUNDS and (limit := _to_try(tried, outlook, share)) is not None:
        try:
            tried.append(decide(limit))
        except NoPartition:
            if any(one.limit == LEAST for one in tried):
                break
            tried.append(decide(LEAST))
        last = tried[-1]
        outlook.learn(last.limit, last.operators_bytes, last.memory.peak_bytes)
    best = _best(tried, share)
    return Rounds(tried, best, _next(tried, best, outlook, share) if best else None)


def _best(tried: Sequence[Round], share: int) -> Round | None:
    """Of those that fit, the one that recomputes least."""
    fitting = [one for one in tried if one.memory.peak_bytes <= share]
    return max(fitting, key=lambda one: (-one.recompute_cost, one.memory.peak_bytes), default=None)


def _to_try(tried: Sequence[Round], outlook: Outlook, share: int) -> Limit:
    """The next limit; None where the search is over."""
    best = _best(tried, share)
    if best and best.memory.peak_bytes >= CLOSE * share:
        return None
    if best or len(tried) < MOST_ROUNDS - 1:
        misses = sum(one.memory.peak_bytes > share for one in tried[1:])
        highest = outlook.highest_within(int((1 - MARGIN * 3**misses) * share), _at(best) if best else None)
        if highest is not None and outlook.is_new(highest):
            return highest
    lowest = outlook.lowest()
    return lowest if not best and outlook.is_new(lowest) else None


def _at(round: Round) -> int:
    return round.limit if isinstance(round.limit, int) else round.operators_bytes


def _next(tried: Sequence[Round], best: Round, outlook: Outlook, share: int) -> int | None:
    above = [one.memory.peak_bytes for one in tried if one.memory.peak_bytes > share and _at(one) > _at(best)]
    expected = outlook.next_above(share, _at(best))
    return min([*above, *([expected] if expected is not None else [])], default=None)
