"""Saved values in fewer bits that lose nothing: booleans as bits, positions in small integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import fx, nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop

import fxcut
from fxcut.torch_releases import CustomPartitionerFn, inductor_partitions_by
from measuring import Measuring


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


# Of what is held otherwise: so much that the solver saves in fewer bits.
SHARES = {"pooled": 0.6, "dropped": 0.8, "chosen": 0.99}


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
    as_booleans = fxcut.Partitioner(saved_bytes="1GB", settings={"compress": "exact"})
    require_equal(expected, gradients(model, x, as_booleans, backend))
    limit = int(held(as_booleans) * SHARES[name])
    exact = fxcut.Partitioner(saved_bytes=limit, settings={"compress": "exact"})
    found = gradients(model, x, exact, backend)
    assert compressed(exact), exact.reports[0]["totals"]
    assert held(exact) <= limit
    assert "of them in fewer bits" in exact.reports[0].summary()
    require_equal(expected, found)


@pytest.mark.brief
def test_of_a_relu_only_its_sign_is_saved() -> None:
    """What is not a number lets the gradient pass, as in threshold_backward."""
    torch.manual_seed(0)
    model, x = Dropped(), torch.randn(32, 64)
    x[0, 0] = float("nan")
    plain = fxcut.Partitioner(saved_bytes="1GB")
    expected = gradients(model, x, plain, "aot_eager")
    exact = fxcut.Partitioner(saved_bytes=held(plain) * 3 // 4, settings={"compress": "exact"})
    found = gradients(model, x, exact, "aot_eager")
    saved = [row["operator"] for row in exact.reports[0]["saved_values"]]
    assert saved.count("aten.le.Scalar") == 3
    assert "aten.relu.default" not in saved
    assert "aten.detach.default" not in saved
    for one, other in zip(expected, found, strict=True):
        assert torch.equal(one.isnan(), other.isnan())
        assert torch.equal(one.nan_to_num(), other.nan_to_num())


@pytest.mark.brief
def test_rounded_values_are_near() -> None:
    torch.manual_seed(0)
    model, x = Dropped(), torch.randn(32, 64)
    plain = fxcut.Partitioner(saved_bytes="1GB")
    expected = gradients(model, x, plain, "aot_eager")
    rounded = fxcut.Partitioner(saved_bytes=held(plain) // 3, settings={"compress": "auto"})
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


@pytest.mark.brief
@pytest.mark.parametrize("name", MODELS)
def test_the_peak_with_bits_is_what_the_report_says(name: str) -> None:
    torch.manual_seed(0)
    model, x = MODELS[name][0](), MODELS[name][1]()
    peaks: list[int] = []
    given: list[Any] = []

    def measured(side: fx.GraphModule, _: Any) -> Callable[..., Any]:
        def run(*inputs: Any) -> Any:
            if not peaks:
                given.extend(inputs)
            measuring = Measuring(side, given)
            outputs = measuring.run(*inputs)
            peaks.append(max(measuring.bytes.values()))
            return outputs

        return run

    exact = fxcut.Partitioner(peak_bytes="least", settings={"compress": "exact"})
    backend = aot_autograd(fw_compiler=measured, partition_fn=exact, keep_inference_input_mutations=True)
    torch.compiler.reset()
    torch.compile(model, backend=backend)(x).backward()
    memory = exact.reports[0]["memory"]
    callers = 2 * x.element_size()  # in the backward, the loss and its gradient: the caller holds them
    assert peaks == [memory["forward_peak_bytes"], memory["backward_peak_bytes"] - callers]


class Attended(nn.Module):
    """Inductor writes its softmax anew, with calls named as PyTorch names those that restore a value: div_tensor."""

    def __init__(self, scale: float | torch.Tensor) -> None:
        super().__init__()
        self.scores, self.wide, self.scale = nn.Linear(64, 64), nn.Linear(64, 200), scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        attended = torch.softmax(self.scores(x) / self.scale, -1) @ self.scores.weight
        return self.wide(attended).tanh().square().mean()


ROUND_ALL = {"match": {"min_bytes": 1000, "kind": "activation"}, "policy": "COMPRESS", "dtype": "float8_e4m3fn"}


def require_own_values(side: fx.GraphModule) -> None:
    """Each call's meta has the shape and the dtype of what it computes."""
    for node in side.graph.find_nodes(op="call_function", target=torch.ops.aten.div.Tensor):
        operands = [argument.meta["val"] if isinstance(argument, fx.Node) else argument for argument in node.args]
        computed = torch.ops.aten.div.Tensor(*operands)
        assert (node.meta["val"].shape, node.meta["val"].dtype) == (computed.shape, computed.dtype), node.name


# By a number the joint graph's call takes fewer tensors than the one of that name which restores a value, by a tensor as many.
@pytest.mark.brief
@pytest.mark.parametrize("scale", [4.0, torch.tensor(4.0)], ids=["number", "tensor"])
def test_calls_that_restore_values_are_not_those_of_the_joint_graph_with_their_names(scale: float | torch.Tensor) -> None:
    torch.manual_seed(0)
    model, x = Attended(scale), torch.randn(32, 64)
    partitioner = fxcut.Partitioner(policy={"version": 1, "policies": [{"name": "all", "rules": [ROUND_ALL]}]})
    names: set[str] = set()

    class Checked(CustomPartitionerFn):
        def __call__(self, joint: fx.GraphModule, *args: Any, **kwargs: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
            names.update(node.name for node in joint.graph.nodes)
            sides = partitioner(joint, *args, **kwargs)
            names.intersection_update(node.name for node in sides[1].graph.nodes)
            for side in sides:
                require_own_values(side)
            return sides

        def uuid(self) -> str:
            return "checked"

    expected = gradients(model, x, fxcut.Partitioner(), "inductor")
    found = gradients(model, x, Checked(), "inductor")
    assert "div_tensor" in names, "the names do not meet: the test shows nothing"
    assert "scaled" in compressed(partitioner)
    require_near(expected, found)
