"""How long a call takes on a device: the least of several runs, warm."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

MIN_RUNS, ENOUGH_SECONDS = 3, 1.0
CALLS = 10  # on a GPU, of which the time is the mean: one is launched while the one before it runs

Call = Callable[[], Any]


def seconds(call: Call, device: torch.device, enough: float = ENOUGH_SECONDS) -> float:
    """Seconds of a call, warm: the least of several runs. enough: seconds after which only the minimum number of runs is
    completed."""
    call()  # finds its kernel, and has caches and pools made
    if device.type == "cuda":
        return _least(lambda: _seconds_on_gpu(call, CALLS), enough)
    return _least(lambda: _seconds_on_cpu(call), enough)


def seconds_in_cuda_graph(call: Call, count: int) -> float:
    """Seconds of a call among `count` in one CUDA graph, which the CPU launches at once."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):  # a capture is to meet nothing that runs for the first time
        call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(count):
            call()
    return seconds(graph.replay, torch.device("cuda")) / count


def _least(run: Callable[[], float], enough: float) -> float:
    start, found = time.perf_counter(), [run()]
    while len(found) < MIN_RUNS or time.perf_counter() - start < enough:
        found.append(run())
    return min(found)


def _seconds_on_cpu(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _seconds_on_gpu(call: Call, calls: int) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / calls
