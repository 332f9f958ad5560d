"""The search for a limit under which the code of a training step takes what is left to it.

fxcut limits the peak of the operators run one by one; compiled code takes another amount ('fxcut help memory'), and not always
more under a higher limit. So of many limits it is predicted what their code takes; the highest is tried that is expected to fit;
what its code does take corrects what is expected of the others (outlook.py). Where no limit is left to try, a
few values are decided otherwise next to a decision whose code takes about what is left (neighbours.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fxcut.binary import NoPartition
from fxcut.changes import NOTHING, Change
from fxcut.neighbours import Expected, Neighbours
from fxcut.outlook import Outlook
from fxcut.prediction import LEAST, Limit, Prediction, in_proportion
from fxcut.report import Report
from fxcut.sizes import shown
from fxcut.step_memory import StepMemory

MOST_ROUNDS = 5
CLOSE = 0.98  # of what forward and backward may take: from there on a decision is good enough
NEAR = 1.1  # of that: from there down the neighbours of a decision that does not fit are looked at
MARGIN = 0.002  # of that, for what is expected; each round that takes too much triples it

NO_NEIGHBOURS = Neighbours(None, None)


class Round(NamedTuple):
    """One decision, and the memory of its forward and backward, parameters, buffers and inputs apart.

    limit: of the peak operator by operator, in bytes; None for the first, which has none, or "least". change: of what is decided
    within it.
    """

    limit: Limit
    memory: StepMemory
    reports: list[Report]
    change: Change = NOTHING

    @property
    def operators_bytes(self) -> int:
        """The peak operator by operator, of the graph in which it is highest."""
        return max(report["memory"]["peak_bytes"] for report in self.reports)

    @property
    def saved_bytes(self) -> int:
        return sum(report["totals"]["saved_bytes_not_static"] for report in self.reports)

    @property
    def recomputed_ms(self) -> float:
        """As it is estimated."""
        return sum(report["run_time"]["recomputed_ms"] for report in self.reports)

    def __str__(self) -> str:
        limit = shown(self.limit) if isinstance(self.limit, int) else self.limit or "none"
        changed = f", {len(self.change.names)} values otherwise" if self.change.names else ""
        return (
            f"limit {limit:>10}: saved {shown(self.saved_bytes):>10}, operator by operator {shown(self.operators_bytes):>10}, "
            f"the code {shown(self.memory.peak_bytes):>10}{changed}"
        )


class Rounds(NamedTuple):
    """tried: in order. best: of those that fit; None if none does. next_bytes: what the code of the next decision takes, which
    does not fit and recomputes less: of a round, or as is expected; None where nothing is known of one."""

    tried: list[Round]
    best: Round | None
    next_bytes: int | None


class Around(NamedTuple):
    """How the search asks about decisions that no round has had.

    of_limits: is called only if the first round does not fit; None if nothing is predicted. near: neighbours of a round, which are
    expected to take no more than so much.
    """

    of_limits: Callable[[], Prediction | None] = lambda: None
    near: Callable[[Round, int], Neighbours] = lambda *_: NO_NEIGHBOURS


def search(first: Round, decide: Callable[[Limit, Change], Round], share: int, around: Around = Around()) -> Rounds:
    """Tries decisions until the code takes between CLOSE and all of the share, or nothing is left to try."""
    if first.memory.peak_bytes <= share:
        return Rounds([first], first, None)
    return _Search(first, decide, share, around).run()


class _Search:
    def __init__(self, first: Round, decide: Callable[[Limit, Change], Round], share: int, around: Around) -> None:
        self._decide = decide
        self._share = share
        self._near = around.near
        self._outlook = Outlook(
            around.of_limits() or in_proportion(first.operators_bytes, first.memory.peak_bytes), first.operators_bytes
        )
        self._tried: list[Round] = []
        self._expected: dict[tuple[Limit, Change], Expected] = {}  # of neighbours that were tried
        self._add(first)

    def run(self) -> Rounds:
        while len(self._tried) < MOST_ROUNDS and (step := self._to_try()) is not None:
            try:
                self._add(self._decide(*step))
            except NoPartition:
                if any(one.limit == LEAST for one in self._tried):
                    break
                self._add(self._decide(LEAST, NOTHING))
        best = _best(self._tried, self._share)
        return Rounds(self._tried, best, self._next(best) if best else None)

    def _add(self, round: Round) -> None:
        self._tried.append(round)
        expected = self._expected.get((round.limit, round.change))
        if expected:
            self._outlook.correct(expected.predicted, round.memory.peak_bytes)
        else:
            self._outlook.learn(round.limit, round.operators_bytes, round.memory.peak_bytes)

    def _to_try(self) -> tuple[Limit, Change] | None:
        """What to decide within next; None where the search is over."""
        best, left = _best(self._tried, self._share), MOST_ROUNDS - len(self._tried)
        if best and best.memory.peak_bytes >= CLOSE * self._share:
            return None
        misses = sum(one.memory.peak_bytes > self._share for one in self._tried[1:])
        aim = int((1 - MARGIN * 3**misses) * self._share)
        if best or left > 1:
            highest = self._outlook.highest_within(aim, _at(best) if best else None)
            if highest is not None and self._outlook.is_new(highest):
                return highest, NOTHING
            if best and (near := self._neighbour(best, aim)):
                return near
        lowest = self._outlook.lowest()
        return (lowest, NOTHING) if not best and self._outlook.is_new(lowest) else None

    def _neighbour(self, best: Round, aim: int) -> tuple[Limit, Change] | None:
        """Of the best and of the nearest that does not fit and computes less again, the neighbour that computes least again."""
        over = [one for one in self._tried if self._share < one.memory.peak_bytes <= NEAR * self._share]
        over = [one for one in over if one.recomputed_ms < best.recomputed_ms]
        nearest = min(over, key=lambda one: one.memory.peak_bytes, default=None)
        found: list[tuple[Limit, Expected]] = []
        for base in (best, nearest):
            expected = self._near(base, aim).best if base else None
            if base and expected and (base.limit, expected.change) not in self._expected:
                found.append((base.limit, expected))
        found = [one for one in found if one[1].recomputed_ms < best.recomputed_ms]
        if not found:
            return None
        limit, expected = min(found, key=lambda one: one[1].recomputed_ms)
        self._expected[limit, expected.change] = expected
        return limit, expected.change

    def _next(self, best: Round) -> int | None:
        """What the least is that is known, or expected, of code that computes less again, and does not fit."""
        above = [
            one.memory.peak_bytes
            for one in self._tried
            if one.memory.peak_bytes > self._share and one.recomputed_ms < best.recomputed_ms
        ]
        expected = [self._outlook.next_above(self._share, _at(best)), self._near(best, self._share).next_bytes]
        return min([*above, *(one for one in expected if one is not None)], default=None)


def _best(tried: Sequence[Round], share: int) -> Round | None:
    """Of those that fit, the one that computes least again."""
    fitting = [one for one in tried if one.memory.peak_bytes <= share]
    return max(fitting, key=lambda one: (-one.recomputed_ms, one.memory.peak_bytes), default=None)


def _at(round: Round) -> int:
    return round.limit if isinstance(round.limit, int) and not round.change.names else round.operators_bytes
