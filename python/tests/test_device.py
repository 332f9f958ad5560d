"""`device="h100"`: the graphs and the memory of a GPU that this machine has not; nothing here changes on its account."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

import fxcut
from fxcut.cards import CARDS
from fxcut.own_process import OwnProcessFailed, in_own_process
from fxcut.torch_releases import DECISIONS, RELEASE

needs_cuda_build = pytest.mark.skipif(torch.version.cuda is None, reason="needs PyTorch's CUDA build, though no GPU")
needs_triton = pytest.mark.skipif(not torch.utils._triton.has_triton_package(), reason="inductor's code for a GPU needs Triton")

WIDTH, HEADS, TOKENS = 256, 4, 128


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.read = nn.Linear(WIDTH, 3 * WIDTH, dtype=torch.bfloat16)
        self.write = nn.Linear(WIDTH, WIDTH, dtype=torch.bfloat16)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (one.unflatten(-1, (HEADS, -1)).transpose(1, 2) for one in self.read(x).chunk(3, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.write(mixed.transpose(1, 2).flatten(2)).float().square().mean()


def tokens(batch: int = 2) -> Tensor:
    return torch.randn(batch, TOKENS, WIDTH, dtype=torch.bfloat16)


def attention_in(graph: dict[str, Any]) -> str:
    """Of "aten._scaled_dot_product_flash_attention.default" "flash"."""
    found = next(node["target"] for node in graph["nodes"] if "scaled_dot_product" in node["target"])
    return str(found).removeprefix("aten._scaled_dot_product_").removesuffix("_attention.default")


def nodes_of(graph: dict[str, Any]) -> list[Any]:
    return [{**node, "meta": None} for node in graph["nodes"]]


@needs_cuda_build
@pytest.mark.brief
@pytest.mark.parametrize("device", CARDS)
def test_attention_is_that_of_the_card(device: str) -> None:
    model = Attention()
    (graph,) = fxcut.capture(model, tokens(), device=device)
    devices = {node["val"]["device"] for node in graph["nodes"] if (node.get("val") or {}).get("kind") == "tensor"}
    assert devices == {"cuda:0"}
    # On 9.0 and 10.0 cuDNN's comes first (check_prefer_cudnn_attention in sdp_utils.cpp).
    prefers_cudnn = CARDS[device].capability >= (9, 0)
    assert attention_in(graph) == ("cudnn" if prefers_cudnn else "flash") or RELEASE < (2, 11)
    assert not torch.cuda.is_available() and not torch.cuda.is_initialized()
    assert {parameter.device.type for parameter in model.parameters()} == {"cpu"}


@needs_cuda_build
def test_what_ran_before_does_not_matter() -> None:
    model, x = Attention(), tokens()
    (first,) = fxcut.capture(model, x, device="h100")
    with FakeTensorMode():
        pass
    fxcut.capture(model, x)
    model(x).backward()
    (again,) = fxcut.capture(model, x, device="h100")
    assert nodes_of(first) == nodes_of(again)


global_model, scale = Attention(), torch.ones(())


def of_globals(x: Tensor) -> Tensor:
    return scaled(global_model(x))


def scaled(x: Tensor) -> Tensor:
    return x * scale


class Holder:
    def __init__(self) -> None:
        self.model = Attention()

    def loss(self, x: Tensor) -> Tensor:
        return self.model(x)


def closing_over(model: nn.Module) -> Callable[[Tensor], Tensor]:
    return lambda x: model(x)


def taking(model: nn.Module, x: Tensor) -> Tensor:
    return model(x)


@needs_cuda_build
def test_what_a_function_reads_is_on_the_card() -> None:
    functions = [of_globals, closing_over(Attention()), Holder().loss, functools.partial(taking, Attention())]
    captured = in_own_process(lambda: [fxcut.capture(function, tokens(), device="h100") for function in functions])
    assert [attention_in(graph) for (graph,) in captured] == ["cudnn" if RELEASE >= (2, 11) else "flash"] * 4


@needs_cuda_build
def test_fake_models_and_tied_parameters() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.head = nn.Embedding(64, WIDTH), nn.Linear(WIDTH, 64, bias=False)
            self.head.weight = self.embed.weight

        def forward(self, x: Tensor) -> Tensor:
            return self.head(self.embed(x)).sum()

    with FakeTensorMode():
        model, x = Tied(), torch.zeros(8, dtype=torch.long)
    (graph,) = fxcut.capture(model, x, device="a100")
    assert len(graph["static_lifetime_inputs"]) == 1 or RELEASE < (2, 8)


@needs_cuda_build
@needs_triton
@pytest.mark.brief
@pytest.mark.skipif(not DECISIONS.is_met(), reason="decides")
def test_a_fit_and_a_batch_of_a_card() -> None:
    torch.utils._triton.has_triton()  # which keeps that there is no GPU
    model = Attention()
    parameters = sum(-(-one.numel() * 2 // 512) * 512 for one in model.parameters())
    found = fxcut.fit(model, tokens(), device="h100", optimizer="sgd+momentum")
    assert found.limit_bytes == CARDS["h100"].usable_bytes and found.chosen.limit is None
    assert found.lines["parameters"] == found.lines["optimizer states"] == parameters
    assert found.promised_bytes == sum(found.lines.values()) and found.promised_bytes % 512 == 0
    sizes = fxcut.largest_batch(model, tokens, device="h100", peak_bytes=found.promised_bytes, sizes=(1, 64))
    assert sizes.largest == 1 and isinstance(sizes.answers[64], fxcut.DoesNotFit)
    assert sizes.answers[64].lowest_bytes > found.promised_bytes and len(sizes.answers[64].rounds) > 1


def test_nothing_is_measured_on_a_card_that_stands_in() -> None:
    with pytest.raises(fxcut.InvalidArgument, match="nothing is measured"):
        fxcut.fit(Attention(), tokens(), device="h100", workspaces="measured")


SCRIPT = """
import sys, torch
from torch import nn
assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
embed, head = nn.Embedding(64, 32), nn.Linear(32, 64, bias=False)
head.weight = embed.weight
model = nn.Sequential(embed, head).to("cuda")
assert head.weight is embed.weight and head.weight.is_cuda
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(2):
    loss = torch.compile(model)(torch.randint(0, 64, (8,)).cuda()).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if "value" in sys.argv:
        print(loss.item())
    if "kernel" in sys.argv:
        from torch._subclasses.fake_tensor import unset_fake_temporarily
        with unset_fake_temporarily():
            torch.zeros(3, device="cuda")
"""


def run_script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "step.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "fxcut.capture", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@needs_cuda_build
@pytest.mark.brief
def test_a_script_finds_the_card(tmp_path: Path) -> None:
    run = run_script(tmp_path, "step.py", "--device", "h100")
    assert (run.returncode, run.stdout) == (0, "step.json\n"), run.stderr
    graph = json.loads((tmp_path / "step.json").read_text())
    assert len([node for node in graph["nodes"] if node["target"] == "aten.mm.default"]) == 3


@needs_cuda_build
@pytest.mark.parametrize("what", ["value", "kernel"])
def test_a_script_that_needs_a_value_ends_with_a_sentence(tmp_path: Path, what: str) -> None:
    run = run_script(tmp_path, "--device", "h100", "step.py", what)
    assert (run.returncode, run.stdout) == (1, "step.json\n"), run.stderr
    (told,) = [line for line in run.stderr.splitlines() if line.startswith("step.py: ")]
    assert "on the h100 that stands in nothing runs" in told and "Traceback" not in run.stderr


@pytest.mark.parametrize("device", ["h1000", "mi300x"])
def test_other_cards_are_refused(device: str) -> None:
    with pytest.raises(fxcut.FxcutError, match="a100, h100, b200"):
        fxcut.capture(Attention(), tokens(), device=device)


@pytest.mark.skipif(torch.version.cuda is not None, reason="of builds for the CPU alone")
@pytest.mark.brief
def test_a_build_without_cuda_is_told_what_to_install() -> None:
    with pytest.raises(fxcut.UnsupportedTorch, match=r"needs PyTorch's CUDA build, no GPU.*pip install"):
        fxcut.capture(Attention(), tokens(), device="h100")


def test_another_device_is_the_functions_own() -> None:
    def loss(x: Tensor, device: str) -> Tensor:
        return (x.to(device) * 2).sum()

    (graph,) = fxcut.capture(loss, torch.ones(2, requires_grad=True), device="cpu")
    assert graph["nodes"]


class Odd(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(error: Exception) -> None:
    raise error


def test_what_goes_wrong_in_another_process_is_raised_here() -> None:
    assert in_own_process(lambda: 7) == 7
    with pytest.raises(KeyError, match="gone") as found:
        in_own_process(lambda: fail(KeyError("gone")))
    assert "in fail" in str(found.value.__cause__)
    with pytest.raises(OwnProcessFailed, match="Odd: 1 and 2"):
        in_own_process(lambda: fail(Odd(1, 2)))
    with pytest.raises(OwnProcessFailed, match="ended with status 3"):
        in_own_process(lambda: sys.modules["os"]._exit(3))
