"""Saved values in 8 bits (inductor's activation_quantization_aten_pass): node by node as PyTorch's own partitioners."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import fx, nn
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch._inductor import config as inductor_config

import fxcut

PASS = "activation_quantization_aten_pass"
FLOATS = "torch.float32;torch.bfloat16;torch.float16"
OPTIONS: dict[str, dict[str, Any]] = {
    "scaled": {"size_in_mb": 0, "allowed_dtypes": FLOATS, "use_scaling": True},
    "cast": {"size_in_mb": 0, "allowed_dtypes": FLOATS, "use_scaling": False},
    "as by default": {"size_in_mb": 0, "allowed_dtypes": FLOATS},
    "e4m3": {"size_in_mb": 0.01, "allowed_dtypes": FLOATS, "use_scaling": True, "quant_type": "torch.float8_e4m3fn"},
    "no inputs": {"size_in_mb": 0, "allowed_dtypes": FLOATS, "use_scaling": True, "exclude_primals": True},
    "half": {"size_in_mb": 0, "allowed_dtypes": "torch.float;torch.long", "quant_type": "torch.half", "use_scaling": False},
    "guarded": {"size_in_mb": 0.005, "allowed_dtypes": FLOATS, "use_scaling": True, "skip_dynamo_guards": True},
    "all of any size": {
        "size_in_mb": 0.005,
        "allowed_dtypes": FLOATS,
        "use_scaling": True,
        "skip_dynamo_guards": True,
        "quantize_dynamic_shape": True,
    },
    "none": {},
}


class Block(nn.Module):
    """Attention and a feed-forward part, with values that are views, sums, and of a second dtype."""

    def __init__(self) -> None:
        super().__init__()
        self.project, self.up, self.down = nn.Linear(32, 96), nn.Linear(32, 64), nn.Linear(64, 32)
        self.norm = nn.LayerNorm(32)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        batch, length, width = x.shape
        q, k, v = self.project(self.norm(x)).view(batch, length, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
        hidden = torch.nn.functional.gelu(self.up(attended + x))
        return self.down(hidden).sin(), hidden


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Conv2d(8, 4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.relu(self.norm(self.first(x)))).tanh()


def dropped(x: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = nn.functional.dropout(x @ weight, 0.3)
    y = y.to(torch.bfloat16)
    return (y * y.exp()).float().sum(), y


def written(x: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    state.add_(x.detach().mean())
    return (x.exp() * state).sin()


CASES = {
    "block": lambda: (Block(), (torch.randn(2, 16, 32, requires_grad=True),)),
    "convolutions": lambda: (Convolutions(), (torch.randn(2, 3, 12, 12, requires_grad=True),)),
    "dropped": lambda: (dropped, (torch.randn(24, 32, requires_grad=True), torch.randn(32, 40, requires_grad=True))),
    "written": lambda: (written, (torch.randn(40, 40, requires_grad=True), torch.ones(40, 40))),
}


def described(gm: fx.GraphModule) -> list[tuple[Any, ...]]:
    """The nodes with what they compute, and of what dtype, shape and strides their values are."""
    rows = []
    for node in gm.graph.nodes:
        value = node.meta.get("val") if node.op != "output" else None
        form = (value.dtype, tuple(value.shape), tuple(value.stride())) if isinstance(value, torch.Tensor) else None
        rows.append((node.op, node.name, str(node.target), str(node.args), str(node.kwargs), str(form)))
    return rows


class Compared:
    """A partition function that has PyTorch and fxcut decide on the same graph."""

    def __init__(self, partitioner: str) -> None:
        self.partitions, self.quantized = 0, 0
        self._theirs = default_partition if partitioner == "default" else min_cut_rematerialization_partition
        self._ours = fxcut.Partitioner(settings={"partitioner": partitioner, "sound": "never"})

    def __call__(self, gm: fx.GraphModule, inputs: Any, **kwargs: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
        known = {key: kwargs[key] for key in ("num_fwd_outputs", "static_lifetime_input_indices") if key in kwargs}
        theirs = self._theirs(fx.GraphModule(gm, copy.deepcopy(gm.graph)), inputs, **known)
        ours = self._ours(gm, inputs, **kwargs)
        for one, other in zip(theirs, ours, strict=True):
            assert described(one) == described(other)
        self.partitions += 1
        self.quantized += sum("fp8_quant_" in node.name for node in ours[0].graph.nodes)
        return ours


def run(function: Callable[..., Any], inputs: tuple[torch.Tensor, ...], compared: Compared, dynamic: bool) -> None:
    torch.compiler.reset()
    backend = aot_autograd(fw_compiler=boxed_nop, partition_fn=compared, keep_inference_input_mutations=True)
    returned = torch.compile(function, backend=backend, dynamic=dynamic)(*inputs)
    outputs = returned if isinstance(returned, tuple) else (returned,)
    sum(output.float().sum() for output in outputs if output.requires_grad).backward()


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("partitioner", [pytest.param("min_cut", marks=pytest.mark.brief), "default"])
@pytest.mark.parametrize("dynamic", [pytest.param(False, marks=pytest.mark.brief, id="static"), pytest.param(True, id="dynamic")])
def test_partitions_are_pytorchs(case: str, option: str, partitioner: str, dynamic: bool) -> None:
    torch.manual_seed(0)
    function, inputs = CASES[case]()
    compared = Compared(partitioner)
    with inductor_config.patch(post_grad_fusion_options={PASS: OPTIONS[option]}):
        run(function, inputs, compared, dynamic)
    assert compared.partitions == 1
    if option in ("scaled", "cast", "as by default"):
        assert compared.quantized > 0
