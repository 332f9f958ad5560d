"""The two parts of a backward compute the gradients of the whole, bit for bit."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut.added_nodes import decoded_argument
from fxcut.binary import find_binary
from fxcut.targets import target_of

Json = dict[str, Any]


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.project, self.out = nn.LayerNorm(32), nn.Linear(32, 96), nn.Linear(32, 32)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.project(self.norm(x)).view(2, 8, 3, 4, 8).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(attended.transpose(1, 2).reshape(2, 8, 32))


def convolutions() -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.Conv2d(8, 3, 3, padding=1))


def mlp() -> nn.Module:
    return nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32), nn.Tanh())


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        state = x
        for _ in range(3):
            state = self.cell(x, state)
        return state


class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.gate, self.up, self.down = nn.RMSNorm(32), nn.Linear(32, 64), nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        return x + self.down(nn.functional.silu(self.gate(normed)) * self.up(normed))


def fxcut_run(*arguments: str | Path) -> str:
    return subprocess.run([find_binary(), *arguments], check=True, capture_output=True, text=True).stdout


def run(graph: Json, given: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The values of all nodes by name, and what the graph returns; `given` are those of the placeholders."""
    values: dict[str, Any] = {}
    for node in graph["nodes"]:
        if node["op"] == "placeholder":
            values[node["name"]] = given[node["name"]]
        elif node["op"] == "call_function":
            arguments = [decoded_argument(argument, values) for argument in node["args"]]
            keywords = {key: decoded_argument(value, values) for key, value in node.get("kwargs", {}).items()}
            values[node["name"]] = target_of(node["target"])(*arguments, **keywords)
        else:
            return values, list(decoded_argument(node["args"][0], values))
    raise AssertionError("the graph has no output")


def random_inputs(graph: Json) -> dict[str, Tensor]:
    inputs = {}
    for node in graph["nodes"]:
        if node["op"] == "placeholder":
            size, dtype = node["val"]["shape"], getattr(torch, node["val"]["dtype"])
            inputs[node["name"]] = torch.randn(size) if dtype.is_floating_point else torch.zeros(size, dtype=dtype)
    return inputs


@pytest.mark.parametrize(
    ("model", "size"),
    [(mlp, (4, 32)), (Attention, (2, 8, 32)), (convolutions, (2, 3, 8, 8)), (Recurrent, (4, 8)), (Gated, (4, 32))],
    ids=["mlp", "attention", "convolutions", "recurrent", "gated"],
)
@pytest.mark.parametrize("holding", [(), ("--hold-least",)], ids=["as_needed", "least"])
def test_gradients_of_the_parts_are_those_of_the_whole(
    model: Callable[[], nn.Module], size: tuple[int, ...], holding: tuple[str, ...], tmp_path: Path
) -> None:
    torch.manual_seed(0)
    joint, *others = fxcut.capture_with(backend="aot_eager")(model(), torch.randn(size, requires_grad=True))
    assert not others
    joint_file = tmp_path / "joint.json"
    joint_file.write_text(json.dumps(joint))
    fxcut_run("partition", joint_file, "--output-dir", tmp_path)
    split = ("split-backward", joint_file, tmp_path / "backward.json", "--format", "json")
    as_needed = json.loads(fxcut_run(*split))["held_bytes"]
    held = json.loads(fxcut_run(*split, *holding, "--output-dir", tmp_path))["held_bytes"]
    assert held < as_needed if holding and model is Gated else held <= as_needed
    names = ("forward", "backward", "backward_input", "backward_weight")
    sides = {side: json.loads((tmp_path / f"{side}.json").read_text()) for side in names}

    inputs = random_inputs(joint)
    values, _ = run(sides["forward"], inputs)
    _, whole = run(sides["backward"], inputs | values)
    first, from_first = run(sides["backward_input"], inputs | values)
    _, from_second = run(sides["backward_weight"], first)

    weights = set(joint["static_lifetime_inputs"])
    primals = [node["name"] for node in joint["nodes"] if node["op"] == "placeholder" and "tangents" not in node["name"]]
    assert len(whole) == len(primals)
    of_inputs, of_weights = iter(from_first), iter(from_second)
    compared = 0
    for name, expected in zip(primals, whole, strict=True):
        found = next(of_weights if name in weights else of_inputs)
        assert (expected is None) == (found is None), name
        if expected is not None:
            assert torch.equal(expected, found), name
            compared += 1
    assert compared > 2
    assert next(of_weights, None) is None
