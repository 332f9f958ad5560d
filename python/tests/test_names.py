"""Checkpoint names affect decisions, cost nothing by themselves, and inductor's cache distinguishes them."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch._inductor.utils import fresh_cache

import fxcut
from fxcut.torch_releases import INDUCTOR_TAKES_PARTITION_FUNCTIONS
from options import OPTIONS, named_block
from steps import compiled_step

pytestmark = pytest.mark.brief


def test_names_change_what_is_saved() -> None:
    step = named_block()
    saved = {}
    for option in ("save names", "recompute names", "offload names"):
        partitioner = fxcut.Partitioner(**OPTIONS[option])
        compiled_step(step, partitioner)
        saved[option] = {named["name"]: named["decision"] for named in partitioner.report["names"]}
    assert saved == {
        "save names": {"scores": "saved", "hidden": "saved"},
        "recompute names": {"scores": "recomputed", "hidden": "recomputed"},
        "offload names": {"scores": "offloaded", "hidden": "offloaded"},
    }


def test_names_alone_change_nothing() -> None:
    """Not one node of the graphs is a name."""
    sides = compiled_step(named_block(), fxcut.Partitioner()).sides
    assert not [node for side in sides[0] for node in side if "checkpoint_name" in str(node[1])]


class Products(nn.Module):
    """A module for which inductor generates no kernel."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    def forward(self, x: Tensor) -> Tensor:
        for name in ("scores", "hidden"):
            x = fxcut.checkpoint_name(x @ self.weight, name)
        return x @ self.weight


def test_inductors_cache_knows_one_decision_from_another() -> None:
    """The same options find the graph in the cache, so that the program is not asked; others do not.

    PyTorch 2.8, whose cache cannot tell, always asks."""
    module, x = Products(), torch.randn(4, 4)
    asked = []
    with fresh_cache():
        for names in ("scores", "scores", "hidden"):
            partitioner = fxcut.Partitioner(recompute_names=names)
            torch.compiler.reset()
            with fxcut.partitioning_by(partitioner):
                torch.compile(module)(x).backward(x)
            asked.append(any(not report.from_cache for report in partitioner.reports))
    assert asked == [True, not INDUCTOR_TAKES_PARTITION_FUNCTIONS, True]
