"""A model, its inputs and its optimizer as fake tensors, which have sizes and devices and take no memory."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any
from unittest import mock

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeCopyMode, FakeTensor, FakeTensorMode
from torch._subclasses.meta_utils import MetaTensorDescriber
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._pytree import tree_leaves

from fxcut.allocations import taken
from fxcut.errors import InvalidArgument


class FakeStep:
    """A copy of a training step; the original is left unchanged.

    mode: of its tensors. model, args, kwargs: the call. optimizer: the copy of the one given, for the copied parameters.
    """

    def __init__(
        self,
        model: nn.Module,
        inputs: Any,
        optimizer: torch.optim.Optimizer | None = None,
        device: torch.device | None = None,
    ) -> None:
        """inputs: a tensor, a sequence of arguments, or a mapping of keyword arguments. device: of FakeCopies.

        Raises InvalidArgument for what is not a module, or cannot be copied.
        """
        model = getattr(model, "_orig_mod", model)  # of one that torch.compile was given
        if not isinstance(model, nn.Module):
            raise InvalidArgument(f"fxcut.fit: model: expected a torch.nn.Module, found {type(model).__name__}")
        copies = FakeCopies(_tensors(model, inputs), device)
        self.mode = copies.mode
        self.model, inputs, self.optimizer = copies.of((model, inputs, optimizer))
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


class FakeCopies:
    """Copies of modules and of whatever else copy.deepcopy copies, with fake tensors for real ones.

    mode: of the tensors. memo: by its id, what is to stand for a thing in later copies; as of copy.deepcopy.
    """

    def __init__(self, tensors: Iterable[Tensor] = (), device: torch.device | None = None) -> None:
        """tensors: some, or all, of those to come: fake ones among them are taken as they are, and theirs is the mode.
        device: where all copies are, fake ones of others too; else each is where the tensor is that it is a copy of."""
        fake = [one for one in tensors if isinstance(one, FakeTensor)] if device is None else []
        self.mode = fake[0].fake_mode if fake else fake_mode()
        self.memo: dict[int, Any] = {id(one): one for one in fake}
        self._device = device

    def of(self, given: Any) -> Any:
        """Raises InvalidArgument for what copy.deepcopy does not copy."""
        try:
            with _described_as_on(self._device), FakeCopyMode(self.mode):
                return copy.deepcopy(given, self.memo)
        except Exception as error:
            raise InvalidArgument(
                f"fxcut: the model, its inputs or its optimizer cannot be copied as fake tensors: {type(error).__name__}: "
                f"{error}. They have to be such that copy.deepcopy copies them."
            ) from error


def fake_mode() -> FakeTensorMode:
    """It has symbols, for which loops (`while_loop`) ask, but none for values: what needs those fails."""
    symbols = ShapeEnv(allow_scalar_outputs=False, allow_dynamic_output_shape_ops=False)
    return FakeTensorMode(allow_non_fake_inputs=True, shape_env=symbols)


def _described_as_on(device: torch.device | None) -> contextlib.AbstractContextManager[Any]:
    """Within it, fake tensors are made as if their originals were on that device."""
    if device is None:
        return contextlib.nullcontext()
    describe = MetaTensorDescriber.describe_tensor

    def described(self: MetaTensorDescriber, *args: Any, **kwargs: Any) -> Any:
        return dataclasses.replace(describe(self, *args, **kwargs), device=device)

    return mock.patch.object(MetaTensorDescriber, "describe_tensor", described)
