"""What a limit of the operators' peak makes of a graph, without having inductor generate code ('fxcut help memory')."""

from __future__ import annotations

import functools
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fxcut.binary import NoPartition, partition
from fxcut.kept_files import GRAPH, write_json
from fxcut.partitioner import Partitioner
from fxcut.report import REPORT, Report

LEAST = "least"

Limit = int | str | None  # of the peak operator by operator: bytes, LEAST, or none


class Predicted(NamedTuple):
    """Peaks of one decision: operator by operator, and what is predicted of its code."""

    operators_bytes: int
    code_bytes: int


Prediction = Callable[[Limit], Predicted | None]  # None where nothing is known, or no decision is within the limit


def in_proportion(operators_bytes: int, code_bytes: int) -> Prediction:
    """Where nothing is predicted: all of a limit is used, and code takes the same part of it as in a decision that is known."""
    return lambda limit: Predicted(limit, limit * code_bytes // operators_bytes) if isinstance(limit, int) else None


def prediction_of(reports: Sequence[Report], options: Mapping[str, Any]) -> Prediction | None:
    """Of the graph that a round has captured; None of several graphs, which meet at no peak of one.

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
        return Predicted(report["memory"]["peak_bytes"], _of_code(graph, report))

    return predicted


def limited(options: Mapping[str, Any], limit: Limit) -> dict[str, Any]:
    """The options of a Partitioner, with a limit of the operators' peak, whatever else it would be a limit of."""
    if limit is None:
        return dict(options)
    return {**options, "peak_bytes": limit, "settings": {**(options.get("settings") or {}), "memory_of": "operators"}}


def _of_code(graph: bytes, report: Mapping[str, Any]) -> int:
    """The decision of that report once more, under the setting by which code is predicted as well."""
    settings = {**report["settings"], "memory_of": "compiled"}
    with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
        (Path(name) / GRAPH).write_bytes(graph)
        decision = write_json(Path(name) / REPORT, {**report, "settings": settings})
        again = partition(Path(name), GRAPH, ["--decision", decision]).report
    return int(again["memory"]["compiled"]["peak_bytes"])
