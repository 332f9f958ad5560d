"""How long an operator takes in isolation, on tensors like those that a graph hands it."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, fx
from torch._dynamo.utils import preserve_rng_state
from torch.utils._mode_utils import no_dispatch
from torch.utils._pytree import tree_leaves, tree_map

from fxcut.to_json import UNBACKED_HINT
from fxcut.torch_releases import hint_of

# Of oneDNN's layers, whose backward reads what the forward has packed into bytes of its own: made up, it corrupts the heap.
OPAQUE = "mkldnn_rnn_layer"

MIN_RUNS, MAX_RUNS, ENOUGH_SECONDS = 5, 100, 5e-3


def description(argument: Any) -> str:
    """What distinguishes calls: for tensors everything known without their content, for constants the value."""
    return repr(tree_map(_described, argument))


def _described(argument: Any) -> Any:
    value = argument.meta.get("val") if isinstance(argument, fx.Node) else argument
    if isinstance(value, Tensor):
        return str(value.dtype), str(value.device), str(value.layout), _numbers(value.shape), _strides(value)
    if isinstance(value, torch.SymInt):
        return _number(value)
    return type(value).__name__, value


def milliseconds(node: fx.Node) -> float | None:
    """The median of several runs of a call_function node; None if it cannot run in isolation."""
    if any(isinstance(value, Tensor) and value.layout != torch.strided for value in _values(node)):
        return None
    try:
        refuse_opaque(str(node.target))
        with aside():
            args, kwargs = tree_map(_materialized, (node.args, node.kwargs))
            return _timed(lambda: node.target(*args, **kwargs), _device(node))  # type: ignore[operator]
    except Exception:  # whatever an operator has against arguments that are made up
        return None


def refuse_opaque(operator: str) -> None:
    """Raises ValueError for an operator that must not run on made-up bytes."""
    if OPAQUE in operator:
        raise ValueError("it reads bytes that only oneDNN can make")


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """As though nothing were being compiled, and without a trace: real tensors, and the random numbers as they were."""
    with no_dispatch(), torch._C._DisableAutocast(), torch.no_grad(), preserve_rng_state():
        yield


def _values(node: fx.Node) -> list[Any]:
    return [leaf.meta.get("val") for leaf in node.all_input_nodes]


def _device(node: fx.Node) -> torch.device:
    """Where it runs: where its result lies."""
    return next(value.device for value in tree_leaves(node.meta["val"]) if isinstance(value, Tensor))


def _materialized(argument: Any) -> Any:
    value = argument.meta["val"] if isinstance(argument, fx.Node) else argument
    if isinstance(value, Tensor):
        return _real(value)
    if isinstance(value, torch.SymInt):
        return _number(value)
    # As PyTorch's estimate_runtime has them.
    if isinstance(value, torch.SymFloat):
        return 1.0
    return True if isinstance(value, torch.SymBool) else value


def _real(fake: Tensor) -> Tensor:
    shape, stride = _numbers(fake.shape), _numbers(fake.stride())
    length = 1 + sum((size - 1) * step for size, step in zip(shape, stride)) if 0 not in shape else 0
    return made_up(length, fake.dtype, fake.device).as_strided(shape, stride)


def made_up(length: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Numbers that suit most operators: valid indices, otherwise numbers with a logarithm and an inverse."""
    if dtype.is_floating_point:
        return torch.rand(length, device=device).to(dtype)
    return torch.zeros(length, dtype=dtype, device=device)


def _numbers(sizes: Any) -> list[int]:
    return [_number(size) for size in sizes]


def _strides(value: Tensor) -> list[int]:
    return _numbers(value.stride()) if value.layout == torch.strided else []


def _number(size: int | torch.SymInt) -> int:
    return int(hint_of(size, UNBACKED_HINT)) if isinstance(size, torch.SymInt) else size


def _timed(call: Callable[[], Any], device: torch.device) -> float:
    if device.type != "cpu":
        from torch._inductor.runtime.benchmarking import benchmarker

        return float(benchmarker.benchmark_gpu(call))
    call()  # the first run has to find its kernel
    seconds: list[float] = []
    while len(seconds) < MIN_RUNS or (sum(seconds) < ENOUGH_SECONDS and len(seconds) < MAX_RUNS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1e3
