"""Names for values, by which a policy saves, recomputes or offloads them.

A name is an operator, because that is what every tracer carries into the graph: it takes a tensor and a name and
returns the tensor's content. The package's partitioner takes it out of the graph again before anything is decided
(names_in_graph), so a name by itself changes neither the decision nor the code. Elsewhere it is a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nested._internal.nested_tensor import NestedTensor
from torch.nested._internal.ops import jagged_unary_pointwise

from fxcut.errors import InvalidArgument
from fxcut.torch_releases import operator_of_subclass

OPERATOR = "fxcut::checkpoint_name"

torch.library.define(OPERATOR, "(Tensor x, str name) -> Tensor", tags=(torch.Tag.pt2_compliant_tag,))


@torch.library.impl(OPERATOR, "CompositeExplicitAutograd")
def _copy(x: torch.Tensor, name: str) -> torch.Tensor:
    return x.clone()


@torch.library.register_fake(OPERATOR)
def _fake(x: torch.Tensor, name: str) -> torch.Tensor:
    return torch.empty_like(x)


def _backward(context: object, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
    return gradient, None


torch.library.register_autograd(OPERATOR, _backward)


@operator_of_subclass(OPERATOR, NestedTensor)
def _nested(
    _: type, operator: Callable[..., torch.Tensor], types: object, args: tuple[Any, ...], kwargs: object
) -> torch.Tensor:
    """A jagged nested tensor hands on to its values whatever works element by element."""
    return jagged_unary_pointwise(operator, *args)


NAMING_OPERATOR = torch.ops.fxcut.checkpoint_name.default


def checkpoint_name(x: torch.Tensor, name: str) -> torch.Tensor:
    """x under a name, of the same shape, dtype and device; its gradient is passed on unchanged.

    x: a tensor of any shape.
    name: what options such as `save_names` call it; one name may stand for many values.

    Raises TypeError for a name that is not text, and InvalidArgument for an empty one or one with a comma, which separates names
    in options.
    """
    if not isinstance(name, str):
        raise TypeError(f"fxcut.checkpoint_name: name: expected a str, found {name!r}, of type {type(name).__name__}")
    if not name or "," in name:
        raise InvalidArgument(f"fxcut.checkpoint_name: {name!r} is not a name: expected at least one character and no comma")
    return NAMING_OPERATOR(x, name)
