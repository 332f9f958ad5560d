"""What PyTorch's allocators do: how much they hand out, and, for the CPU's while something runs, what torch.profiler records, in
requested bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

SMALLEST_BLOCK = 512  # kMinBlockSize of c10/cuda/CUDACachingAllocator.cpp and c10/xpu/XPUCachingAllocator.cpp
IN_BLOCKS = ("cuda", "xpu")
ALLOCATION = torch._C._profiler._EventType.Allocation


def taken(size: int, device: str) -> int:
    """Bytes that a device of that type has in use for a storage: some allocators hand out multiples of SMALLEST_BLOCK."""
    return -(-size // SMALLEST_BLOCK) * SMALLEST_BLOCK if device in IN_BLOCKS else size


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
    """The address and bytes of each allocation (+) and free (-), in order of time."""
    found = [event for event in events if event.tag == ALLOCATION]
    return [(e.extra_fields.ptr, e.extra_fields.alloc_size) for e in sorted(found, key=lambda event: event.start_time_ns)]


def peak_of(changes: list[tuple[int, int]]) -> int:
    """The highest sum of bytes above those at the start."""
    now = peak = 0
    for _, size in changes:
        now += size
        peak = max(peak, now)
    return peak
