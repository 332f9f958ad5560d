"""What fxcut.fit promises of a training step, against what the compiled step takes when it runs, on the CPU.

usage: python python/bench/fit_memory.py [--shares SHARE,...] [--no-kernels] [MODEL...]

Each model is fitted to shares of what the code of its forward and backward takes without a limit, with an allowance of 0.5 % of the limit for what kernels take within their calls. The step is compiled with the partitioner that
fxcut.fit returns, and runs three times; of the third torch.profiler has each allocation and free, workspaces among them.

With --no-kernels inductor's own kernels are left out, which compute and allocate nothing: the wrappers run as they are, and what they
and PyTorch's operators allocate is the same, without an hour of compiling.

`limit` is what is left to forward and backward, the allowance included, and so for `promised`. Exit status 1: a step took
more than was promised, or where a limit binds, less than 98 % of it.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
import transformers
from compiled_memory import SumOf, Around, Attention, Routed, UNet, convolution, walk
from torch import Tensor, nn

import fxcut

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from models import LossOnly  # noqa: E402

Step = tuple[nn.Module, dict[str, Tensor]]

CLOSE = 0.98
ALLOWANCE = 0.005
SIZES = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 192, "num_attention_heads": 4}


def language_model(model: nn.Module) -> Step:
    ids = torch.randint(0, SIZES["vocab_size"], (8, 256))
    return LossOnly(model.train()), {"input_ids": ids, "labels": ids}


def llama() -> Step:
    config = transformers.LlamaConfig(**SIZES, num_hidden_layers=2, num_key_value_heads=2, use_cache=False)
    return language_model(transformers.LlamaForCausalLM(config))


def gpt2() -> Step:
    config = transformers.GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=SIZES["vocab_size"], use_cache=False)
    return language_model(transformers.GPT2LMHeadModel(config))


def bert() -> Step:
    config = transformers.BertConfig(**SIZES, num_hidden_layers=2)
    return language_model(transformers.BertForMaskedLM(config))


def mixture() -> Step:
    config = transformers.MixtralConfig(
        **SIZES, num_hidden_layers=2, num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2, use_cache=False
    )
    return language_model(transformers.MixtralForCausalLM(config))


def vit() -> Step:
    config = transformers.ViTConfig(
        hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=192, image_size=64, patch_size=4, num_labels=2
    )
    images = {"pixel_values": torch.randn(8, 3, 64, 64), "labels": torch.randint(0, 2, (8,))}
    return LossOnly(transformers.ViTForImageClassification(config).train()), images


def resnet() -> Step:
    config = transformers.ResNetConfig(
        embedding_size=16, hidden_sizes=[16, 32, 64, 128], depths=[1, 1, 1, 1], layer_type="basic", num_labels=2
    )
    images = {"pixel_values": torch.randn(8, 3, 128, 128), "labels": torch.randint(0, 2, (8,))}
    return LossOnly(transformers.ResNetForImageClassification(config).train()), images


def perceptron() -> Step:
    block = lambda: Around(nn.LayerNorm(64), nn.Linear(64, 192), nn.GELU(), nn.Linear(192, 64))  # noqa: E731
    return SumOf(*(block() for _ in range(3))), {"x": torch.randn(8192, 64)}


def convnet() -> Step:
    layers = [convolution(3, 16), *(Around(convolution(16, 16)) for _ in range(5))]
    return SumOf(*layers), {"x": torch.randn(8, 3, 64, 64)}


def attention() -> Step:
    block = lambda: nn.Sequential(  # noqa: E731
        Around(nn.LayerNorm(64), Attention(64, 4)), Around(nn.LayerNorm(64), nn.Linear(64, 192), nn.SiLU(), nn.Linear(192, 64))
    )
    return SumOf(*(block() for _ in range(3))), {"x": torch.randn(8, 256, 64)}


MODELS: dict[str, Callable[[], Step]] = {
    "llama": llama,
    "gpt2": gpt2,
    "bert": bert,
    "mixture": mixture,
    "vit": vit,
    "resnet": resnet,
    "unet": lambda: (UNet(16), {"x": torch.randn(8, 3, 128, 128)}),
    "mlp": perceptron,
    "convnet": convnet,
    "attention": attention,
}


def measured_peak(step: Callable[[], None]) -> int:
    """The highest sum of bytes above those at the begin, by what PyTorch's allocator reports."""
    with torch.profiler.profile(profile_memory=True, activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        step()
    roots = profiler.profiler.kineto_results.experimental_event_tree()
    events = {id(event): event for root in roots for event in (root, *walk(root))}.values()
    changes = [(e.start_time_ns, e.extra_fields.alloc_size) for e in events if e.tag == torch._C._profiler._EventType.Allocation]
    now = peak = 0
    for _, size in sorted(changes, key=lambda change: change[0]):
        now += size
        peak = max(peak, now)
    return peak


def run_compiled(model: nn.Module, inputs: dict[str, Tensor], partitioner: fxcut.Partitioner) -> int:
    torch.compiler.reset()
    with torch._inductor.config.patch(custom_partitioner_fn=partitioner):
        compiled = torch.compile(model)

        def step() -> None:
            model.zero_grad()
            compiled(**inputs).backward()

        step()
        model.zero_grad()
        step()
        model.zero_grad()
        return measured_peak(step)


def leave_kernels_out() -> None:
    from torch._inductor.async_compile import AsyncCompile

    AsyncCompile.cpp_pybinding = lambda *_, **__: lambda *_: None  # type: ignore[method-assign]


def show(name: str, share: str, fit: fxcut.Fit, peak: int, seconds: float) -> bool:
    beside = fit.promised_bytes - fit.code_bytes - fit.lines["allowance"]
    limit, promised = fit.limit_bytes - beside, fit.promised_bytes - beside
    binds = fit.chosen.limit is not None
    holds = peak <= promised and (not binds or promised >= CLOSE * limit)
    print(
        f"{name:<10} {share:>5} {limit:>12,} {promised:>12,} {promised / limit:>7.1%} {fit.code_bytes:>12,} {peak:>12,} "
        f"{peak / limit:>7.1%} {len(fit.rounds):>6} {seconds:>5.0f} {'' if holds else 'MISSED'}",
        flush=True,
    )
    return holds


def run_one(name: str, shares: list[float], verbose: bool) -> bool:
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    free = fxcut.fit(model, inputs, peak_bytes="1TB")
    holds = True
    for share in shares:
        limit = free.promised_bytes - free.code_bytes + int(share * free.code_bytes)
        begin = time.monotonic()
        try:
            fit = fxcut.fit(model, inputs, peak_bytes=limit, allowance=int(ALLOWANCE * share * free.code_bytes), gap="5%")
        except fxcut.DoesNotFit as error:
            print(f"{name:<10} {share:>5} does not fit: {error}\n" + "\n".join(f"  {one}" for one in error.rounds), flush=True)
            continue
        seconds = time.monotonic() - begin
        holds = show(name, str(share), fit, run_compiled(model, inputs, fit.partitioner), seconds) and holds
        if verbose:
            print(fit, flush=True)
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shares", default="0.85,0.65", help="of what the step takes without a limit")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--no-kernels", action="store_true", help="leave inductor's kernels out")
    parser.add_argument("-v", action="store_true", help="also show each fit")
    parser.add_argument("models", nargs="*", default=list(MODELS), metavar="MODEL")
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    if asked.no_kernels:
        leave_kernels_out()
    if asked.one:
        return 0 if run_one(asked.models[0], [float(share) for share in asked.shares.split(",")], asked.v) else 1
    print(f"torch {torch.__version__}")
    print(f"{'model':<10} {'share':>5} {'limit':>12} {'promised':>20} {'code':>12} {'measured':>20} {'rounds':>6} {'s':>5}", flush=True)
    again = [sys.executable, __file__, "--one", *(word for word in sys.argv[1:] if word not in asked.models)]
    results = [subprocess.run([*again, name], check=False).returncode for name in asked.models]  # each in a process of its own
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
