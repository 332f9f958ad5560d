"""partitioning_by: whose decisions become the partitioner's, and whose do not."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, fx
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._functorch.partitioners import min_cut_rematerialization_partition

import fxcut

pytestmark = pytest.mark.brief


def function(x: Tensor) -> Tensor:
    return (x @ x).sin().exp().sum()


def gradient(backend: Any) -> Tensor:
    torch.compiler.reset()
    x = torch.arange(16.0).reshape(4, 4).requires_grad_()
    torch.compile(function, backend=backend)(x).backward()
    assert x.grad is not None
    return x.grad


def own_partition(joint: fx.GraphModule, *args: Any, **kwargs: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
    return min_cut_rematerialization_partition(joint, *args, **kwargs)


@pytest.mark.parametrize("backend", ["inductor", "aot_eager", aot_autograd(fw_compiler=boxed_nop)])
def test_it_decides_for_each_backend_that_leaves_it_to_pytorch(backend: Any) -> None:
    expected = gradient("eager")
    with fxcut.partitioning_by(fxcut.Partitioner(saved_bytes="least")) as partitioner:
        found = gradient(backend)
    assert len(partitioner.reports) == 1
    saved = {row["name"] for row in partitioner.reports[0]["saved_values"]}
    assert not saved & {"mm", "sin", "exp"}, "not the partitioner's decision"
    torch.testing.assert_close(found, expected)
    gradient(backend)
    assert len(partitioner.reports) == 1, "it decides after the block as well"


def test_a_partition_function_of_ones_own_stays() -> None:
    with fxcut.partitioning_by(fxcut.Partitioner()) as partitioner:
        gradient(aot_autograd(fw_compiler=boxed_nop, partition_fn=own_partition))
    assert partitioner.report is None


def test_the_innermost_one_decides() -> None:
    with fxcut.partitioning_by(fxcut.Partitioner()) as outer, fxcut.partitioning_by(fxcut.Partitioner()) as inner:
        gradient("aot_eager")
    assert outer.report is None and inner.report is not None
