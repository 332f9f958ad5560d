"""Inputs that AOTAutograd writes to after the forward: the backward has what was in them before."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop

import fxcut
from fxcut.torch_releases import PARTS_OF_PARAMETERS

pytestmark = [
    pytest.mark.brief,
    pytest.mark.skipif(not PARTS_OF_PARAMETERS.is_met(), reason="outputs do not say of which input they are"),
]


class Normalised(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3)
        self.norm, self.last = nn.BatchNorm2d(8), nn.BatchNorm2d(8)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.norm(self.first(x)))
        return self.last(self.second(x)).square().sum()


class Counting(nn.Module):
    """Its backward takes a buffer, and a view of another one, as they are before the forward writes to them."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.register_buffer("count", torch.ones(()))
        self.register_buffer("mean", torch.rand(8, 8))

    def forward(self, x: Tensor) -> Tensor:
        x = self.linear(x) * self.count.clone() @ fxcut.checkpoint_name(self.mean, "mean").t().clone()
        self.count.add_(1)
        self.mean.mul_(0.9)
        return x.sin().sum()


class WritingToInput(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        y = self.linear(x.clone()).sin()
        x.mul_(2)
        return (y * x).sum()


MODELS = {
    "normalised": (Normalised, (2, 3, 8, 8)),
    "counting": (Counting, (4, 8)),
    "writing to an input": (WritingToInput, (4, 8)),
}


def steps(model: nn.Module, compiled: Any, shape: tuple[int, ...], requires_grad: bool) -> list[Tensor]:
    """What two steps change and compute."""
    torch.manual_seed(1)
    found: list[Tensor] = []
    for _ in range(2):
        leaf = torch.randn(shape, requires_grad=requires_grad)
        x = leaf * 1
        model.zero_grad()
        compiled(x).backward()
        found += [x.detach(), *(one.clone() for one in model.buffers())]
        found += [one.grad.clone() for one in (leaf, *model.parameters()) if one.grad is not None]
    return found


def trained(name: str, requires_grad: bool, **backend: Any) -> list[Tensor]:
    torch.compiler.reset()
    torch.manual_seed(0)
    make, shape = MODELS[name]
    model = make()
    compiled = torch.compile(model, backend=aot_autograd(fw_compiler=boxed_nop, **backend)) if backend else model
    return steps(model, compiled, shape, requires_grad)


@pytest.mark.parametrize("requires_grad", [False, True], ids=["data", "activations"])
@pytest.mark.parametrize("name", MODELS)
def test_they_are_saved_as_copies(name: str, requires_grad: bool) -> None:
    expected = trained(name, requires_grad)
    least = fxcut.Partitioner(saved_bytes="least")
    found = trained(name, requires_grad, partition_fn=least)
    for one, other in zip(expected, found, strict=True):
        torch.testing.assert_close(other, one)


def test_the_report_tells() -> None:
    least = fxcut.Partitioner(saved_bytes="least")
    trained("counting", False, partition_fn=least)
    [warning] = [one for one in least.reports[0].warnings if "copies" in one]
    assert warning.endswith("are saved, because AOTAutograd writes to the inputs after the forward")


def test_what_the_graph_itself_writes_to_is_not_copied() -> None:
    least = fxcut.Partitioner(saved_bytes="least")
    trained("counting", False, partition_fn=least, keep_inference_input_mutations=True)
    assert not any("copies" in one for one in least.reports[0].warnings)
