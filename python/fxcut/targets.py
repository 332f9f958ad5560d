"""What a node calls, as an object in PyTorch and as a name in the JSON form; one is the inverse of the other."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch

from fxcut.errors import FxcutError
from fxcut.torch_releases import OFFLOADING_OPERATORS

HIGHER_ORDER = "higher_order."
BARRIER = "xla.optimization_barrier.default"  # the default of recompute_barrier_operator; no dialect offloads by it
REGISTERED_BY = {"ao": "torch._functorch._activation_offloading.offload_ops"}


class UnknownTarget(FxcutError):
    """The answer calls something that this PyTorch does not have."""


def target_name(target: Any) -> str:
    """`aten.mm.default`, `higher_order.cond`, `operator.getitem`; a placeholder's target is its name already."""
    if isinstance(target, str):
        return target
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return HIGHER_ORDER + target.name()
    module = getattr(target, "__module__", None) or ""
    module = "operator" if module == "_operator" else module
    return f"{module}.{getattr(target, '__name__', repr(target))}"


def target_of(name: str) -> Callable[..., Any]:
    """The operator or function of a name.

    Raises UnsupportedTorch where this PyTorch is older than what registers it, and UnknownTarget where PyTorch has none of that
    name, for example because the library that registers it has not been imported.
    """
    try:
        if name.startswith(HIGHER_ORDER):
            return getattr(torch.ops.higher_order, name.removeprefix(HIGHER_ORDER))
        parts = name.split(".")
        if parts[0] in REGISTERED_BY:
            OFFLOADING_OPERATORS.check()
            importlib.import_module(REGISTERED_BY[parts[0]])
        if len(parts) == 3 and hasattr(torch.ops, parts[0]):
            packet = getattr(getattr(torch.ops, parts[0]), parts[1])
            return getattr(packet, parts[2])
        module, _, function = name.rpartition(".")
        return getattr(importlib.import_module(module), function)
    except (AttributeError, ImportError, ValueError) as error:
        raise UnknownTarget(
            f"fxcut's answer calls {name}, which this PyTorch does not have. If a library registers it, import that "
            f"library first; else {_instead_of(name)}."
        ) from error


def _instead_of(name: str) -> str:
    if name == BARRIER:
        return "leave out the setting recompute_barrier, or have recompute_barrier_operator name another operator"
    return "choose another offload_dialect"
