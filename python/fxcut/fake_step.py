"""A model, its inputs and its optimizer as fake tensors, which have sizes and devices and take no memory."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeCopyMode, FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_leaves

from fxcut.allocations import taken
from fxcut.errors import InvalidArgument


class FakeStep:
    """A copy of a training step; what it is a copy of is left as it is.

    mode: of its tensors. model, args, kwargs: the call. optimizer: the copy of the one given, for the copied parameters.
    """

    def __init__(self, model: nn.Module, inputs: Any, optimizer: torch.optim.Optimizer | None = None) -> None:
        """inputs: a tensor, a sequence of arguments, or a mapping of keyword arguments. What is fake already is taken as it is.

        Raises InvalidArgument for what is no module, or cannot be copied.
        """
        model = getattr(model, "_orig_mod", model)  # of one that torch.compile was given
        if not isinstance(model, nn.Module):
            raise InvalidArgument(f"fxcut.fit: model: expected a torch.nn.Module, found {type(model).__name__}")
        fake = [tensor for tensor in _tensors(model, inputs) if isinstance(tensor, FakeTensor)]
        self.mode = fake[0].fake_mode if fake else FakeTensorMode(allow_non_fake_inputs=True)
        as_they_are = {id(tensor): tensor for tensor in fake}
        self.model, inputs, self.optimizer = _copied((model, inputs, optimizer), as_they_are, self.mode)
        self.kwargs = dict(inputs) if isinstance(inputs, Mapping) else {}
        self.args = () if isinstance(inputs, Mapping) else tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)

    def input_tensors(self) -> list[Tensor]:
        return [leaf for leaf in tree_leaves((self.args, self.kwargs)) if isinstance(leaf, Tensor)]


def storage_bytes(tensors: list[Tensor], device: str) -> int:
    """What the device takes for the storages of those that are on devices of that type, each counted once."""
    storages = {tensor.untyped_storage()._cdata: tensor.untyped_storage() for tensor in tensors if tensor.device.type == device}
    return sum(taken(storage.nbytes(), device) for storage in storages.values())


def _tensors(model: nn.Module, inputs: Any) -> list[Tensor]:
    values = inputs.values() if isinstance(inputs, Mapping) else [inputs]
    return [*model.parameters(), *model.buffers(), *(leaf for leaf in tree_leaves(list(values)) if isinstance(leaf, Tensor))]


def _copied(given: Any, as_they_are: dict[int, Any], mode: FakeTensorMode) -> Any:
    try:
        with FakeCopyMode(mode):
            return copy.deepcopy(given, as_they_are)
    except Exception as error:
        raise InvalidArgument(
            f"fxcut.fit: the model, its inputs or its optimizer cannot be copied as fake tensors: {type(error).__name__}: "
            f"{error}. They have to be such that copy.deepcopy copies them."
        ) from error
