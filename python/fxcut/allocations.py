"""What PyTorch's CPU allocator does while something runs, as torch.profiler records it: bytes as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

ALLOCATION = torch._C._profiler._EventType.Allocation


def recorded(run: Callable[[], None]) -> list[Any]:
    """All events while it runs, each once, in order of time."""
    with torch.profiler.profile(profile_memory=True, activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        run()
    roots = profiler.profiler.kineto_results.experimental_event_tree()
    events = {id(event): event for root in roots for event in (root, *below(root))}
    return sorted(events.values(), key=lambda event: event.start_time_ns)


def below(event: Any) -> Iterator[Any]:
    for child in event.children:
        yield child
        yield from below(child)


def changes_in(events: list[Any]) -> list[tuple[int, int]]:
    """Of each allocation (+) and free (-) its address and bytes, in order of time."""
    found = [event for event in events if event.tag == ALLOCATION]
    return [(e.extra_fields.ptr, e.extra_fields.alloc_size) for e in sorted(found, key=lambda event: event.start_time_ns)]


def peak_of(changes: list[tuple[int, int]]) -> int:
    """The highest sum of bytes above those at the begin."""
    now = peak = 0
    for _, size in changes:
        now += size
        peak = max(peak, now)
    return peak
