"""also_save and also_recompute: a decision with a few values the other way."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut.changes import Change
from steps import Computed, assert_same_bits, compiled_step


class Chain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        return torch.cos(self.second(torch.tanh(torch.sin(self.first(x))))).sum()


def computed(partitioner: fxcut.Partitioner) -> Computed:
    torch.manual_seed(0)
    return compiled_step((Chain(), {"x": torch.randn(4, 8)}), partitioner)


def names(report: fxcut.Report, rows: str) -> set[str]:
    return {row["name"] for row in report[rows] if row["operator"] != "placeholder"}


def test_only_what_is_named_is_decided_otherwise() -> None:
    plain = fxcut.Partitioner(budget=0.5)
    expected = computed(plain)
    assert plain.report is not None
    saved, recomputed = names(plain.report, "saved_values"), names(plain.report, "recomputed_values")
    assert saved and recomputed
    given_up, kept = sorted(saved)[0], sorted(recomputed)[0]
    for change in ({"also_save": [kept]}, {"also_recompute": [given_up]}):
        other = fxcut.Partitioner(budget=0.5, **change)
        assert_same_bits(expected, computed(other))
        assert other.report is not None and other.uuid() != plain.uuid()
        found = names(other.report, "saved_values")
        assert kept in found if "also_save" in change else given_up not in found
        assert other.report.warnings == plain.report.warnings


def test_of_names_that_a_graph_does_not_have_it_warns() -> None:
    partitioner = fxcut.Partitioner(also_save=["nowhere"])
    computed(partitioner)
    assert partitioner.report is not None and "the graph has no tensor 'nowhere'" in partitioner.report.warnings[-1]


def test_both_at_once_is_refused() -> None:
    with pytest.raises(fxcut.InvalidArgument, match="also_save and also_recompute both name sin"):
        fxcut.Partitioner(also_save=["sin"], also_recompute=["sin"])


def test_the_later_change_prevails() -> None:
    assert Change(("a",), ("b",)).then(Change(("b",), ("c",))) == Change(("a", "b"), ("c",))
