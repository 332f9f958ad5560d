"""Python's collector of cyclic garbage, paused."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def paused_collector() -> Iterator[None]:
    """Within it no collection starts by itself.

    The JSON forms of a graph are many objects that are freed as soon as they are not needed. Counting them brings about
    collections, each of which goes through all objects of the process: at 10,000 nodes one takes longer than rebuilding
    both graphs.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
