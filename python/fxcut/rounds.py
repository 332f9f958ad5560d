"""The search for a limit under which the code of a training step takes what is left to it.

fxcut limits the peak of the operators run one by one; compiled code takes another amount ('fxcut help memory'). So the
limit is corrected by what the code takes that inductor generates under it: by the ratio of the two at first, then between
a limit whose code is too large and one whose code fits. Each time some limits thereabouts are compared by what their code is
predicted to take, for which inductor is not needed; what the code of the best does take decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fxcut.binary import NoPartition
from fxcut.report import Report
from fxcut.sizes import shown
from fxcut.step_memory import StepMemory

MOST_ROUNDS = 5
CLOSE = 0.98  # of what forward and backward may take: from there on a decision is good enough
AIM = 0.99
LEAST = "least"
PREDICTED = 5  # limits between two, for each round


class Round(NamedTuple):
    """One decision, and the memory of its forward and backward, parameters, buffers and inputs apart.

    limit: of the peak operator by operator, in bytes; None for the first, which has none, or "least".
    """

    limit: int | str | None
    memory: StepMemory
    reports: list[Report]

    @property
    def operators_bytes(self) -> int:
        """The peak operator by operator, of the graph in which it is highest."""
        return max(report["memory"]["peak_bytes"] for report in self.reports)

    @property
    def saved_bytes(self) -> int:
        return sum(report["totals"]["saved_bytes_not_static"] for report in self.reports)

    def __str__(self) -> str:
        limit = shown(self.limit) if isinstance(self.limit, int) else self.limit or "none"
        return (
            f"limit {limit:>10}: saved {shown(self.saved_bytes):>10}, operator by operator {shown(self.operators_bytes):>10}, "
            f"the code {shown(self.memory.peak_bytes):>10}"
        )


def search(
    first: Round, decide: Callable[[int | str | None], Round], share: int, predict: Callable[[int], int | None] = lambda _: None
) -> list[Round]:
    """The rounds, from the first on, until one takes between CLOSE and all of the share, or nothing is left to try.

    predict: what the code would take under a limit; None where nobody knows.
    """
    rounds = [first]
    while len(rounds) < MOST_ROUNDS and (limit := _to_try(rounds, share, predict)) is not None:
        try:
            rounds.append(decide(limit))
        except NoPartition:
            if limit == LEAST:
                break
            rounds.append(decide(LEAST))
    return rounds


def _to_try(rounds: Sequence[Round], share: int, predict: Callable[[int], int | None]) -> int | str | None:
    """The next limit; None where the search is over."""
    fitting = [one for one in rounds if one.memory.peak_bytes <= share]
    above = [one for one in rounds if one.memory.peak_bytes > share]
    if not above or any(one.memory.peak_bytes >= CLOSE * share for one in fitting):
        return None
    high = min(above, key=lambda one: one.operators_bytes)
    if not fitting:
        if any(one.limit == LEAST for one in rounds):
            return None
        if share <= 0 or len(rounds) == MOST_ROUNDS - 1:
            return LEAST
        limit = int(high.operators_bytes * AIM * share / high.memory.peak_bytes)
        return _predicted_best(rounds, limit, (int(AIM * limit), high.operators_bytes), share, predict)
    low = max(fitting, key=lambda one: one.memory.peak_bytes)
    # Below what the higher takes, and above what the lower takes, which as it is is no limit to it.
    bottom, top = low.limit if isinstance(low.limit, int) else low.operators_bytes, high.operators_bytes
    part = (AIM * share - low.memory.peak_bytes) / (high.memory.peak_bytes - low.memory.peak_bytes)
    limit = int(bottom + min(max(part, 0.05), 0.95) * (top - bottom))
    return _predicted_best(rounds, limit, (bottom, top), share, predict) if bottom < limit < top else None


def _predicted_best(
    rounds: Sequence[Round], limit: int, between: tuple[int, int], share: int, predict: Callable[[int], int | None]
) -> int:
    """Of that limit and some others, the one under which the code is predicted to take the most that fits.

    Predictions are corrected by how far the last was off. What an earlier round was predicted to take is not tried again: it had
    that code. Where no other is predicted to fit, it is that limit.
    """
    if predict(limit) is None:
        return limit
    bottom, top = between
    grid = [limit, *(bottom + (top - bottom) * number // (PREDICTED + 1) for number in range(1, PREDICTED + 1))]
    known = {peak: one.memory.peak_bytes for one in rounds if isinstance(one.limit, int) and (peak := predict(one.limit))}
    off = list(known.values())[-1] / list(known)[-1] if known else 1.0
    peaks = {one: peak for one in grid if (peak := predict(one)) and peak * off <= share and peak not in known}
    return max(peaks, key=lambda one: peaks[one], default=limit)
