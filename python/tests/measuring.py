"""A graph run node by node, and the memory that its values take."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, fx
from torch.utils._pytree import tree_leaves


class Measuring(fx.Interpreter):
    """bytes: by node, of the storages that are in memory when it has run, those of the tensors in `apart` apart."""

    def __init__(self, graph: fx.GraphModule, apart: list[Any]) -> None:
        super().__init__(graph)
        self.bytes: dict[str, int] = {}
        self._apart = {pointer_of(tensor) for tensor in apart if isinstance(tensor, Tensor)}

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        is_for_compilers = n.target == torch.ops.aten.lift_fresh.default  # the program's step has no such node
        if n.op != "placeholder" and not is_for_compilers:
            leaves = tree_leaves([list(self.env.values()), result])
            storages = {pointer_of(leaf): leaf.untyped_storage() for leaf in leaves if isinstance(leaf, Tensor)}
            self.bytes[n.name] = sum(s.nbytes() for at, s in storages.items() if at not in self._apart)
        return result


def pointer_of(tensor: Tensor) -> int:
    return tensor.untyped_storage()._cdata
