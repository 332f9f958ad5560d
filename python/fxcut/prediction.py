"""What the code of a step would take under a limit, predicted without having inductor generate it ('fxcut help memory')."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fxcut.binary import NoPartition
from fxcut.partitioner import Partitioner
from fxcut.report import Report

Prediction = Callable[[int], int | None]  # from a limit of the peak, in bytes, to the peak; None where it is not known


def prediction_of(reports: Sequence[Report], options: Mapping[str, Any]) -> Prediction:
    """Of the graph that a round has captured; of several graphs, which meet at no peak of one, nothing is predicted.

    options: of the Partitioner that will decide, without its limit.
    """
    if len(reports) != 1:
        return lambda limit: None
    graph = zlib.decompress(reports[0]._graph)
    settings = {**(options.get("settings") or {}), "memory_of": "compiled"}

    @functools.cache
    def predicted(limit: int) -> int | None:
        try:
            report = Partitioner(**{**options, "peak_bytes": limit, "settings": settings}).report_on(graph)
        except NoPartition:
            return None
        return int(report["memory"]["compiled"]["peak_bytes"])

    return predicted
