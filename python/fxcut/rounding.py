"""Runs a joint graph once, and its backward again with values that are rounded as `--compress auto` rounds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.utils._pytree import tree_leaves

LEAST = 1e-12  # the program's and PyTorch's, by which no row of zeros is divided
ROUNDED = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


def rounded(value: Tensor, dtype: torch.dtype) -> Tensor:
    """What the backward gets of a value whose rows, along the last dimension, are scaled to the range of `dtype` and cast."""
    limits = torch.finfo(dtype)
    largest = value.abs().amax(-1, keepdim=True).double()
    scales = (largest.clamp_min(LEAST).reciprocal() * limits.max).float()
    crossing = (value.float() * scales).clamp_min(limits.min).clamp_max(limits.max).to(dtype)
    return (crossing.to(value.dtype) / scales).to(value.dtype)


class Step:
    """A joint graph that has run on given inputs, with all its values.

    values: by node. candidates: the calls that depend on no gradient, so that a forward can save them, and whose values are of
    floating-point numbers and have rows; no views of inputs. saved: those of them that the backward uses, itself or as a view,
    and that are no views.
    """

    def __init__(self, joint: fx.GraphModule, num_fwd_outputs: int, inputs: Mapping[str, Any]) -> None:
        """inputs: by placeholder; of missing tangents a scalar's is 1, others are drawn with one seed, always the same."""
        self._nodes = list(joint.graph.nodes)
        self._interpreter = fx.Interpreter(joint, garbage_collect_values=False)
        outputs = tree_leaves(self._nodes[-1].args)
        self._gradients = [leaf for leaf in outputs[num_fwd_outputs:] if isinstance(leaf, fx.Node)]
        self._after_tangents = _after_tangents(self._nodes)
        self._backward = self._after_tangents | _unneeded(self._nodes, outputs[:num_fwd_outputs])
        self.values: dict[fx.Node, Any] = {}
        with torch.no_grad():
            self._run(inputs)
        self._root = _roots(self._nodes, self.values)
        self.candidates = [node for node in self._nodes if self._is_candidate(node)]
        used = {self._root[node] for node in self._used_by_backward()}
        self.saved = [node for node in self.candidates if self._root[node] is node and node in used]

    def gradients(self, replaced: Mapping[fx.Node, Tensor] | None = None) -> list[Tensor]:
        """Of the step; with other values for some nodes, those that the backward computes from them. A view of a replaced value
        is a view of its replacement."""
        values = dict(replaced or {})
        with torch.no_grad():
            for node in self._nodes:
                again = node in self._backward or self._is_view(node)
                if again and node not in values and any(source in values for source in node.all_input_nodes):
                    values[node] = self._call(node, values)
        found = [values.get(node, self.values[node]) for node in self._gradients]
        return [one for one in found if isinstance(one, Tensor) and one.is_floating_point()]

    def _run(self, inputs: Mapping[str, Any]) -> None:
        drawn = torch.Generator().manual_seed(0)
        for node in self._nodes:
            if node.op == "placeholder":
                self.values[node] = inputs[node.name] if node.name in inputs else _tangent(node, drawn)
            elif node.op == "get_attr":
                self.values[node] = self._interpreter.fetch_attr(str(node.target))
            elif node.op == "call_function":
                self.values[node] = self._call(node, {})

    def _call(self, node: fx.Node, replaced: Mapping[fx.Node, Any]) -> Any:
        def value(source: fx.Node) -> Any:
            return replaced[source] if source in replaced else self.values[source]

        if node.target is torch.ops.aten.copy_.default:  # the step is measured once, its inputs stay as they were
            return value(node.args[1])  # type: ignore[arg-type]
        args, kwargs = fx.map_arg((node.args, node.kwargs), value)  # type: ignore[arg-type]
        return node.target(*args, **kwargs)  # type: ignore[operator]

    def _is_candidate(self, node: fx.Node) -> bool:
        value = self.values.get(node)
        is_savable = self._root[node].op == "call_function" and node not in self._after_tangents
        return is_savable and isinstance(value, Tensor) and value.dtype in ROUNDED and value.dim() > 0 and value.numel() > 0

    def _is_view(self, node: fx.Node) -> bool:
        return self._root.get(node, node) is not node

    def _used_by_backward(self) -> Iterable[fx.Node]:
        for node in self._backward:
            yield from (source for source in node.all_input_nodes if source not in self._after_tangents)


def _after_tangents(nodes: Sequence[fx.Node]) -> set[fx.Node]:
    """The calls that depend on a tangent."""
    after: set[fx.Node] = set()
    for node in nodes[:-1]:
        if any(source in after or source.name.startswith("tangents") for source in node.all_input_nodes):
            after.add(node)
    return after


def _unneeded(nodes: Sequence[fx.Node], outputs: Sequence[Any]) -> set[fx.Node]:
    """The calls that no output of the forward needs."""
    needed: set[fx.Node] = set()
    for node in reversed(nodes[:-1]):
        if node in outputs or any(user in needed for user in node.users):
            needed.add(node)
    return {node for node in nodes[:-1] if node.op == "call_function" and node not in needed}


def _tangent(node: fx.Node, generator: torch.Generator) -> Any:
    like = node.meta["val"]
    if not isinstance(like, Tensor):
        return like
    shape = [int(size) for size in like.shape]
    if not like.is_floating_point() or not shape:
        return torch.ones(shape, dtype=like.dtype, device=like.device)
    return torch.randn(shape, generator=generator).to(like.device, like.dtype)


def _storages(value: Any) -> set[int]:
    return {leaf.untyped_storage().data_ptr() for leaf in tree_leaves(value) if isinstance(leaf, Tensor) and leaf.numel() > 0}


def _roots(nodes: Sequence[fx.Node], values: Mapping[fx.Node, Any]) -> dict[fx.Node, fx.Node]:
    """By node, the one that computes the memory that its value is in; a tuple of views has one, another tuple is its own."""
    first: dict[int, fx.Node] = {}
    roots: dict[fx.Node, fx.Node] = {}
    for node in nodes:
        storages = _storages(values.get(node))
        known = storages and all(storage in first for storage in storages)
        roots[node] = first[min(storages, key=lambda one: nodes.index(first[one]))] if known else node
        if isinstance(values.get(node), Tensor):
            for storage in storages:
                first.setdefault(storage, node)
    return roots
