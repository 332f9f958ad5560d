"""What is saved together with a view of it is not overwritten by the backward that inductor makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

import fxcut
from fxcut import torch_releases

pytestmark = pytest.mark.brief


def loss(x: Tensor) -> Tensor:
    """The backward reads the inverse for the square, and then its transpose; for the least memory both are saved."""
    return torch.linalg.inv(x).square().sum()


def gradient(compiled: Any) -> Tensor:
    x = (torch.eye(4) + torch.arange(16.0).view(4, 4) / 100).requires_grad_()
    compiled(x).backward()
    assert x.grad is not None
    return x.grad


@pytest.fixture
def donated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[int]]]:
    """For each graph, which saved values are donated."""
    torch_releases.watch_donations()
    where: Any = torch_releases._where_donations_are_collected()
    original, found = where.collect_bw_donated_buffer_idxs, []

    def collect(*args: Any) -> list[int]:
        found.append(original(*args))
        return found[-1]

    monkeypatch.setattr(where, "collect_bw_donated_buffer_idxs", collect)
    yield found


def test_a_saved_value_and_a_saved_view_of_it_stay_as_they_are(donated: list[list[int]]) -> None:
    with fxcut.partitioning_by(fxcut.Partitioner(peak_bytes="least")):
        found = gradient(torch.compile(loss))
    torch.testing.assert_close(found, gradient(loss))
    assert donated == [[]]


def test_what_alone_has_its_memory_is_donated(donated: list[list[int]]) -> None:
    with fxcut.partitioning_by(fxcut.Partitioner()):
        gradient(torch.compile(loss, backend="aot_eager"))
    assert donated[0]


def test_pytorchs_donations_stay_where_nothing_is_repaired(donated: list[list[int]]) -> None:
    for sound in ("never", "always"):
        with fxcut.partitioning_by(fxcut.Partitioner(peak_bytes="least", settings={"sound": sound})):
            gradient(torch.compile(loss, backend="aot_eager"))
        torch.compiler.reset()
    as_they_are, repaired = map(set, donated)
    assert repaired < as_they_are
