"""fxcut.profile: joint graphs with measured run times."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut import run_times

pytestmark = pytest.mark.brief


class Layers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).square().mean()


def test_each_operator_of_the_step_has_a_time_and_views_none() -> None:
    [graph] = fxcut.profile(Layers(), torch.randn(256, 64))
    times = {node["name"]: node["meta"].get("runtime_ms") for node in graph["nodes"] if node["op"] == "call_function"}
    assert {name for name, time in times.items() if time is None} == set()
    assert all(times[name] == 0 for name in times if name.startswith("permute"))
    products = [name for name in times if name.startswith(("mm", "addmm"))]
    assert len(products) == 5 and all(times[name] > 0 for name in products)


def test_looking_up_a_seed_takes_no_time() -> None:
    """No kernel does it: what draws numbers reads its seed."""
    dropped = nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.1), nn.Linear(64, 64), nn.Dropout(0.1))
    [graph] = fxcut.profile(dropped, torch.randn(256, 64))
    lookups = [node for node in graph["nodes"] if node["target"] == "prims.inductor_lookup_seed.default"]
    assert [node["meta"]["runtime_ms"] for node in lookups] == [0, 0]


def test_calls_that_are_alike_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []
    monkeypatch.setattr(run_times, "_known", {})
    monkeypatch.setattr(run_times, "milliseconds", lambda node: measured.append(node.target) or 1.0)
    fxcut.profile(Layers(), torch.randn(256, 64))
    assert measured.count(torch.ops.aten.tanh.default) == 1
    assert measured.count(torch.ops.aten.addmm.default) == 1


def test_what_is_captured_has_no_times() -> None:
    [graph] = fxcut.capture(Layers(), torch.randn(256, 64))
    assert not any("runtime_ms" in node.get("meta", {}) for node in graph["nodes"])
