"""Parameters are static even if the joint graph has them in parts: PyTorch's numbers of static inputs are from before that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.testing._internal.two_tensor import TwoTensor

import fxcut
from fxcut.torch_releases import PARTS_OF_PARAMETERS

pytestmark = pytest.mark.brief


class Model(nn.Module):
    """The input comes between its parameters."""

    def __init__(self, first: Tensor, second: Tensor) -> None:
        super().__init__()
        self.first, self.second = nn.Parameter(first), nn.Parameter(second)

    def forward(self, x: Tensor) -> Tensor:
        return (x @ self.first @ self.second).sin()


@pytest.fixture
def process_group() -> Iterator[None]:
    torch.distributed.init_process_group("fake", rank=0, world_size=1, store=FakeStore())
    yield
    torch.distributed.destroy_process_group()


def _shapes_of_inputs(model: nn.Module, x: Tensor) -> tuple[list[list[int]], list[list[int]]]:
    """Of the tensors that are static, and of the others."""
    graph, *_ = fxcut.capture_with(backend="aot_eager")(model, x)
    primals = [node for node in graph["nodes"] if node["op"] == "placeholder" and node["name"].startswith("primals")]
    shapes: tuple[list[list[int]], list[list[int]]] = ([], [])
    for primal in primals:
        if primal["val"]["kind"] == "tensor":
            shapes[primal["name"] not in graph["static_lifetime_inputs"]].append(primal["val"]["shape"])
    tensors = [primal["name"] for primal in primals if primal["val"]["kind"] == "tensor"]
    assert set(graph["static_lifetime_inputs"]) <= set(tensors)
    return shapes


def test_of_plain_parameters() -> None:
    model = Model(torch.randn(4, 4), torch.randn(4, 4))
    assert _shapes_of_inputs(model, torch.randn(3, 4)) == ([[4, 4]] * 2, [[3, 4]])


@pytest.mark.skipif(not PARTS_OF_PARAMETERS.is_met(), reason=PARTS_OF_PARAMETERS.refusal())
def test_of_a_subclass_both_parts() -> None:
    model = Model(*(TwoTensor(torch.randn(4, 4), torch.randn(4, 4)) for _ in range(2)))
    assert _shapes_of_inputs(model, torch.randn(3, 4)) == ([[4, 4]] * 4, [[3, 4]])


def test_of_dtensors_the_local_tensors(process_group: None) -> None:
    mesh = init_device_mesh("cpu", (1,))
    model = Model(*(distribute_tensor(torch.randn(4, 4), mesh, [Shard(0)]) for _ in range(2)))
    x = distribute_tensor(torch.randn(3, 4), mesh, [Replicate()])
    assert _shapes_of_inputs(model, x) == ([[4, 4]] * 2, [[3, 4]])


def test_an_input_that_is_given_twice_shifts_nothing() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.randn(4, 4))

        def forward(self, x: Tensor, again: Tensor) -> Tensor:
            return (x @ again @ self.weight).sin()

    x = torch.randn(4, 4)
    graph, *_ = fxcut.capture_with(backend="aot_eager")(Twice(), x, x)
    assert len(graph["static_lifetime_inputs"]) == 1
