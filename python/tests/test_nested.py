"""Nested tensors, whose ragged size stands for no number."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import torch
from torch import Tensor, nn

import fxcut
from options import OPTIONS
from same_graph import read
from steps import assert_same_bits, compiled_step

pytestmark = pytest.mark.brief


class Ragged(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, nested: Tensor) -> Tensor:
        return torch.sin(self.layer(nested)).values().pow(2).sum()


def nested() -> Tensor:
    rows = [torch.randn(3, 8), torch.randn(5, 8)]
    return torch.nested.nested_tensor(rows, layout=torch.jagged, requires_grad=True)


@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_ragged_size_has_no_hint(backend: str, dynamic: bool | None, schema: Path) -> None:
    module = Ragged()
    (graph,) = fxcut.capture_with(backend=backend, dynamic=dynamic)(module, nested())
    assert json.loads(json.dumps(graph)) == graph
    jsonschema.validate(graph, read(schema))
    assert [symbol for symbol in graph["symbols"].values() if symbol["hint"] is None]


@pytest.mark.parametrize("option", ["nothing", "budget 0", "least saved"])
def test_nested_tensors_have_the_bits_of_plain(option: str) -> None:
    step = (Ragged(), {"nested": nested().detach()})
    assert_same_bits(compiled_step(step), compiled_step(step, fxcut.Partitioner(**OPTIONS[option])))
