"""The search for a limit under which the code of a training step takes what is left to it.

fxcut limits the peak of the operators run one by one; compiled code takes another amount ('fxcut help memory'). So the
limit is corrected by what the code takes that inductor generates under it: by the ratio of the two at first, then between
a limit whose code is too large and one whose code fits.
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


def search(first: Round, decide: Callable[[int | str | None], Round], share: int) -> list[Round]:
    """The rounds, from the first on, until one takes between CLOSE and all of the share, or nothing is left to try."""
    rounds = [first]
    while len(rounds) < MOST_ROUNDS and _to_try(rounds, share) is not None:
        limit = _to_try(rounds, share)
        try:
            rounds.append(decide(limit))
        except NoPartition:
            if limit == LEAST:
                break
            rounds.append(decide(LEAST))
    return rounds


def _to_try(rounds: Sequence[Round], share: int) -> int | str | None:
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
        return int(high.operators_bytes * AIM * share / high.memory.peak_bytes)
    low = max(fitting, key=lambda one: one.memory.peak_bytes)
    # Below what the higher takes, and above what the lower takes, which as it is is no limit to it.
    bottom, top = low.limit if isinstance(low.limit, int) else low.operators_bytes, high.operators_bytes
    part = (AIM * share - low.memory.peak_bytes) / (high.memory.peak_bytes - low.memory.peak_bytes)
    limit = int(bottom + min(max(part, 0.05), 0.95) * (top - bottom))
    return limit if bottom < limit < top else None
