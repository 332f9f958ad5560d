"""What a limit of the operators' peak makes of a graph, without having inductor generate code ('fxcut help memory')."""

from __future__ import annotations

import functools
import json
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fxcut.binary import BinaryFailed, NoPartition, partition
from fxcut.changes import NOTHING, Change, changed
from fxcut.kept_files import GRAPH, write_json
from fxcut.partitioner import Partitioner
from fxcut.report import REPORT, Report

LEAST = "least"

Json = dict[str, Any]
Limit = int | str | None  # of the peak operator by operator: bytes, LEAST, or none


class Predicted(NamedTuple):
    """Of one decision: peaks, operator by operator and what is predicted of its code; how long it computes again, as estimated."""

    operators_bytes: int
    code_bytes: int
    recomputed_ms: float = 0


Prediction = Callable[[Limit], Predicted | None]  # None where nothing is known, or no decision is within the limit


def in_proportion(operators_bytes: int, code_bytes: int) -> Prediction:
    """Where nothing is predicted: all of a limit is used, and code takes the same part of it as in a decision that is known."""
    return lambda limit: Predicted(limit, limit * code_bytes // operators_bytes) if isinstance(limit, int) else None


class PredictionOfGraph:
    """A Prediction, and what is predicted of decisions that were changed.

    graph: the text of its file. options: of the Partitioner that will decide, without its limit.
    """

    def __init__(self, graph: bytes, options: Mapping[str, Any]) -> None:
        self.nodes: dict[str, Json] = {node["name"]: node for node in json.loads(graph)["nodes"]}
        self._graph = graph
        self._options = options
        self.decision = functools.cache(self._decide)
        self.changed = functools.cache(self._predict)

    def __call__(self, limit: Limit) -> Predicted | None:
        return self.changed(limit, NOTHING)

    def _decide(self, limit: Limit) -> Json | None:
        """The report on the decision within that limit; None if there is none."""
        try:
            return Partitioner(**limited(self._options, limit)).report_on(self._graph)
        except NoPartition:
            return None

    def report(self, limit: Limit, change: Change) -> Json | None:
        """On the changed decision, with what is predicted of its code; None if there is none, or it cannot be changed so."""
        decision = self.decision(limit)
        if decision is None:
            return None
        settings = {**decision["settings"], "memory_of": "compiled"}
        with tempfile.TemporaryDirectory(prefix="fxcut-") as name:
            (Path(name) / GRAPH).write_bytes(self._graph)
            file = write_json(Path(name) / REPORT, {**changed(self.nodes, decision, change), "settings": settings})
            try:
                return partition(Path(name), GRAPH, ["--decision", file]).report
            except (BinaryFailed, NoPartition):
                if not change.names:
                    raise
                return None  # a value that cannot be computed again

    def _predict(self, limit: Limit, change: Change) -> Predicted | None:
        report = self.report(limit, change)
        return report and Predicted(
            report["memory"]["peak_bytes"], int(report["memory"]["compiled"]["peak_bytes"]), report["run_time"]["recomputed_ms"]
        )


def prediction_of(reports: Sequence[Report], options: Mapping[str, Any]) -> PredictionOfGraph | None:
    """Of the graph that a round has captured; None of several graphs, which meet at no peak of one."""
    return PredictionOfGraph(zlib.decompress(reports[0]._graph), options) if len(reports) == 1 else None


def limited(options: Mapping[str, Any], limit: Limit, change: Change = NOTHING) -> dict[str, Any]:
    """The options of a Partitioner, with a limit of the operators' peak, whatever else it would be a limit of, and a change."""
    named = {name: names for name, names in zip(("also_save", "also_recompute"), change) if names}
    if limit is None:
        return {**options, **named}
    return {**options, **named, "peak_bytes": limit, "settings": {**(options.get("settings") or {}), "memory_of": "operators"}}
