"""Values that the backward recomputes more than once: less memory, the same bits, and the meta of the joint graph."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, fx, nn

import fxcut
from steps import assert_same_bits, compiled_step

LAYERS = 40


class Deep(nn.Module):
    """Each layer's backward needs what the layer was given and what it made."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.ParameterList(torch.randn(8, 8) / 3 for _ in range(LAYERS))

    def forward(self, x: Tensor) -> Tensor:
        for weight in self.weights:
            x = torch.tanh(x @ weight)
        return x.sum()


def deep() -> tuple[nn.Module, dict[str, Tensor]]:
    return Deep(), {"x": torch.randn(64, 8)}


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("inductor", marks=[pytest.mark.full])])
def test_a_deep_network_takes_less_memory_and_computes_the_same(backend: str) -> None:
    step = deep()
    once = fxcut.Partitioner(peak_bytes="least")
    again = fxcut.Partitioner(peak_bytes="least", recompute_again=True)
    own = compiled_step(step, backend=backend)
    assert_same_bits(own, compiled_step(step, once, backend=backend))
    assert_same_bits(own, compiled_step(step, again, backend=backend))
    assert "recomputed_again" not in once.report
    if backend == "inductor":  # whose code's memory is limited
        return
    assert len(again.report["recomputed_again"]) > LAYERS / 2
    assert again.report["memory"]["peak_bytes"] < 0.9 * once.report["memory"]["peak_bytes"]


def test_copies_have_the_meta_of_what_they_repeat() -> None:
    compared = 0

    def partition(joint: fx.GraphModule, inputs: Any, **options: Any) -> Any:
        nonlocal compared
        partitioner = fxcut.Partitioner(peak_bytes="least", recompute_again=True)
        sides = partitioner(joint, inputs, **options)
        originals = {node.name: node for node in joint.graph.nodes}
        backward = {node.name: node for node in sides[1].graph.nodes}
        for row in partitioner.report["recomputed_again"]:
            original, copy = originals[row["of"]], backward[row["name"]]
            assert copy.target == original.target
            assert all(copy.meta[key] is item for key, item in original.meta.items() if key != "autograd_backward")
            compared += 1
        return sides

    compiled_step(deep(), partition)
    assert compared > LAYERS / 2
