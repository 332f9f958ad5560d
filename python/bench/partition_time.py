"""How long fxcut takes to partition, including JSON both ways and building both modules, compared with PyTorch.

usage: python python/bench/partition_time.py [--repeat N] [MODEL...]

Both partition the same joint graph of a training step, one after the other in one process; for each the least of N times counts.
A model is one of tests/models.py; `gpt2_12layer` is larger.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import fx
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._inductor.custom_graph_pass import CustomPartitionerFn

import fxcut

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from models import CORPUS_MODELS, gpt2, language_model  # noqa: E402

MODELS = {**CORPUS_MODELS, "gpt2_12layer": lambda: language_model(gpt2(12), 4, 128)}


class Timed(CustomPartitionerFn):
    """Times both on each graph: `rows` holds the number of nodes and the seconds of each."""

    def __init__(self, repeat: int) -> None:
        self.rows: list[tuple[int, float, float]] = []
        self._repeat = repeat

    def __call__(self, gm: fx.GraphModule, joint_inputs: Any, **kwargs: Any) -> Any:
        partitions = (min_cut_rematerialization_partition, fxcut.Partitioner())
        seconds = [self._least(partition, gm, joint_inputs, kwargs) for partition in partitions]
        self.rows.append((len(gm.graph.nodes), *seconds))
        return partitions[1](gm, joint_inputs, **kwargs)

    def _least(self, partition: Callable[..., Any], gm: fx.GraphModule, joint_inputs: Any, kwargs: Any) -> float:
        times = []
        for _ in range(self._repeat):
            copied = fx.GraphModule(gm, copy.deepcopy(gm.graph))
            start = time.perf_counter()
            partition(copied, joint_inputs, **kwargs)
            times.append(time.perf_counter() - start)
        return min(times)

    def uuid(self) -> str:
        return uuid.uuid4().hex


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("models", nargs="*", default=["gpt2_2layer", "llama_4layer", "gpt2_12layer"])
    options = parser.parse_args()
    print(f"PyTorch {torch.__version__}")
    print(f"{'graph':20} {'nodes':>6} {'PyTorch':>9} {'fxcut':>9}  fxcut / PyTorch")
    for name in options.models:
        model, inputs = MODELS[name]()
        for nodes, pytorch, ours in _time_partitions(model, inputs, options.repeat):
            print(f"{name:20} {nodes:6} {pytorch * 1e3:6.0f} ms {ours * 1e3:6.0f} ms  {ours / pytorch:.2f}", flush=True)


def _time_partitions(model: torch.nn.Module, inputs: dict[str, Any], repeat: int) -> list[tuple[int, float, float]]:
    """Under inductor's decompositions and passes, without its code generation."""
    from torch._dynamo.backends.debugging import boxed_nop
    from torch._inductor.compile_fx import compile_fx

    timed = Timed(repeat)

    def backend(module: fx.GraphModule, example_inputs: list[Any], **_: Any) -> Any:
        return compile_fx(
            module,
            example_inputs,
            inner_compile=lambda m, i, **_: boxed_nop(m, i),
            config_patches={"custom_partitioner_fn": timed},
        )

    torch.compiler.reset()
    torch.compile(model, backend=backend)(**inputs)
    return timed.rows


if __name__ == "__main__":
    main()
