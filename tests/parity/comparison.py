"""What a comparison is: a function from a graph's recorded answers and its partitions to outcomes."""
from __future__ import annotations

import json
import pathlib
from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """kind: which of the comparisons; label: graph and settings; wrong: what does not hold; row: figures to sum up."""

    kind: str
    label: str
    wrong: str | None
    row: dict[str, Any] | None = None


class RecordedAnswers(NamedTuple):
    """GRAPH.json, and what PyTorch made of it (GRAPH.expected.json)."""

    graph: pathlib.Path
    expected: dict[str, Any]

    def settings(self) -> list[dict[str, Any]]:
        return [settings_of(case) for case in self.expected["cases"]]


def settings_of(case: dict[str, Any]) -> dict[str, Any]:
    return {**case["config"], "partitioner": case["partitioner"]}


def recorded_answers(graph: pathlib.Path) -> RecordedAnswers:
    return RecordedAnswers(graph, json.loads(graph.with_suffix(".expected.json").read_text()))


def graphs_with_answers(directory: pathlib.Path) -> list[pathlib.Path]:
    """The joint graphs with answers; those of whole steps are of another format."""
    graphs = [path for path in directory.rglob("*.json") if path.parent.name != "steps"]
    return sorted(path for path in graphs if path.with_suffix(".expected.json").exists())
