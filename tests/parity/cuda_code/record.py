"""Records the CUDA code that inductor generates for the models of models.py under four decisions, on a machine without a GPU.

usage: FXCUT_BINARY=build/cli/fxcut PYTHONPATH=python:python/bench python tests/parity/cuda_code/record.py DIRECTORY [MODEL...]

PyTorch has to be a CUDA build; its release is part of the files' names. A model takes about a minute; what is in DIRECTORY is not
recorded again. NAME.json.zst is the joint graph, NAME.DECISION.report.json.zst what was decided, NAME.DECISION.log.zst the code,
and NAME.jsonl has a row for each decision: its settings, and what `fxcut memory` reads from the code. compare.py compares them
with what the program predicts.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any

import torch
from torch._inductor import config as inductor_config

import fxcut
from fxcut import generated_code
from fxcut.binary import run
from fxcut.cards import card_of
from fxcut.fake_step import FakeStep
from fxcut.on_card import CARD
from fxcut.stand_in import claim
from models import MODELS

Json = dict[str, Any]

DECISIONS = ("default", "budget", "saved", "peak")
RELEASE = torch.__version__.replace(".", "")[:3]
FIGURES = ("forward_peak_bytes", "between_bytes", "backward_peak_bytes")


def settings_of(decision: str, default: fxcut.Report | None) -> Json:
    if default is None or decision == "default":
        return {}
    if decision == "budget":
        return {"activation_memory_budget": 0.5}
    limit = (
        {"saved_bytes_limit": default["totals"]["saved_bytes_not_static"] // 2}
        if decision == "saved"
        else {"peak_bytes_limit": int(0.8 * default["memory"]["compiled"]["peak_bytes"])}
    )
    return {"activation_memory_budget_solver": "frontier", **limit}


def compress(content: bytes, path: Path) -> None:
    subprocess.run(["zstd", "-12", "--quiet", "--force", "-o", str(path)], input=content, check=True)


def record(model: str, settings: Json, prefix: Path) -> tuple[fxcut.Report, Json]:
    """The report, and what the code takes; both, and the code, are written to files that begin with the prefix."""
    torch.manual_seed(0)
    step = FakeStep(*MODELS[model](), device=CARD)
    partitioner = fxcut.Partitioner(settings={"sound": "never", "memory_of": "compiled", **settings})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with generated_code._traced_to(folder / "log"), generated_code._text_alone():
            generated_code.run_compiled(step, partitioner, generated_code._generated)
        [one] = json.loads(run(folder, ["memory", "log", "--format", "json"]).stdout)["steps"]
        compress((folder / "log").read_bytes(), Path(f"{prefix}.log.zst"))
    [report] = partitioner.reports
    compress(json.dumps(dict(report)).encode(), Path(f"{prefix}.report.json.zst"))
    return report, {figure: one[figure] for figure in FIGURES}


def record_model(model: str, directory: Path) -> None:
    name = f"{model}_{RELEASE}"
    default, rows = None, []
    for decision in DECISIONS:
        settings = settings_of(decision, default)
        try:
            report, figures = record(model, settings, directory / f"{name}.{decision}")
        except fxcut.NoPartition:  # no decision is within the limit
            continue
        default = default or report
        rows.append({"decision": decision, "config": settings, **figures})
    compress(zlib.decompress(default._graph), directory / f"{name}.json.zst")
    (directory / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(name, len(rows), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIRECTORY")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    asked = parser.parse_args()
    asked.directory.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.WARNING)
    torch.set_float32_matmul_precision("high")
    inductor_config.compile_threads = 1  # else workers are started, for which there is nothing to do
    claim(card_of("h100"))
    for model in asked.models or list(MODELS):
        if not (asked.directory / f"{model}_{RELEASE}.jsonl").exists():
            record_model(model, asked.directory)


if __name__ == "__main__":
    main()
