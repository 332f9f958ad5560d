"""Jagged nested tensors, whose ragged size stands for no number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch
from torch import Tensor, nn

import fxcut
from options import OPTIONS
from same_graph import read
from steps import Step, assert_same_bits, compiled_step

BACKENDS = ("aot_eager", "inductor")
QUICK_UNDER_INDUCTOR = ("budget 0",)
BRIEF = {("nothing", "aot_eager"), ("offload names", "aot_eager"), ("budget 0", "aot_eager")}


class Ragged(nn.Module):
    """Attention within each row, which PyTorch compiles for a CPU only once the rows are padded, dropout, and names."""

    def __init__(self) -> None:
        super().__init__()
        self.query_key_value, self.contract = nn.Linear(8, 24), nn.Linear(8, 8)

    def attention(self, nested: Tensor) -> Tensor:
        query, key, value = torch.nested.to_padded_tensor(self.query_key_value(nested), 0.0).chunk(3, -1)
        scores = fxcut.checkpoint_name(query @ key.transpose(-1, -2), "scores")
        return nn.functional.dropout(torch.softmax(torch.cos(scores), -1), 0.2) @ value

    def forward(self, nested: Tensor) -> Tensor:
        hidden = fxcut.checkpoint_name(torch.sin(nn.functional.dropout(self.contract(nested), 0.3)), "hidden")
        return torch.cos(hidden).values().pow(2).sum() + self.attention(hidden).pow(2).sum()


def step() -> Step:
    rows = [torch.randn(3, 8), torch.randn(5, 8)]
    return Ragged(), {"nested": torch.nested.nested_tensor(rows, layout=torch.jagged)}


@pytest.mark.brief
@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_ragged_size_has_no_hint(backend: str, dynamic: bool | None, schema: Path) -> None:
    module, inputs = step()
    (graph,) = fxcut.capture_with(backend=backend, dynamic=dynamic)(module, **inputs)
    assert json.loads(json.dumps(graph)) == graph
    jsonschema.validate(graph, read(schema))
    assert [symbol for symbol in graph["symbols"].values() if symbol["hint"] is None]


def some_options() -> Iterator[Any]:
    for option in ("nothing", "save names", "recompute names", "offload names", "budget 0", "least saved", "least peak"):
        for backend in BACKENDS:
            is_quick = backend == "aot_eager" or option in QUICK_UNDER_INDUCTOR
            marks = [] if is_quick else [pytest.mark.full]
            if (option, backend) in BRIEF:
                marks.append(pytest.mark.brief)
            yield pytest.param(option, backend, id=f"{option}-{backend}", marks=marks)


@pytest.mark.parametrize(("option", "backend"), list(some_options()))
def test_nested_tensors_have_the_bits_of_plain(option: str, backend: str) -> None:
    ragged = step()
    partitioner = fxcut.Partitioner(**OPTIONS[option])
    plain, ours = (compiled_step(ragged, *partition, backend=backend) for partition in ((), (partitioner,)))
    assert len(plain.sides) == len(ours.sides) == 1
    assert_same_bits(plain, ours)
    if option.endswith(" names"):
        decisions = {named["name"]: named["decision"] for named in partitioner.report["names"]}
        expected = {"save names": "saved", "recompute names": "recomputed", "offload names": "offloaded"}[option]
        assert decisions == dict.fromkeys(("scores", "hidden"), expected)


@pytest.mark.brief
def test_a_name_leaves_a_nested_tensor_as_it_is() -> None:
    nested = step()[1]["nested"].requires_grad_()
    named = fxcut.checkpoint_name(nested.transpose(1, 2), "columns")
    assert named.shape == nested.transpose(1, 2).shape
    assert torch.equal(named.transpose(1, 2).values(), nested.values())
    named.transpose(1, 2).values().sum().backward()
    assert torch.equal(nested.grad.values(), torch.ones(8, 8))
