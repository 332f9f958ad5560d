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

# What the program refuses where the solver frontier makes no search.
OF_A_SEARCH = ("gap", "time_limit", "recompute_again", "compress_errors")
SETTINGS_OF_A_SEARCH = ("offload", "host_bytes_limit", "compress", "compress_classes", "compress_dtype", "compress_error")


def limited(options: Mapping[str, Any], limit: Limit, memory_of: str = "compiled") -> dict[str, Any]:
    """The options of a Partitioner, with a limit of the peak of the operators or of the code."""
    chosen = unlimited(options) if limit is None else {**options, "peak_bytes": limit}
    return {**chosen, "settings": {**(chosen.get("settings") or {}), "memory_of": memory_of}}


def unlimited(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a Partitioner without a limit: those of a search only where it searches within a budget."""
    settings = dict(options.get("settings") or {})
    if "frontier" in (options.get("budget_solver"), settings.get("activation_memory_budget_solver")):
        return dict(options)
    settings = {name: value for name, value in settings.items() if name not in SETTINGS_OF_A_SEARCH}
    others = {name: value for name, value in options.items() if name not in (*OF_A_SEARCH, "settings")}
    return {**others, "settings": settings} if settings else others


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
