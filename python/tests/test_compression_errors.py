"""measure_compression: errors of rounded values, what they do to gradients, and decisions that go by them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop

import fxcut
from fxcut.rounding import rounded


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.expand, self.norm, self.contract = nn.Linear(32, 64), nn.LayerNorm(64), nn.Linear(64, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = nn.functional.gelu(self.norm(self.expand(x)))
        return self.contract(nn.functional.dropout(hidden, 0.1)).square().mean()


class Counted(nn.Module):
    """With a buffer that the forward writes to, and results that are no scalar."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.layer(x)))


def measured(model: nn.Module, inputs: Any, **options: Any) -> dict[str, Any]:
    torch.manual_seed(0)
    (document,) = fxcut.measure_compression(model, inputs, **options)
    return document


@pytest.mark.brief
def test_rounding_is_that_of_the_program() -> None:
    """float8_e4m3fn has three bits after the leading one: the nearest is within a sixteenth."""
    value = torch.randn(16, 32, generator=torch.Generator().manual_seed(0))
    difference = (rounded(value, torch.float8_e4m3fn) - value).abs()
    least = value.abs().amax(-1, keepdim=True) / 448 / 64  # of the normal numbers
    assert bool((difference <= value.abs() / 16 + least / 16 + 1e-7).all())
    assert torch.equal(rounded(torch.zeros(4, 4), torch.float8_e4m3fn), torch.zeros(4, 4))


@pytest.mark.parametrize("backend", ["inductor", pytest.param("aot_eager", marks=pytest.mark.brief)])
def test_every_value_of_the_forward_has_its_error(backend: str) -> None:
    document = measured(Block(), torch.randn(16, 32), backend=backend)
    assert document["format"] == "fxcut-compression-errors" and document["graph"] == "Block"
    values = {row["name"]: row for row in document["values"]}
    assert all(0 <= row["error"] < 0.05 for row in values.values()), values
    assert any(row["operator"] == "aten.addmm.default" and row["shape"] == [16, 64] for row in values.values())
    alone = [row["cosine"] for row in values.values() if "cosine" in row]
    gradients = document["gradients"]
    assert len(alone) == gradients["rounded_values"] == gradients["rounded_alone"] > 2
    assert all(0.99 < cosine <= 1 for cosine in alone)
    assert 0.99 < gradients["cosine"] <= 1


def test_coarser_dtypes_turn_the_gradients_further() -> None:
    fine, coarse = (measured(Block(), torch.randn(16, 32), dtype=dtype) for dtype in ("float8_e4m3fn", torch.float8_e5m2))
    assert coarse["dtype"] == "float8_e5m2"
    assert coarse["gradients"]["cosine"] < fine["gradients"]["cosine"]
    for one, other in zip(fine["values"], coarse["values"], strict=True):
        assert one["name"] == other["name"]
    assert sum(row["error"] for row in coarse["values"]) > sum(row["error"] for row in fine["values"])


def test_the_work_is_bounded() -> None:
    document = measured(Block(), torch.randn(16, 32), most_alone=1)
    alone = [row for row in document["values"] if "cosine" in row]
    assert len(alone) == document["gradients"]["rounded_alone"] == 1
    largest = max(math.prod(row["shape"]) for row in document["values"])
    assert math.prod(alone[0]["shape"]) == largest


def test_the_model_stays_as_it_is() -> None:
    torch.manual_seed(0)
    model, x = Counted(), torch.randn(2, 3, 8, 8)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    drawn = torch.get_rng_state()
    (document,) = fxcut.measure_compression(model, {"x": x})
    assert torch.equal(drawn, torch.get_rng_state())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert document["gradients"]["cosine"] > 0.99


def test_gradients_are_those_of_autograd() -> None:
    """What the joint graph computes, before anything is rounded."""
    from fxcut.compression_errors import _run_once, _Steps
    from fxcut.rounding import Step

    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    x = torch.randn(4, 8)
    steps = _Steps("step", "aot_eager")
    _run_once(Summed(model), x, steps, "aot_eager")
    (joint, outputs), (inputs,) = steps.joints[0], steps.inputs
    found = Step(joint, outputs, inputs).gradients()
    expected = torch.autograd.grad(model(x).square().sum(), list(model.parameters()))
    assert sorted(one.double().norm().item() for one in found) == pytest.approx(
        sorted(one.double().norm().item() for one in expected)
    )


class Summed(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).square().sum()


def rounded_in(partition: fxcut.Partitioner) -> set[str]:
    rows = partition.reports[0]["saved_values"]
    return {row["name"] for row in rows if row.get("compressed", {}).get("how") == "scaled"}


def step_with(partition: fxcut.Partitioner, model: nn.Module, x: torch.Tensor) -> None:
    torch.compiler.reset()
    with fxcut.partitioning_by(partition), torch._inductor.config.patch(fx_graph_cache=False):
        torch.compile(model)(x).backward()
    model.zero_grad()


def test_only_what_changes_little_is_rounded(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model, x = Block(), torch.randn(256, 32)
    (errors,) = fxcut.measure_compression(model, x, output_dir=tmp_path)
    assert json.loads((tmp_path / "Block.errors.json").read_text()) == errors
    by_name = {row["name"]: row["error"] for row in errors["values"]}

    def decided(**settings: Any) -> set[str]:
        settings |= {"compress": "auto", "ban_recompute_products": True}
        given = errors if "compress_error" in settings else None
        partition = fxcut.Partitioner(saved_bytes="100kB", settings=settings, compress_errors=given)
        step_with(partition, model, x)
        return rounded_in(partition)

    free = decided()
    assert free
    most = max(by_name[name] for name in free)
    assert decided(compress_error=most) == free
    with pytest.raises(fxcut.NoPartition, match="the forward cannot save as little"):
        decided(compress_error=most * 0.999)


def test_errors_of_another_model_are_refused() -> None:
    errors = measured(Block(), torch.randn(16, 32))
    settings = {"compress": "auto", "compress_error": 0.02}
    partition = fxcut.Partitioner(saved_bytes="1GB", settings=settings, compress_errors=errors)
    with pytest.raises(fxcut.BinaryFailed, match="compress_errors of 'Block': the graph has no node"):
        step_with(partition, Summed(nn.Linear(4, 4)), torch.randn(4, 4))


@pytest.mark.brief
def test_mistakes_say_what_was_expected() -> None:
    with pytest.raises(fxcut.InvalidArgument, match="dtype: expected one of floating-point numbers"):
        fxcut.measure_compression(Block(), torch.randn(2, 32), dtype="int8")
    with pytest.raises(fxcut.InvalidArgument, match="backend: expected one of inductor, aot_eager"):
        fxcut.measure_compression(Block(), torch.randn(2, 32), backend="eager")
    with pytest.raises(fxcut.InvalidArgument, match="compress_errors: expected one of the documents"):
        fxcut.Partitioner(compress_errors=[{}])  # type: ignore[arg-type]


@pytest.mark.brief
def test_the_cosine_is_that_of_a_step_with_the_value_rounded() -> None:
    """Rounded by the graphs that the program writes."""
    torch.manual_seed(0)
    model = Summed(nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4)))
    x = torch.randn(4, 8)
    (document,) = fxcut.measure_compression(model, x, backend="aot_eager", dtype="float8_e5m2")
    rules = [{"match": {"op": "aten.tanh"}, "policy": "COMPRESS", "dtype": "float8_e5m2"}]
    partition = fxcut.Partitioner(policy={"version": 1, "policies": [{"rules": rules}]})
    exact = flat(torch.autograd.grad(model(x), list(model.parameters())))
    backend = aot_autograd(fw_compiler=boxed_nop, partition_fn=partition, keep_inference_input_mutations=True)
    torch.compiler.reset()
    torch.compile(model, backend=backend)(x).backward()
    assert len(rounded_in(partition)) == 1
    turned = torch.cosine_similarity(exact, flat([parameter.grad for parameter in model.parameters()]), 0)
    (row,) = [row for row in document["values"] if row["operator"] == "aten.tanh.default"]
    assert row["cosine"] < 0.99999
    assert row["cosine"] == pytest.approx(turned.item(), abs=1e-6)


def flat(tensors: Sequence[torch.Tensor | None]) -> torch.Tensor:
    return torch.cat([tensor.double().flatten() for tensor in tensors if tensor is not None])


@pytest.mark.brief
def test_a_policy_rounds_what_it_matches() -> None:
    torch.manual_seed(0)
    model, x = Block(), torch.randn(64, 32)
    rules = [{"match": {"class": "matmul"}, "policy": "COMPRESS", "dtype": "float8_e5m2"}]
    partition = fxcut.Partitioner(policy={"version": 1, "policies": [{"name": "products", "rules": rules}]})
    step_with(partition, model, x)
    rows = [row for row in partition.reports[0]["saved_values"] if "compressed" in row]
    assert rows and all(row["compressed"]["dtype"] == "float8_e5m2" for row in rows)
    assert {row["operator"] for row in rows} == {"aten.addmm.default"}
    assert rows[0]["compressed"]["by"] == "policy 'products', rule 1: class matmul"


def test_names_say_what_is_rounded() -> None:
    class Named(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(32, 64), nn.Linear(64, 8)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.second(fxcut.checkpoint_name(torch.tanh(self.first(x)), "hidden")).square().mean()

    torch.manual_seed(0)
    model, x = Named(), torch.randn(64, 32)
    partition = fxcut.Partitioner(compress_names="hidden:float8_e5m2")
    step_with(partition, model, x)
    rows = [row for row in partition.reports[0]["saved_values"] if "compressed" in row]
    assert [row["compressed"]["dtype"] for row in rows] == ["float8_e5m2"]
    assert rows[0]["operator"] == "aten.tanh.default"
