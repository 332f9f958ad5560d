#!/usr/bin/env python3
"""Trains a step on torch_xla with fxcut's partitions and without, and compares loss and gradients.

usage: PJRT_DEVICE=CPU run_on_xla.py

Needs torch_xla (2.9 is the last that pip has), its release of PyTorch, absl-py, pyyaml, requests, and the package fxcut. By hand,
since torch_xla belongs to an older PyTorch than those that are tested always. That torch_xla has operators that place values on
the host, but none that names a value or puts a barrier on several; these two are defined here, under the names that fxcut
expects. XLA may fuse recomputed code otherwise, so that such gradients may differ in the last bits of a float32.

Exit status 0 where all that runs here agrees, else 1. XLA's CPU cannot compile the placement on the host, with fxcut or without:
of offloading only the two graphs are looked at there, and that is said.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import fxcut
import torch
import torch_xla
import torch_xla.experimental.stablehlo_custom_call  # place_to_host and place_to_device
from functorch.compile import make_boxed_func
from torch import Tensor, fx, nn
from torch._dynamo.backends.common import aot_autograd
from torch_xla import _XLAC

LAST_BITS = 1e-6  # of gradients of about 1
NAMED, BARRIER = "xla.name_tensor.default", "xla.optimization_barrier.default"
TO_HOST, TO_DEVICE = "xla.place_to_host.default", "xla.place_to_device.default"
# Options of the partitioner, the operators that its graphs must have, and by how much its numbers may differ.
CASES: tuple[tuple[dict[str, Any], set[str], float], ...] = (
    ({"save_names": ["even"]}, set(), 0.0),
    ({"recompute_names": ["even", "odd"], "settings": {"recompute_barrier": True}}, {BARRIER}, LAST_BITS),
    ({"settings": {"aggressive_recomputation": True, "recompute_barrier": True}}, {BARRIER}, LAST_BITS),
    ({"offload_names": ["even"], "save_names": ["odd"], "offload_dialect": "xla"}, {TO_HOST, TO_DEVICE}, 0.0),
)


@torch.library.custom_op("xla::name_tensor", mutates_args=())
def name_tensor(value: Tensor, name: str) -> Tensor:
    return value.clone()


@torch.library.custom_op("xla::optimization_barrier", mutates_args=())
def optimization_barrier(values: Sequence[Tensor]) -> list[Tensor]:
    behind = [value.clone() for value in values]
    _XLAC._xla_optimization_barrier_(behind)
    return behind


name_tensor.register_fake(lambda value, name: torch.empty_like(value))
name_tensor.register_autograd(lambda context, gradient: (gradient, None))
optimization_barrier.register_fake(lambda values: [torch.empty_like(value) for value in values])


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, 16) for _ in range(4)])

    def forward(self, x: Tensor) -> Tensor:
        for place, layer in enumerate(self.layers):
            x = torch.ops.xla.name_tensor(torch.tanh(layer(x)), "odd" if place % 2 else "even")
        return x.sum()


def numbers_of(step: Callable[[Tensor], Tensor], model: nn.Module) -> list[Tensor]:
    """The loss, and all gradients."""
    model.zero_grad()
    x = torch.linspace(-1, 1, 64).reshape(4, 16).to(torch_xla.device()).requires_grad_()
    loss = step(x)
    loss.backward()
    torch_xla.sync()
    return [loss.detach().cpu(), *(each.grad.cpu() for each in (x, *model.parameters()) if each.grad is not None)]


def partitioned(model: nn.Module, options: dict[str, Any], seen: set[str]) -> Callable[[Tensor], Tensor]:
    """The model, compiled with fxcut. seen: gets the operators of its graphs."""

    def run(module: fx.GraphModule, inputs: Any) -> Callable[..., Any]:
        seen.update(str(node.target) for node in module.graph.nodes if node.op == "call_function")
        return make_boxed_func(module.forward)

    torch.compiler.reset()
    backend = aot_autograd(fw_compiler=run, bw_compiler=run, partition_fn=fxcut.Partitioner(**options))
    return torch.compile(model, backend=backend, fullgraph=True)


def places_on_host() -> bool:
    """Asked of another process: XLA does not go on after such a failure."""
    code = "import torch, torch_xla, torch_xla.experimental.stablehlo_custom_call\n"
    code += "torch.ops.xla.place_to_host(torch.ones(2, device=torch_xla.device())).cpu()"
    return subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def main() -> int:
    torch.manual_seed(0)
    model = Model().to(torch_xla.device())
    plain = numbers_of(model, model)
    runs_on_host = places_on_host()
    failed = False
    for options, operators, allowed in CASES:
        seen: set[str] = set()
        step = partitioned(model, options, seen)
        if TO_HOST in operators and not runs_on_host:
            try:
                numbers_of(step, model)
            except ValueError:
                verdict = "graphs only: this XLA cannot place values on the host, with fxcut or without"
        else:
            off = max(float((a - b).abs().max()) for a, b in zip(plain, numbers_of(step, model), strict=True))
            failed |= off > allowed
            verdict = f"differ by {off}" + (f", more than {allowed}" if off > allowed else "")
        missing = (operators | {NAMED}) - seen
        failed |= bool(missing)
        print(f"{options}: {verdict}" + (f"; the graphs lack {', '.join(sorted(missing))}" if missing else ""))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
