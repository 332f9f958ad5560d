"""What a training step has in memory besides what its forward and backward allocate, and what the optimizer's step takes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from fxcut.allocations import taken
from fxcut.errors import InvalidArgument
from fxcut.fake_step import FakeStep, storage_bytes
from fxcut.sizes import bytes_of

Optimizer = torch.optim.Optimizer | str | int | None

ONE = torch.ones(())
NAMED: dict[str, Callable[[list[Tensor]], torch.optim.Optimizer]] = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.1),
    "sgd+momentum": lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
}


class OptimizerMemory(NamedTuple):
    """state_bytes: kept from one step to the next. working_bytes: the most that its step takes in addition."""

    state_bytes: int = 0
    working_bytes: int = 0


class Resident(NamedTuple):
    """Bytes in use on the step's device while forward and backward run.

    gradient_bytes: of all parameters that get one; in memory before the step only where gradients accumulate.
    """

    parameters: int
    buffers: int
    optimizer: OptimizerMemory
    inputs: int
    gradient_bytes: int


def resident_memory(step: FakeStep, device: str, optimizer: Optimizer) -> Resident:
    """device: the type of the device that counts. optimizer: one of NAMED, one that was copied with the step, or bytes of state.

    Raises InvalidArgument for another optimizer.
    """
    parameters = list(step.model.parameters())
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    all_kept = [*parameters, *step.model.buffers()]
    own = storage_bytes(parameters, device)
    return Resident(
        parameters=own,
        buffers=storage_bytes(all_kept, device) - own,
        optimizer=_optimizer_memory(step, trained, device, optimizer),
        inputs=storage_bytes([*all_kept, *step.input_tensors()], device) - storage_bytes(all_kept, device),
        gradient_bytes=sum(
            taken(one.numel() * one.element_size(), device) for one in trained if one.device.type == device
        ),
    )


def _optimizer_memory(step: FakeStep, trained: list[Tensor], device: str, optimizer: Optimizer) -> OptimizerMemory:
    if optimizer is None:
        return OptimizerMemory()
    if isinstance(optimizer, torch.optim.Optimizer):
        return _measured(step.optimizer or optimizer, device)
    if isinstance(optimizer, str) and optimizer in NAMED:
        return _measured(NAMED[optimizer](trained), device)
    names = ", ".join(NAMED)
    return OptimizerMemory(bytes_of(f"fxcut.fit: optimizer: {names}, a torch.optim.Optimizer, or bytes of state", optimizer))


def _measured(optimizer: torch.optim.Optimizer, device: str) -> OptimizerMemory:
    """Of one step on fake parameters. Its scalars are real, for optimizers read them."""
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = torch.empty_like(parameter)
        # PyTorch takes this way of its own accord for parameters on a GPU, but not for fake ones.
        if device == "cuda" and group.get("foreach", False) is None and not group.get("fused"):
            group["foreach"] = True
    before = _state_bytes(optimizer, device)
    with _Allocated(device) as allocated, torch.no_grad():
        try:
            optimizer.step()
        except Exception as error:
            raise InvalidArgument(
                f"fxcut.fit: optimizer: {type(optimizer).__name__} cannot step on fake tensors: {type(error).__name__}: {error}. "
                f"Give its state in bytes instead."
            ) from error
    optimizer.zero_grad()
    after = _state_bytes(optimizer, device)
    return OptimizerMemory(after, max(allocated.peak - (after - before), 0))


def _state_bytes(optimizer: torch.optim.Optimizer, device: str) -> int:
    leaves = tree_leaves(list(optimizer.state.values()))
    return storage_bytes([leaf for leaf in leaves if isinstance(leaf, Tensor)], device)


class _Allocated(TorchDispatchMode):
    """Adds up the storages on a device that operators make, as long as they live."""

    def __init__(self, device: str) -> None:
        super().__init__()
        self.peak = self._now = 0
        self._device = device
        self._known: weakref.WeakSet[Any] = weakref.WeakSet()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.ops.aten._local_scalar_dense.default and isinstance(args[0], FakeTensor):
            return ONE.to(args[0].dtype).item()  # whatever it is, memory does not depend on it
        taken = [leaf.untyped_storage() for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
        self._known.update(taken)
        made = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(made):
            if isinstance(leaf, Tensor) and leaf.device.type == self._device:
                self._count(leaf.untyped_storage())
        return made

    def _count(self, storage: Any) -> None:
        if storage in self._known:
            return
        self._known.add(storage)
        size = taken(storage.nbytes(), self._device)
        self._now += size
        self.peak = max(self.peak, self._now)
        weakref.finalize(storage, self._free, size)

    def _free(self, size: int) -> None:
        self._now -= size
