"""Reports in PyTorch's caches, next to the compiled graphs.

If AOTAutograd's cache has a graph, no partition function is called. So the reports go into the entry, as text in the field in
which PyTorch's own partitioner describes its decision, and are read when an entry is used.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

from torch import fx

from fxcut.binary import log
from fxcut.report import Report
from fxcut.torch_releases import REPORTS_IN_CACHES, class_of_cache_entries, inductor_partition_function

Json = dict[str, Any]

KEY = "fxcut_reports"
FIELD = "_min_cut_info_str"  # of a joint graph; PyTorch puts it into the entry's `min_cut_info_str`


def put_reports(joint: fx.GraphModule, reports: Sequence[Report]) -> None:
    """Puts the reports into the entry that PyTorch makes for the graph."""
    setattr(joint.graph, FIELD, json.dumps({KEY: [report.to_cache() for report in reports]}))


@functools.cache
def watch_entries() -> None:
    """From now on the partitioner that decides for inductor, if it has a method `found_in_cache`, is given the reports of each
    entry that is used. If an entry has none, a warning says so."""
    entries = class_of_cache_entries()
    original = entries.wrap_post_compile

    @functools.wraps(original)
    def wrap_post_compile(self: Any, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        compiled = original(self, *args, **kwargs)
        tell = getattr(inductor_partition_function(), "found_in_cache", None)
        if tell is not None:
            _tell_of(self, tell)
        return compiled

    entries.wrap_post_compile = wrap_post_compile


def _tell_of(entry: Any, tell: Callable[[list[Json]], None]) -> None:
    if REPORTS_IN_CACHES.is_met():
        reports = _reports_in(entry.min_cut_info_str)
        if reports:
            tell(reports)
    elif entry.compiled_bw is not None:  # otherwise there was nothing to decide
        log.warning("%s", REPORTS_IN_CACHES.refusal())


def _reports_in(text: str | None) -> list[Json]:
    try:
        return json.loads(text or "{}").get(KEY, [])
    except ValueError:  # another partitioner's text
        return []
