"""Reports that lie in PyTorch's caches beside the compiled graphs.

Where AOTAutograd's cache has a graph, no partition function is called. So the reports go into the entry, as text in the
field that PyTorch has for what its own partitioner tells of its decision, and are read where an entry is used.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

from torch import fx
from torch._functorch._aot_autograd.aot_autograd_result import GenericAOTAutogradResult
from torch._inductor import config as inductor_config

from fxcut.report import Report

Json = dict[str, Any]

KEY = "fxcut_reports"
FIELD = "_min_cut_info_str"  # of a joint graph; PyTorch puts it into the entry's `min_cut_info_str`


def put_reports(joint: fx.GraphModule, reports: Sequence[Report]) -> None:
    """Has the entry that PyTorch makes of the graph hold the reports."""
    setattr(joint.graph, FIELD, json.dumps({KEY: [report.to_cache() for report in reports]}))


@functools.cache
def watch_entries() -> None:
    """From now on whoever decides for inductor, and has a method `found_in_cache`, is given the reports of each entry
    that is used."""
    original = GenericAOTAutogradResult.wrap_post_compile

    @functools.wraps(original)
    def wrap_post_compile(self: Any, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        compiled = original(self, *args, **kwargs)
        tell = getattr(inductor_config.custom_partitioner_fn, "found_in_cache", None)
        reports = _reports_in(self.min_cut_info_str)
        if tell is not None and reports:
            tell(reports)
        return compiled

    GenericAOTAutogradResult.wrap_post_compile = wrap_post_compile  # type: ignore[method-assign]


def _reports_in(text: str | None) -> list[Json]:
    try:
        return json.loads(text or "{}").get(KEY, [])
    except ValueError:  # another partitioner's text
        return []
