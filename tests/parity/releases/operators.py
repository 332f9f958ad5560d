"""Custom operators for the recorded functions: one that computes, one that writes to its argument, and one with effects."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

LIBRARY = torch.library.Library("recorded", "DEF")


def define(schema: str, implementation: Any) -> Any:
    """An operator that computes the same on every device, and on fake tensors."""
    name = schema.split("(")[0]
    LIBRARY.define(schema, tags=[torch.Tag.pt2_compliant_tag])
    LIBRARY.impl(name, implementation, "CompositeExplicitAutograd")
    return getattr(torch.ops.recorded, name).default


def compute(x: Tensor, s: float) -> Tensor:
    return torch.tanh(x) * s


def write(sums: Tensor, x: Tensor) -> None:
    sums.add_(x)


def report(x: Tensor) -> None:
    """Would tell somebody of the value."""


scaled_tanh = define("scaled_tanh(Tensor x, float s) -> Tensor", compute)
add_to = define("add_to(Tensor(a!) sums, Tensor x) -> ()", write)
reported = define("report(Tensor x) -> ()", report)


def remember(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(output)
    ctx.scale = inputs[1]


def differentiate(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
    (output,) = ctx.saved_tensors
    return gradient * (ctx.scale - output * output / ctx.scale), None


torch.library.register_autograd("recorded::scaled_tanh", differentiate, setup_context=remember, lib=LIBRARY)


def has_effects() -> None:
    """Tells PyTorch that `reported` has effects, whose order is that of the program."""
    from torch._higher_order_ops.effects import _EffectType, _register_effectful_op

    _register_effectful_op(reported, _EffectType.ORDERED)
