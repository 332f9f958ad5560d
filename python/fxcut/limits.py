"""Warns that a memory limit applies to each graph separately, if a model has several.

How many there are is known only once all are compiled, and by then the first have their share. `fxcut batch --model`
splits one limit over graphs that were captured before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fxcut.binary import log
from fxcut.report import Report

LIMITS = ("saved_bytes", "peak_bytes", "saved_bytes_limit", "peak_bytes_limit")
NO_AMOUNT = ("", "least")


class LimitedGraphs:
    """The graphs that were decided on under the limit among these options, if there is one."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        given = {**given.get("settings", {}), **given}
        limits = [f"{name}={given[name]!r}" for name in LIMITS if given.get(name, "") not in NO_AMOUNT]
        self._limit = limits[0] if limits else None
        self._saved: dict[str, int] = {}
        self._is_told = False

    def add(self, report: Report) -> None:
        """Counts a graph, and warns once that there are several."""
        # Compiled again, as for other sizes ("0/1" after "0/0"), it takes the place of the one before.
        frame = (report.compile_id or report.name).split("/")[0]
        self._saved[frame] = report.held_bytes
        if self._limit is None or len(self._saved) == 1 or self._is_told:
            return
        self._is_told = True
        log.warning(
            "fxcut.Partitioner: %s applies to each graph separately, and graph breaks gave the model several: "
            "%d so far, with %d bytes of activations held in total. `fxcut batch --model` splits one limit over captured "
            "graphs.",
            self._limit,
            len(self._saved),
            sum(self._saved.values()),
        )
