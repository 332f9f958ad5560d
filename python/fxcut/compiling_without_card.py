"""Replaces what inductor runs on the GPU while it compiles, for a stand-in GPU in a process of its own."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import torch
from torch._inductor.fx_passes import joint_graph, pad_mm
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils._python_dispatch import TorchDispatchMode

from fxcut.binary import log

CPU = torch.device("cpu")


def without_running_on_card() -> None:
    """From now on constants are folded on the CPU, no product is measured, and Triton builds no driver."""
    folder = joint_graph.UniformValueConstantFolder  # computes one element of tensors whose elements are all alike
    folder.__init__ = _on_cpu(folder.__init__)  # type: ignore[method-assign]
    folder.run = _on_cpu(folder.run)  # type: ignore[method-assign]
    pad_mm.is_mm_compute_bound = _not_measured
    with contextlib.suppress(ModuleNotFoundError):
        from triton.backends.driver import GPUDriver  # type: ignore[import-not-found,import-untyped]
        from triton.backends.nvidia.driver import CudaDriver  # type: ignore[import-not-found,import-untyped]

        CudaDriver.__init__ = GPUDriver.__init__  # knows the card, and has no functions compiled that launch kernels


class _Constants(TorchDispatchMode):
    """Within it, tensors are made on the CPU that were to be on a GPU."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func is torch.ops.prims.device_put.default:
            return args[0]
        if torch.device(kwargs.get("device") or CPU) != CPU:
            kwargs["device"] = CPU
        return func(*args, **kwargs)


def _on_cpu(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        with unset_fake_temporarily(), _Constants():
            return method(*args, **kwargs)

    return run


@functools.cache
def _not_measured(m: int, k: int, n: int, dtype: torch.dtype) -> bool:
    """Replaces is_mm_compute_bound, after which inductor measures whether padding a product pays: it does not."""
    log.warning(
        "fxcut: inductor would measure on the GPU whether a product of %s x %s by %s x %s in %s is faster with sizes that are "
        "multiples of %s, and pad it then; here it is not padded",
        *(m, k, k, n, str(dtype).removeprefix("torch."), pad_mm.get_alignment_size_dtype(dtype)),
    )
    return False
