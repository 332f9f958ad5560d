"""The reported memory of a rewritten step is what it takes: measured storages, node by node."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, fx

from fxcut.binary import find_binary
from fxcut.torch_releases import WHOLE_STEPS

if not WHOLE_STEPS.is_met():
    pytest.skip("PyTorch 2.15 is the first to trace whole steps", allow_module_level=True)

from fxcut.step_from_json import step_from_answer
from fxcut.step_to_json import step_to_json
from measuring import Measuring
from whole_steps import STEPS, passed_to

# One region of the backward; several; dropout, whose states are saved or not; the optimizer in the step; both.
MEASURED = (
    "attention",
    "dropout_in_region",
    "dropout_outside",
    "mlp_wide",
    "mlp_without_tags",
    "microbatches",
    "chunked_cross_entropy_in_regions",
    "two_losses",
    "two_losses_of_one_trunk",
    "sgd_with_momentum",
    "adamw",
    "accumulated_then_sgd",
)


class Step:
    """A step as it is traced, and what the program makes of it."""

    def __init__(self, name: str, folder: Path) -> None:
        self._folder = folder

        def keep(step: fx.GraphModule, static: Any) -> fx.GraphModule:
            self.module = step
            self.sent = step_to_json(step, static_lifetime_inputs=static, name=name)
            return step

        passed_to(keep, STEPS[name])
        (folder / "step.json").write_text(json.dumps(self.sent))

    def rewritten(self, *options: str) -> tuple[fx.GraphModule, dict[str, Any], dict[str, int]]:
        """The step, the report, and the reported bytes by node."""
        made = self._folder / "made"
        command = [find_binary(), "partition", self._folder / "step.json", "--output-dir", made, "--force"]
        subprocess.run([*command, "--memory-curve", *options], check=True, capture_output=True)
        with open(made / "memory_curve.csv") as file:
            curve = {row["node"]: int(row["bytes"]) for row in csv.DictReader(file)}
        answer = json.loads((made / "step.json").read_text())
        return step_from_answer(self.module, self.sent, answer), json.loads((made / "report.json").read_text()), curve


def measured(step: fx.GraphModule) -> dict[str, int]:
    values = [node.meta["val"] for node in step.graph.find_nodes(op="placeholder")]
    inputs = [torch.ones(value.shape, dtype=value.dtype) if isinstance(value, Tensor) else value for value in values]
    measuring = Measuring(step, inputs)
    with torch.no_grad():
        measuring.run(*inputs)
    return measuring.bytes


@pytest.mark.parametrize("name", MEASURED)
def test_a_step_holds_the_limit_of_its_peak_node_by_node(name: str, tmp_path: Path) -> None:
    step = Step(name, tmp_path)
    usual, report, curve = step.rewritten()
    assert measured(usual) == curve
    tagged = report["memory"]["peak_bytes"]
    _, report, _ = step.rewritten("--peak-bytes", "least")
    lowest = report["memory"]["peak_bytes"]
    highest = max(lowest, tagged)  # equal calls that are made one keep their value, a few bytes of adamw
    for limit in sorted({lowest, (lowest + highest) // 2, highest}):
        limited, report, curve = step.rewritten("--peak-bytes", str(limit))
        assert measured(limited) == curve
        assert max(curve.values()) == report["memory"]["peak_bytes"] <= limit
