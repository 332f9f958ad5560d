"""What a limit of the code's peak makes of a graph, without having inductor generate code ('fxcut help memory')."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fxcut.binary import NoPartition
from fxcut.partitioner import Partitioner
from fxcut.report import Report

LEAST = "least"

Limit = int | str | None  # of a peak, in bytes; LEAST; or none


class Predicted(NamedTuple):
    """The peak of a decision's code, and what it recomputes, as the solver counts it."""

    code_bytes: int
    recompute_cost: int


Prediction = Callable[[Limit], Predicted | None]  # None where no decision is within the limit


def limited(options: Mapping[str, Any], limit: Limit, memory_of: str = "compiled") -> dict[str, Any]:
    """The options of a Partitioner, with a limit of the peak of the operators or of the code."""
    settings = {**(options.get("settings") or {}), "memory_of": memory_of}
    return {**options, "settings": settings, **({} if limit is None else {"peak_bytes": limit})}


def prediction_of(reports: Sequence[Report], options: Mapping[str, Any]) -> Prediction | None:
    """The prediction for the graph of a round; None for several graphs, whose common peak is not that of one.

    options: of the Partitioner that will decide, without its limit.
    """
    if len(reports) != 1:
        return None
    graph = zlib.decompress(reports[0]._graph)

    @functools.cache
    def predicted(limit: Limit) -> Predicted | None:
        try:
            report = Partitioner(**limited(options, limit)).report_on(graph)
        except NoPartition:
            return None
        return Predicted(report["memory"]["compiled"]["peak_bytes"], recompute_cost(report))

    return predicted


def recompute_cost(report: Mapping[str, Any]) -> int:
    """As the solver counts it; 0 without a limit."""
    return int((report.get("frontier") or {"recompute_cost": 0})["recompute_cost"])
