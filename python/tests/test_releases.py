"""What a release of PyTorch lacks is refused in one sentence, and what it has works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import fxcut
from fxcut import torch_releases

pytestmark = pytest.mark.brief


class Sine(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))

    def forward(self, x: Tensor) -> Tensor:
        return torch.sin(x * self.weight).sum()


REFUSALS = {
    "CAPTURE": ("2.3.1", "the package needs PyTorch 2.4 or newer, and this is 2.3.1: install a newer one."),
    "DECISIONS": (
        "2.7.1+cpu",
        "whatever decides or measures within Python (Partitioner, fit, profile and what builds on them) needs PyTorch 2.8 or "
        "newer, and this is 2.7.1+cpu: install a newer one, or let the command 'fxcut partition' decide on what fxcut.capture "
        "writes down.",
    ),
    "WHOLE_STEPS": (
        "2.14.1",
        "a whole step in one graph needs PyTorch 2.15 or newer, and this is 2.14.1: install a newer one, or compile the forward "
        "alone, with fxcut.Partitioner.",
    ),
    "OFFLOADING_OPERATORS": (
        "2.10.0",
        "offload_dialect='ao', by whose operators the answer offloads, needs PyTorch 2.12 or newer, and this is 2.10.0: install "
        "a newer one, or choose offload_dialect='aten'.",
    ),
}


@pytest.mark.parametrize("need", REFUSALS)
def test_what_a_release_lacks_is_refused_in_a_sentence(need: str) -> None:
    version, said = REFUSALS[need]
    with pytest.raises(fxcut.UnsupportedTorch) as refusal:
        getattr(torch_releases, need).check(version)
    assert str(refusal.value) == f"fxcut: {said}"


LACKING = {"2.3.1": 4, "2.4.1": 3, "2.7.1": 3, "2.8.0+cu128": 2, "2.12.1": 1, "2.15.0": 0, "2.16": 0}


@pytest.mark.parametrize(("version", "lacking"), LACKING.items())
def test_from_which_release_on_nothing_is_refused(version: str, lacking: int) -> None:
    assert sum(not getattr(torch_releases, need).is_met(version) for need in REFUSALS) == lacking


CALLS: dict[str, tuple[str, Callable[[], Any]]] = {
    "capture": ("CAPTURE", lambda: fxcut.capture(Sine(), torch.ones(4, 4))),
    "Partitioner": ("DECISIONS", fxcut.Partitioner),
    "partitioning_by": ("DECISIONS", lambda: fxcut.partitioning_by(None).__enter__()),
    "fit": ("DECISIONS", lambda: fxcut.fit(Sine(), torch.ones(4, 4), peak_bytes="1GB")),
    "largest_batch": ("DECISIONS", lambda: fxcut.largest_batch(Sine(), lambda size: torch.ones(size, 4), peak_bytes="1GB")),
    "profile": ("DECISIONS", lambda: fxcut.profile(Sine(), torch.ones(4, 4))),
    "capture_step": ("WHOLE_STEPS", lambda: fxcut.capture_step(Sine(), torch.ones(4, 4))),
    "trace_step": ("WHOLE_STEPS", lambda: fxcut.trace_step(Sine(), torch.ones(4, 4))),
    "rematerialize_step": ("WHOLE_STEPS", lambda: fxcut.rematerialize_step(torch.fx.symbolic_trace(Sine()))),
    "rematerializing_steps": ("WHOLE_STEPS", lambda: fxcut.rematerializing_steps().__enter__()),
}


@pytest.mark.parametrize("name", CALLS)
def test_each_function_refuses_a_pytorch_that_is_too_old(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need, call = CALLS[name]
    lacking = getattr(torch_releases, need)
    monkeypatch.setattr(torch_releases.Need, "is_met", lambda self, *_: self is not lacking)
    with pytest.raises(fxcut.UnsupportedTorch, match="needs PyTorch"):
        call()


@pytest.mark.skipif(torch_releases.DECISIONS.is_met(), reason="this PyTorch has all that decides")
@pytest.mark.parametrize("name", CALLS)
def test_an_old_release_captures_and_refuses_the_rest(name: str) -> None:
    need, call = CALLS[name]
    if getattr(torch_releases, need).is_met():
        call()
        return
    with pytest.raises(fxcut.UnsupportedTorch, match="needs PyTorch"):
        call()


def test_inductor_has_the_partitioner_decide() -> None:
    if not torch_releases.DECISIONS.is_met():
        pytest.skip(torch_releases.DECISIONS.refusal())
    with torch._inductor.config.patch(force_disable_caches=True):
        with fxcut.partitioning_by(fxcut.Partitioner()) as partitioner:
            torch.compile(lambda x: x @ x @ x)(x := torch.randn(4, 4, requires_grad=True)).backward(x)
        torch.compiler.reset()
        torch.compile(lambda x: x @ x)(x).backward(x)
    assert len(partitioner.reports) == 1
