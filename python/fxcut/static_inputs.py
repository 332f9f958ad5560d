"""Which primals of a joint graph are always resident: parameters and buffers.

PyTorch says so by numbers of the step's own inputs. In the joint graph these are others: a tensor subclass has become the tensors
in it and, as a DTensor's mesh, opaque objects, duplicates have gone, and tokens of effects have come before all. But the
descriptor of each placeholder (torch._functorch._aot_autograd.descriptors) says which input it is of, since 2.9.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch import fx

from fxcut.torch_releases import BufferAOTInput, ParamAOTInput, PlainAOTInput

SEEDS = ("fwd_seed", "fwd_base_offset", "bwd_seed", "bwd_base_offset")


def is_primal(node: fx.Node) -> bool:
    """A placeholder of the step's own inputs: neither a gradient that comes in nor a random generator's seed."""
    return node.op == "placeholder" and not is_tangent(node) and not any(seed in str(node.target) for seed in SEEDS)


def is_tangent(node: fx.Node) -> bool:
    """A placeholder of a gradient that comes in."""
    return node.op == "placeholder" and "tangents" in str(node.target)


def static_primals(joint: fx.GraphModule, static_lifetime_input_indices: Sequence[int] | None) -> list[fx.Node]:
    """In order. static_lifetime_input_indices: as PyTorch passes them to a partitioner.

    Without descriptors, as of a graph that was made by hand or by an older PyTorch, the numbers are those of the primals.
    """
    primals = [node for node in joint.graph.nodes if is_primal(node)]
    indices = set(static_lifetime_input_indices or ())
    inputs = [input_of(node.meta.get("desc")) for node in primals]
    if any(one is None for one in inputs):
        return [node for index, node in enumerate(primals) if index in indices]
    lifted = {one for one in inputs if isinstance(one, (ParamAOTInput, BufferAOTInput))}  # they come first
    return [node for node, one in zip(primals, inputs) if _is_tensor(node) and _is_static(one, indices, len(lifted))]


def input_of(descriptor: Any) -> Any:
    """The descriptor of the step's input that this one is of a part, or a view, of."""
    while descriptor is not None:
        inner = getattr(descriptor, "base", None) or getattr(descriptor, "base_of", None)
        if inner is None:
            break
        descriptor = inner
    return descriptor


def _is_static(one: Any, indices: Collection[int], lifted: int) -> bool:
    if isinstance(one, PlainAOTInput):
        return one.idx + lifted in indices
    return isinstance(one, (ParamAOTInput, BufferAOTInput))


def _is_tensor(node: fx.Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)
