"""Failures are reported as fxcut's own exceptions, also through torch.compile; and the graph is kept."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut import partitioner
from fxcut.binary import find_binary
from fxcut.sizes import bytes_of
from fxcut.targets import target_of
from fxcut.torch_releases import WHOLE_STEPS
from options import DEVICE_PROFILE, products
from steps import Step, compiled_step

pytestmark = pytest.mark.brief


class Product(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    def forward(self, x: Tensor) -> Tensor:
        return torch.sin(x @ self.weight).sum()


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FXCUT_BINARY", str(tmp_path / "none"))
    said = "none is not a file, and is the program that the environment variable FXCUT_BINARY names"
    with pytest.raises(fxcut.BinaryNotFound, match=said):
        find_binary()


@pytest.fixture
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def product_step() -> Step:
    return Product(), {"x": torch.randn(4, 4)}


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_limit_that_cannot_be_met(backend: str, temporary_files: Path) -> None:
    with pytest.raises(fxcut.NoPartition, match="(?s)exit status 4.*graph is kept") as failure:
        compiled_step(product_step(), fxcut.Partitioner(saved_bytes=1), backend=backend)
    assert failure.value.exit_status == 4
    assert failure.value.graph.is_relative_to(temporary_files)
    again = [find_binary(), "partition", failure.value.graph, "--saved-bytes", "1B"]
    assert subprocess.run(again, capture_output=True, check=False).returncode == 4


def test_where_all_goes_well_nothing_is_kept(temporary_files: Path) -> None:
    compiled_step(product_step(), fxcut.Partitioner())
    assert list(temporary_files.glob("fxcut-*")) == []


def test_a_graph_that_cannot_be_encoded_is_kept_as_text(
    temporary_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr(partitioner, "joint_graph_to_json", fail)
    with pytest.raises(fxcut.InternalError, match="AttributeError: no such thing") as failure:
        compiled_step(product_step(), fxcut.Partitioner())
    assert "torch.ops.aten.mm.default" in failure.value.graph.read_text()


def test_all_exceptions_are_of_one_family() -> None:
    exceptions = [value for value in vars(fxcut).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert len(exceptions) > 8 and all(issubclass(exception, fxcut.FxcutError) for exception in exceptions)


def test_an_exception_survives_pickling() -> None:
    failure = fxcut.NoPartition("why", 4, "what was printed")
    failure.graph = Path("graph.json")
    copied = pickle.loads(pickle.dumps(failure))
    assert (str(copied), copied.exit_status, copied.stderr, copied.graph) == ("why", 4, "what was printed", failure.graph)


CONTRADICTIONS = {
    "two limits": {"saved_bytes": "1GB", "peak_bytes": "2GB"},
    "a limit and a budget": {"budget": 0.5, "saved_bytes": "1GB"},
    "a limit of another solver": {"saved_bytes": "1GB", "budget_solver": "dp"},
    "an option and its setting": {"budget": 0.5, "settings": {"activation_memory_budget": 0.4}},
    "a limit and a setting": {"budget": 0.5, "settings": {"saved_bytes_limit": "1GB"}},
    "a budget without a cut": {"budget": 0.5, "settings": {"partitioner": "default"}},
    "saved and recomputed": {"save_names": "a,b", "recompute_names": ["b"]},
}
NONSENSE = {
    "budget": 2,
    "budget_solver": "none",
    "saved_bytes": "12 apples",
    "peak_bytes": -1,
    "time_limit": -1,
    "gap": "wide",
    "save_names": ["a,b"],
    "offload_names": "a,,b",
    "recompute_names": [3],
    "jax_policy": "everything",
    "offload_dialect": "none",
    "device_profile": "no_such_file.json",
    "policy": products("SAVE"),
    "settings": {"no_such_setting": 1},
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_options_that_contradict_each_other_are_refused(name: str) -> None:
    with pytest.raises(fxcut.InvalidArgument):
        fxcut.Partitioner(**CONTRADICTIONS[name])


@pytest.mark.parametrize("option", NONSENSE)
def test_each_option_is_checked_where_it_is_given(option: str) -> None:
    with pytest.raises(fxcut.InvalidArgument, match=f"{option}|{option.replace('_', '-')}"):
        fxcut.Partitioner(**{option: NONSENSE[option]})


def test_numbers_of_numpy_are_numbers_of_bytes() -> None:
    bytes_of_numpy = numpy.int64(50_000)
    assert bytes_of("peak_bytes", bytes_of_numpy) == 50_000
    fxcut.Partitioner(saved_bytes=bytes_of_numpy)
    fxcut.Partitioner(peak_bytes=bytes_of_numpy)


def test_a_policy_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text("{")
    with pytest.raises(fxcut.InvalidArgument, match="policy: Expecting"):
        fxcut.Partitioner(policy=tmp_path / "policy.json")


def test_a_device_profile_is_what_it_was_when_it_was_given(tmp_path: Path) -> None:
    profile = Path(shutil.copy(DEVICE_PROFILE, tmp_path))
    given = fxcut.Partitioner(device_profile=profile)
    uuid = given.uuid()
    profile.unlink()
    compiled_step(product_step(), given)
    assert given.uuid() == uuid


def test_an_operator_that_is_not_there() -> None:
    with pytest.raises(fxcut.UnknownTarget, match="xla.place_to_host.default, which this PyTorch does not have"):
        target_of("xla.place_to_host.default")


def test_a_barrier_that_is_not_there_is_none_of_offloading() -> None:
    with pytest.raises(fxcut.UnknownTarget, match="else leave out the setting recompute_barrier") as refused:
        target_of("xla.optimization_barrier.default")
    assert "offload" not in str(refused.value)


def test_a_name_that_is_none() -> None:
    with pytest.raises(fxcut.InvalidArgument, match="'a,b' is not a name"):
        fxcut.checkpoint_name(torch.ones(2), "a,b")


def test_a_name_that_is_no_text() -> None:
    with pytest.raises(TypeError, match="checkpoint_name: name: expected a str, found 3, of type int"):
        fxcut.checkpoint_name(torch.ones(2), 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("capture", [fxcut.capture, fxcut.profile, fxcut.capture_step, fxcut.trace_step])
def test_what_cannot_be_called_cannot_be_captured(capture: Callable[..., Any]) -> None:
    if capture in (fxcut.capture_step, fxcut.trace_step) and not WHOLE_STEPS.is_met():
        pytest.skip("needs whole steps")
    with pytest.raises(TypeError, match="expected a function or a module, found 3, of type int"):
        capture(3)


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
