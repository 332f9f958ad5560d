"""Runs a script as if this machine had a GPU, on fake tensors, so that what it compiles can be captured (`python -m fxcut.capture
SCRIPT --device h100`).

All tensors that the script makes are fake: they take no memory, and have no values. What it compiles runs operator by operator,
for no code is generated.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch import Tensor, fx, nn
from torch._inductor import compile_fx
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor, FakeTensorMode

from fxcut.cards import card_of
from fxcut.errors import FxcutError
from fxcut.joint_graphs import as_it_is
from fxcut.stand_in import REFUSAL, claim
from fxcut.torch_releases import taking_fake_inputs

Convert = Callable[[Tensor], Tensor]


class NeedsValues(FxcutError):
    """The script goes on from a tensor's value, or runs something on the GPU that stands in."""


def running_on_card(device: str) -> contextlib.AbstractContextManager[None]:
    """From this call on PyTorch finds that card in this process. Within the returned context all tensors are fake, and
    NeedsValues is raised if a value is needed.

    Raises what card_of and claim do.
    """
    claim(card_of(device))
    return _on_fake_tensors(device)


@contextlib.contextmanager
def _on_fake_tensors(device: str) -> Iterator[None]:
    with (
        FakeTensorMode(allow_non_fake_inputs=True),
        mock.patch.object(nn.Module, "_apply", _converting_fakes(nn.Module._apply)),
        mock.patch.object(compile_fx, "compile_fx", _without_code(compile_fx.compile_fx)),
        _values_missed(device),
    ):
        yield


@contextlib.contextmanager
def _values_missed(device: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not isinstance(error, DataDependentOutputException) and REFUSAL not in str(error):
            raise
        raise NeedsValues(
            f"the script needs the value of a tensor, or runs a kernel, and on the {device} that stands in nothing runs: have it "
            f"end before, or leave that out ({str(error).splitlines()[0]})"
        ) from error


def _without_code(compile_graph: Callable[..., Any]) -> Callable[..., Any]:
    def compiled(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Any:
        return compile_graph(module, inputs, **{"inner_compile": as_it_is, **options})

    return taking_fake_inputs(compiled)


class _Once:
    """A conversion of parameters that gives each the same answer again, so that what modules share they share afterwards."""

    def __init__(self, convert: Convert) -> None:
        self._convert = convert
        self._made: dict[int, tuple[Tensor, Tensor]] = {}

    def __call__(self, tensor: Tensor) -> Tensor:
        if id(tensor) not in self._made:
            self._made[id(tensor)] = tensor, self._converted(tensor)
        return self._made[id(tensor)][1]

    def _converted(self, tensor: Tensor) -> Tensor:
        with torch.no_grad():
            made = self._convert(tensor)
        return nn.Parameter(made, tensor.requires_grad) if isinstance(tensor, nn.Parameter) else made


def _converting_fakes(original: Callable[..., nn.Module]) -> Callable[..., nn.Module]:
    """nn.Module._apply, which `to` and `cuda` call, for fake parameters too, which PyTorch tries in vain to swap in place."""

    def apply(self: nn.Module, fn: Convert, recurse: bool = True) -> nn.Module:
        if not any(isinstance(one, FakeTensor) for one in self.parameters(recurse)):
            return original(self, fn, recurse)
        once = fn if isinstance(fn, _Once) else _Once(fn)
        for module in self.children() if recurse else ():
            module._apply(once)
        for held in (self._parameters, self._buffers):
            held.update({name: once(tensor) for name, tensor in held.items() if tensor is not None})  # type: ignore[misc]
        return self

    return apply
