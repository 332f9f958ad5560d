"""One training step under a partition function, and what it computed."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._functorch.partitioners import min_cut_rematerialization_partition

from fxcut.torch_releases import CustomPartitionerFn, inductor_partitions_by

Step = tuple[nn.Module, dict[str, Any]]


class Computed(NamedTuple):
    """Loss and gradients by parameter name, and of each graph both sides' nodes: name, target, arguments.

    tagged: how many nodes of the graphs are to be recomputed by activation checkpointing.
    symbols: how many inputs are symbolic sizes.
    """

    loss: Tensor
    gradients: dict[str, Tensor]
    sides: list[tuple[list[tuple[Any, ...]], ...]]
    tagged: int
    symbols: int


class Watched(CustomPartitionerFn):
    """A partition function that keeps the nodes of what it returned, and counts in the graphs that it is given."""

    def __init__(self, partition: Callable[..., Any]) -> None:
        self.sides: list[tuple[list[tuple[Any, ...]], ...]] = []
        self.tagged = 0
        self.symbols = 0
        self._partition = partition

    def __call__(self, gm: Any, joint_inputs: Any, **kwargs: Any) -> Any:
        inputs = gm.graph.find_nodes(op="placeholder")
        self.tagged += sum("recompute" in node.meta for node in gm.graph.nodes)
        self.symbols += sum(isinstance(node.meta.get("val"), torch.SymInt) for node in inputs)
        modules = self._partition(gm, joint_inputs, **kwargs)
        self.sides.append(
            tuple([(n.name, n.target, str(n.args), str(n.kwargs)) for n in m.graph.nodes] for m in modules)
        )
        return modules

    def __getstate__(self) -> dict[str, Any]:
        """PyTorch's caches have it pickled in their keys, and targets of nodes cannot be in each release."""
        return {}

    def uuid(self) -> str:
        """Another one each time, so that no cache keeps the partition from being made."""
        return uuid.uuid4().hex


def eager_step(step: Step) -> Computed:
    return _computed(step, step[0], Watched(min_cut_rematerialization_partition))


def compiled_step(
    step: Step,
    partition: Callable[..., Any] = min_cut_rematerialization_partition,
    *,
    backend: str = "aot_eager",
    dynamic: bool | None = None,
) -> Computed:
    """backend: "aot_eager" or "inductor"."""
    torch.compiler.reset()
    watched = Watched(partition)
    if backend == "inductor":
        with inductor_partitions_by(watched):
            return _computed(step, torch.compile(step[0], dynamic=dynamic), watched)
    eager = aot_autograd(fw_compiler=boxed_nop, partition_fn=watched, keep_inference_input_mutations=True)
    return _computed(step, torch.compile(step[0], backend=eager, dynamic=dynamic), watched)


def _computed(step: Step, module: Callable[..., Tensor], watched: Watched) -> Computed:
    model, inputs = step
    # What Dynamo finds out of an input it writes on the tensor, and the next compilation would find it there.
    inputs = {name: value.clone() for name, value in inputs.items()}
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    model.zero_grad()
    torch.manual_seed(1)
    loss = module(**inputs)
    loss.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    with torch.no_grad():
        for name, buffer in model.named_buffers():
            buffer.copy_(buffers[name])
    return Computed(loss.detach(), gradients, watched.sides, watched.tagged, watched.symbols)


def assert_same_bits(one: Computed, other: Computed) -> None:
    assert torch.equal(one.loss, other.loss)
    assert one.gradients.keys() == other.gradients.keys() and one.gradients
    different = [name for name, gradient in one.gradients.items() if not torch.equal(gradient, other.gradients[name])]
    assert different == []


def assert_close(one: Computed, other: Computed) -> None:
    torch.testing.assert_close(one.loss, other.loss)
    assert one.gradients.keys() == other.gradients.keys() and one.gradients
    for name, gradient in one.gradients.items():
        torch.testing.assert_close(
            gradient, other.gradients[name], rtol=1e-3, atol=1e-4, msg=lambda m, name=name: f"{name}: {m}"
        )
