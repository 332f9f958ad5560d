"""Symbols as they were before PyTorch replaced them.

While it traces, PyTorch finds that some symbolic sizes equal others, or numbers, and from then on shows those in their
place. Each number still holds what it was made with, and since 2.15 the partitioners look at that too.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.fx.experimental.symbolic_shapes import is_symbolic

SymbolicNumber = torch.SymInt | torch.SymFloat | torch.SymBool


def unreplaced_expression(number: SymbolicNumber) -> Any:
    """The sympy expression that the number was made with."""
    node = number.node
    renamed = node.shape_env.unbacked_renamings
    return node._expr.xreplace(renamed) if renamed else node._expr


def symbolic_numbers(tensor: Tensor) -> list[torch.SymInt]:
    """Sizes, strides and offset of a tensor, those that are symbolic."""
    numbers: list[int | torch.SymInt] = list(tensor.shape)
    if tensor.layout == torch.strided:
        numbers += [*tensor.stride(), tensor.storage_offset()]
    return [number for number in numbers if isinstance(number, torch.SymInt) and is_symbolic(number)]  # type: ignore[misc]
