"""Verifies partitions with 'fxcut verify': the tool's own, and PyTorch's recorded ones.

For each case that is recorded of a graph:
  own      'fxcut partition' decides under the case's settings; the two graphs and the report have to verify, and the
           two graphs without the report, too
  pytorch  where the case has PyTorch's two graphs, they become files (nodes without values; all else is the joint
           graph's), and have to verify without a report
  warned   what does not verify has to be warned of in the report, and nothing else may be
Where PyTorch refuses a graph there is nothing to verify. What PyTorch itself gets wrong, and fxcut does as PyTorch, is
listed in pytorch_miscomputes.json beside this file: by graph why, and under which settings. Those must not verify; where
"by_position" stands there, not without a report.
"""
from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

from comparison import Outcome, RecordedAnswers, settings_of
from partitions import Partitions

BY_NAMES = " by names"
KNOWN = json.loads((pathlib.Path(__file__).parent / "pytorch_miscomputes.json").read_text())


def known_wrong(graph: str, settings: dict[str, Any]) -> dict[str, Any] | None:
    """What is known of PyTorch's own answer where it does not compute the graph under these settings; None where it does."""
    known = KNOWN.get(graph, {"when": []})

    def holds(wanted: dict[str, Any]) -> bool:
        return wanted.items() <= settings.items()

    is_wrong = any(map(holds, known.get("when", [{}]))) and not any(map(holds, known.get("unless", [])))
    return known if is_wrong else None


def side_file(joint: dict[str, Any], case: dict[str, Any], side: str) -> dict[str, Any]:
    """PyTorch's nodes of a side as a graph file."""
    graph = {"format": "fx-graph", "version": 1, "side": side}
    shared = ("name", "producer", "static_lifetime_inputs", "symbols", "ops", "attributes")
    graph.update({key: joint[key] for key in shared if key in joint})
    if side == "forward":
        graph["num_fwd_outputs"] = joint["num_fwd_outputs"]
    graph["nodes"] = case[side]
    subgraphs = dict(joint.get("subgraphs", {}))
    for name, nodes in case.get("subgraphs", {}).items():  # those that PyTorch has made or cleaned
        subgraphs[name] = dict(subgraphs.get(name, {}), nodes=nodes)
    graph["subgraphs"] = subgraphs
    return graph


def outcome(partitions: Partitions, files: list[pathlib.Path]) -> str | None:
    done = partitions.run("verify", partitions.graph, *files)
    return None if done.returncode == 0 else f"exit status {done.returncode}: {(done.stdout + done.stderr).strip()}"


def verify_own(partitions: Partitions, joint: dict[str, Any], case: dict[str, Any], label: str) -> Iterator[Outcome]:
    made = partitions.of(settings_of(case))
    if made.returncode != 0:
        yield Outcome("own", label, f"no partition (exit status {made.returncode}): {made.stderr.strip()[:300]}")
        return
    wrong = outcome(partitions, [*made.sides(), made.directory / "report.json"])
    yield Outcome("own", label, wrong)
    yield Outcome("own", label + BY_NAMES, outcome(partitions, made.sides()))
    unsound = [row for row in made.report().get("unsound", []) if not draws_a_seed(joint, row)]
    yield Outcome("warned", label, compare_warning(unsound, wrong))


def draws_a_seed(joint: dict[str, Any], row: dict[str, Any]) -> bool:
    """Which 'verify', as PyTorch, takes for a function of its arguments."""
    targets = {node["name"]: node.get("target", "") for node in joint["nodes"]}
    return row["fault"] == "drawn_again" and targets.get(row["name"], "").startswith("prims.")


def compare_warning(unsound: list[Any], wrong: str | None) -> str | None:
    if unsound and wrong is None:
        return f"verifies, though its report warns: {unsound[0]['text']}"
    return f"does not verify, and its report does not say so: {wrong}" if wrong and not unsound else None


def verify_pytorchs(partitions: Partitions, joint: dict[str, Any], case: dict[str, Any], label: str) -> Iterator[Outcome]:
    if "forward" not in case:
        return
    sides = [partitions.directory / f"pytorch-{side}.json" for side in ("forward", "backward")]
    for side, file in zip(("forward", "backward"), sides):
        file.write_text(json.dumps(side_file(joint, case, side)))
    yield Outcome("pytorch", label, outcome(partitions, sides))


def as_expected(found: Outcome, known: dict[str, Any] | None) -> Outcome:
    if known is None or found.kind == "warned":
        return found
    if known.get("by_position") and found.kind == "own" and not found.label.endswith(BY_NAMES):
        return found
    is_refused = found.wrong is not None and "exit status 1:" in found.wrong
    return found._replace(wrong=None if is_refused else f"verifies, though {known['why']}")


def verify_partitions(partitions: Partitions, answers: RecordedAnswers) -> list[Outcome]:
    joint = json.loads(answers.graph.read_text())
    outcomes: list[Outcome] = []
    for number, case in enumerate(answers.expected["cases"]):
        if "error" in case:
            continue
        label, known = f"{answers.graph.stem} #{number}", known_wrong(answers.graph.stem, settings_of(case))
        found = [*verify_own(partitions, joint, case, label), *verify_pytorchs(partitions, joint, case, label)]
        outcomes += [as_expected(each, known) for each in found]
    return outcomes
