"""What goes wrong is told: no program, one that fails, a graph that cannot be partitioned so."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut.binary import find_binary, partition
from fxcut.targets import target_of
from fxcut.torch_version import check_torch_version
from steps import compiled_step

pytestmark = pytest.mark.brief

GRAPH = {"format": "fx-joint-graph", "version": 1}


class Product(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    def forward(self, x: Tensor) -> Tensor:
        return torch.sin(x @ self.weight).sum()


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FXCUT_BINARY", str(tmp_path / "none"))
    with pytest.raises(fxcut.BinaryNotFound, match="none, which the environment variable FXCUT_BINARY names"):
        find_binary()


def test_a_program_that_fails_shows_what_it_says(tmp_path: Path) -> None:
    with pytest.raises(fxcut.BinaryFailed, match="(?s)exit status 3.*num_fwd_outputs") as failure:
        partition(GRAPH, [], {}, None, find_binary())
    assert failure.value.exit_status == 3


def test_a_limit_that_cannot_be_met() -> None:
    step = (Product(), {"x": torch.randn(4, 4)})
    with pytest.raises(Exception, match="NoPartition") as failure:
        compiled_step(step, fxcut.Partitioner(saved_bytes=1))
    assert "exit status 4" in str(failure.value)


def test_a_budget_out_of_range() -> None:
    with pytest.raises(ValueError, match="from 0 to 1, and not 2"):
        fxcut.Partitioner(budget=2)


def test_an_operator_that_is_not_there() -> None:
    with pytest.raises(fxcut.UnknownTarget, match="xla.place_to_host.default, which this PyTorch does not have"):
        target_of("xla.place_to_host.default")


def test_an_old_pytorch() -> None:
    with pytest.raises(fxcut.UnsupportedTorch, match="2.13 to 2.15, and this is 2.9.1"):
        check_torch_version("2.9.1+cpu")


def test_a_name_that_is_none() -> None:
    with pytest.raises(ValueError, match="'a,b' is no name"):
        fxcut.checkpoint_name(torch.ones(2), "a,b")


def test_the_uuid_tells_options_apart(tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    uuids = []
    for name in ("one", "two"):
        policy.write_text('{"version": 1, "policies": [{"name": "%s", "rules": []}]}' % name)
        uuids.append(fxcut.Partitioner(policy=policy).uuid())
    uuids += [fxcut.Partitioner(budget=budget).uuid() for budget in (0.1, 0.2)]
    uuids += [fxcut.Partitioner(save_names="a").uuid(), fxcut.Partitioner(offload_names="a").uuid()]
    assert len(set(uuids)) == len(uuids)
    assert fxcut.Partitioner(budget=0.1).uuid() == uuids[2]
