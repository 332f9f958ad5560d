"""Compares the memory that `fxcut partition --memory-of compiled` predicts with that of the code that inductor generates.

usage: python python/bench/predicted_memory.py [--order] [--held-out] [--record DIRECTORY] [MODEL...]

Each model is traced on fake tensors and partitioned in four ways, with --order in eight; inductor generates the code of both
graphs, which is neither compiled nor run, and `fxcut memory` reads what it takes. Next to the prediction and the memory of the
operators is inductor's own estimate of the peak, which it makes after compiling (torch._inductor.memory.estimate_peak_memory).

At the end: how many pairs of decisions on a model whose generated peaks differ by more than 3 % are predicted in the wrong order.

--record writes the graphs and the figures that tests/parity/predicted_memory_test.cpp compares: NAME.json.zst, and peaks.json.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from held_out_models import HELD_OUT
from sized_models import MEMORY, MODELS
from torch._inductor import memory as inductor_memory
from torch._inductor.graph import GraphLowering
from torch.utils._ordered_set import OrderedSet

import fxcut
from fxcut import generated_code
from fxcut.binary import run
from fxcut.fake_step import FakeStep

Json = dict[str, Any]

DECISIONS: list[Json] = [
    {},
    {"activation_memory_budget": 0.3},
    {"activation_memory_budget": 0.6},
    {"activation_memory_budget_solver": "frontier", "saved_bytes_limit": "least"},
]

MORE_DECISIONS: list[Json] = [
    {"aggressive_recomputation": True},
    {"activation_memory_budget": 0.15},
    {"activation_memory_budget": 0.45},
    {"activation_memory_budget": 0.8},
]


def order_of(rows: list[tuple[float, float]]) -> tuple[int, int]:
    """Pairs of (generated, predicted) peaks that were generated more than 3 % apart, and those predicted the other way."""
    apart = [(low, high) for low in rows for high in rows if high[0] > 1.03 * low[0]]
    return len(apart), sum(high[1] <= low[1] for low, high in apart)


def estimate_of(lowering: GraphLowering) -> int:
    nodes, inputs = lowering.scheduler.nodes, OrderedSet(lowering.graph_inputs)
    freeable = inductor_memory.get_freeable_input_buf(nodes, inputs)
    return inductor_memory.estimate_peak_memory(nodes, freeable, OrderedSet(lowering.get_output_names()))[0]


def generate(step: FakeStep, partitioner: fxcut.Partitioner, folder: Path) -> Json | None:
    """The memory of the code that inductor generates, and its own estimate of it; None if a step breaks into several graphs."""
    estimates: list[int] = []
    write = generated_code._write_and_do_not_load

    def write_and_estimate(lowering: GraphLowering) -> Any:
        module = write(lowering)
        estimates.append(estimate_of(lowering))
        return module

    with generated_code._traced_to(folder / "log"), mock.patch.object(GraphLowering, "compile_to_module", write_and_estimate):
        generated_code.run_compiled(step, partitioner, generated_code._generated)
    steps = json.loads(run(folder, ["memory", "log", "--format", "json"]).stdout)["steps"]
    if len(steps) != 1:
        return None
    figures = ("forward_peak_bytes", "between_bytes", "backward_peak_bytes")
    return {**{figure: steps[0][figure] for figure in figures}, "inductor_estimate_bytes": max(estimates)}


def compare(model: str, config: Json, record: Path | None) -> tuple[Json, list[float]] | None:
    torch.manual_seed(0)
    partitioner = fxcut.Partitioner(settings={"sound": "never", "memory_of": "compiled", **config})
    with tempfile.TemporaryDirectory() as folder:
        figures = generate(FakeStep(*(MODELS | HELD_OUT)[model](MEMORY)), partitioner, Path(folder))
    if figures is None:
        print(f"{model:<12} breaks into {len(partitioner.reports)} graphs: left out")
        return None
    [report] = partitioner.reports
    if record and not config:
        compress = ["zstd", "-19", "--quiet", "--force", "-o", str(record / f"{model}.json.zst")]
        subprocess.run(compress, input=zlib.decompress(report._graph), check=True)
    truth = max(figures["forward_peak_bytes"], figures["backward_peak_bytes"])
    peaks = [report["memory"]["compiled"]["peak_bytes"], figures["inductor_estimate_bytes"], report["memory"]["peak_bytes"]]
    off = [peak / truth - 1 for peak in peaks]
    shown = " ".join(f"{word}={value}" for word, value in config.items()) or "by default"
    print(f"{model:<12} {truth:>13,} {off[0]:>+10.1%} {off[1]:>+10.1%} {off[2]:>+10.1%}  {shown}", flush=True)
    return {"config": config, **figures}, off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--order", action="store_true", help="eight decisions a model instead of four")
    parser.add_argument("--record", type=Path, metavar="DIRECTORY")
    parser.add_argument("--held-out", action="store_true", help="the models of held_out_models.py instead of sized_models.py's")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    asked = parser.parse_args()
    models = asked.models or list(HELD_OUT if asked.held_out else MODELS)
    logging.disable(logging.WARNING)
    print(f"torch {torch.__version__}\n{'model':<12} {'generated':>13} {'predicted':>10} {'inductor':>10} {'operators':>10}")
    peaks: dict[str, list[Json]] = {}
    errors: list[list[float]] = []
    pairs = inverted = 0
    for model in models:
        ordered: list[tuple[float, float]] = []
        for config in DECISIONS + (MORE_DECISIONS if asked.order else []):
            compared = compare(model, config, asked.record)
            if compared is None:
                break
            row, off = compared
            peaks.setdefault(model, []).append(row)
            truth = max(row["forward_peak_bytes"], row["backward_peak_bytes"])
            ordered.append((truth, truth * (1 + off[0])))
            errors.append([abs(one) for one in off])
        apart, wrong = order_of(ordered)
        pairs, inverted = pairs + apart, inverted + wrong
    for name, of in (("median", statistics.median), ("worst", max)):
        print(f"{name:<26}" + "".join(f" {of(column):>10.1%}" for column in zip(*errors)))
    print(f"{inverted} of {pairs} pairs of decisions that differ by more than 3 % are predicted in the other order")
    if asked.record:
        lists = {model: ",\n".join(f"    {json.dumps(row)}" for row in rows) for model, rows in peaks.items()}
        rows = (f'  "{model}": [\n{text}\n  ]' for model, text in lists.items())
        (asked.record / "peaks.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
