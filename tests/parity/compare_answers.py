"""The tool's partitions against PyTorch's recorded ones, as ../shared/tools/parity.py judges them.

That script starts the tool for each case. Here it gets, in the place of a process, the partition that other comparisons look
at as well. A process looks at one graph at a time.
"""
from __future__ import annotations

import functools
import importlib.util
import json
import os
import pathlib
import subprocess
import types

from comparison import Outcome, RecordedAnswers
from partitions import SECONDS, Partition, Partitions

KINDS = ("plain", "default", "budget", "offload")
ASPECTS = ("saved", "cut", "graphs", "totals", "errors")


class SharedRuns:
    """Stands for the module subprocess in parity.py, which starts TOOL partition GRAPH --config FILE --output-dir DIR."""

    TimeoutExpired = subprocess.TimeoutExpired

    def __init__(self, partitions: Partitions) -> None:
        self.partitions = partitions

    def run(self, command: list[str], **_: object) -> Partition:
        _, verb, _, config_option, config, output_option, output = command
        if (verb, config_option, output_option) != ("partition", "--config", "--output-dir"):
            raise ValueError(f"parity.py starts the tool in another way: {command}")
        made = self.partitions.of(json.loads(pathlib.Path(config).read_text()))
        os.symlink(made.directory, output)
        return made


@functools.cache
def load_judge(path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("parity", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    return judge


def compare_answers(judge: pathlib.Path, kind: str, partitions: Partitions, answers: RecordedAnswers) -> list[Outcome]:
    """kind: which cases, one of KINDS."""
    parity = load_judge(judge)
    parity.subprocess = SharedRuns(partitions)
    found = parity.check_graph(str(partitions.tool), str(answers.graph), ASPECTS, [kind], SECONDS)
    return [Outcome(kind, f"{aspect}: {label}", wrong) for aspect, label, wrong in found]
