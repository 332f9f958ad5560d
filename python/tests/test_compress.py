"""Saved values in fewer bits that lose nothing: booleans as bits, positions in small integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop

import fxcut
from fxcut.torch_releases import inductor_partitions_by


class Pooled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.max_pool2d(torch.relu(self.norm(self.first(x))), 2)
        return nn.functional.max_pool2d(torch.relu(self.second(x)), 2).flatten(1).sum()


class Dropped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = nn.functional.dropout(torch.relu(layer(x)), 0.2)
        return x.square().mean()


class Chosen(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate, self.out = nn.Linear(32, 16), nn.Linear(4, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        best, _ = self.gate(x).topk(4)
        ordered, _ = best.tanh().sort(-1)
        return self.out(ordered).max(-1).values.sum()


MODELS = {
    "pooled": (Pooled, lambda: torch.randn(4, 3, 16, 16)),
    "dropped": (Dropped, lambda: torch.randn(32, 64)),
    "chosen": (Chosen, lambda: torch.randn(64, 32)),
}


# Of what is held otherwise: so much that the solver saves less, and recomputes no more.
SHARES = {"pooled": 0.99, "dropped": 0.8, "chosen": 0.99}


def gradients(model: nn.Module, x: torch.Tensor, partition: Any, backend: str) -> list[torch.Tensor]:
    torch.compiler.reset()
    torch.manual_seed(1)
    if backend == "inductor":
        with inductor_partitions_by(partition), torch._inductor.config.patch(fallback_random=True, fx_graph_cache=False):
            torch.compile(model)(x).backward()
    else:
        eager = aot_autograd(fw_compiler=boxed_nop, partition_fn=partition, keep_inference_input_mutations=True)
        torch.compile(model, backend=eager)(x).backward()
    found = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    model.zero_grad()
    return found


def require_equal(expected: list[torch.Tensor], found: list[torch.Tensor]) -> None:
    for one, other in zip(expected, found, strict=True):
        assert torch.equal(one, other)


def require_near(expected: list[torch.Tensor], found: list[torch.Tensor]) -> None:
    for one, other in zip(expected, found, strict=True):
        assert torch.cosine_similarity(one.flatten(), other.flatten(), 0) > 0.99


def compressed(partition: fxcut.Partitioner) -> list[str]:
    rows = partition.reports[0]["saved_values"]
    return [row["compressed"]["how"] for row in rows if "compressed" in row]


def held(partition: fxcut.Partitioner) -> int:
    return partition.reports[0].held_bytes


@pytest.mark.parametrize("backend", [pytest.param("aot_eager", marks=pytest.mark.brief), "inductor"])
@pytest.mark.parametrize("name", MODELS)
def test_what_loses_nothing_gives_equal_gradients(name: str, backend: str) -> None:
    make: Callable[[], nn.Module] = MODELS[name][0]
    torch.manual_seed(0)
    model, x = make(), MODELS[name][1]()
    plain = fxcut.Partitioner(saved_bytes="1GB")
    expected = gradients(model, x, plain, backend)
    limit = int(held(plain) * SHARES[name])
    exact = fxcut.Partitioner(saved_bytes=limit, settings={"compress": "exact"})
    found = gradients(model, x, exact, backend)
    assert compressed(exact), exact.reports[0]["totals"]
    assert held(exact) <= limit
    assert "of them in fewer bits" in exact.reports[0].summary()
    require_equal(expected, found)


@pytest.mark.brief
def test_rounded_values_are_near() -> None:
    torch.manual_seed(0)
    model, x = Dropped(), torch.randn(32, 64)
    plain = fxcut.Partitioner(saved_bytes="1GB")
    expected = gradients(model, x, plain, "aot_eager")
    rounded = fxcut.Partitioner(saved_bytes=held(plain) * 2 // 3, settings={"compress": "auto"})
    found = gradients(model, x, rounded, "aot_eager")
    assert compressed(rounded)
    require_near(expected, found)


def peak(partition: fxcut.Partitioner) -> int:
    return partition.reports[0]["memory"]["peak_bytes"]


# Within so little that no decision without forms would do.
@pytest.mark.brief
def test_lower_peaks_are_met_with_rounded_values() -> None:
    torch.manual_seed(0)
    model, x = Dropped(), torch.randn(256, 64)
    least = fxcut.Partitioner(peak_bytes="least")
    expected = gradients(model, x, least, "aot_eager")
    limit = peak(least) * 9 // 10
    rounded = fxcut.Partitioner(peak_bytes=limit, settings={"compress": "auto"})
    found = gradients(model, x, rounded, "aot_eager")
    assert "scaled" in compressed(rounded)
    assert peak(rounded) <= limit
    require_near(expected, found)


@pytest.mark.brief
def test_the_lowest_peak_is_lower_with_bits_and_gradients_are_equal() -> None:
    torch.manual_seed(0)
    model, x = Dropped(), torch.randn(256, 64)
    least, exact = fxcut.Partitioner(peak_bytes="least"), fxcut.Partitioner(peak_bytes="least", settings={"compress": "exact"})
    expected, found = gradients(model, x, least, "aot_eager"), gradients(model, x, exact, "aot_eager")
    assert set(compressed(exact)) == {"bits"}
    assert peak(exact) < peak(least)
    require_equal(expected, found)
