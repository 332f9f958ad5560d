"""A decision that is replayed gives the bytes of the run that made it.

Partitions a graph under its recorded settings and a list of others (bans lifted, budgets, the frontier solver, the default
partitioner, both cut sides, barriers), with all that it computes marked for offloading in each dialect, and under policies,
JAX's among them; then replays each report with --decision. forward.json, backward.json and report.json have to be the same
bytes, and so has what is printed, less the advice: it names the options of the decision, which a replay does not have. What
cannot be partitioned is left out, and counted.
"""
from __future__ import annotations

import filecmp
import json
import re
from collections.abc import Iterator
from typing import Any

from comparison import Outcome, RecordedAnswers
from partitions import FILES, NO_PARTITION, Partition, Partitions

USAGE = 2
LARGEST_GRAPH_BYTES = 200_000  # larger ones show nothing more, and each is partitioned some 50 times
BARE = {"aggressive_recomputation": True, "recompute_views": True}
FRONTIER = {"activation_memory_budget_solver": "frontier", "budget_search_parts": 20, "budget_time_limit": 60}
SETTINGS = [
    {},
    BARE,
    {"partitioner": "default"},
    {"cut_side": "nearest_forward"},
    {"cse": False, "recompute_barrier": True},
    {"activation_memory_budget": 0},
    {"activation_memory_budget": 0.5},
    {"activation_memory_budget": 0.3, "activation_memory_budget_solver": "greedy"},
    dict(FRONTIER, saved_bytes_limit="least"),
    dict(FRONTIER, activation_memory_budget=0.5),
    dict(FRONTIER, saved_bytes_limit="least", graphsafe_rng_functionalization=False),
]
OFFLOADING = [
    {"enable_activation_offloading": True, "offload_dialect": "aten"},
    {"enable_activation_offloading": True, "offload_dialect": "xla"},
    {"enable_activation_offloading": True, "activation_offload_separate_stream": True,
     "activation_offload_sink_wait": True, "activation_reload_prefetch": True},
    dict(FRONTIER, saved_bytes_limit="least", enable_activation_offloading=True, offload_dialect="ao"),
]
POLICIES = [
    [{"name": "none", "otherwise": False}],
    [{"builtin": "must_save_all"}],
    [{"rules": [{"match": {"op": "aten.mm*"}, "policy": "PREFER_CPU_OFFLOAD"},
                {"match": {"op": {"regex": "aten\\.(relu|sin|cos)\\..*"}, "every": 2}, "policy": "MUST_SAVE"}],
      "otherwise": "PREFER_RECOMPUTE"}],
    [{"jax": "dots_saveable"}],
    [{"jax": "nothing_saveable"}],
    [{"jax": "offload_dot_with_no_batch_dims"}],
    [{"jax": "save_from_both_policies",
      "policies": [{"jax": "dots_saveable"}, {"jax": "save_only_these_names", "names": ["q"]}]}],
]
POLICY_SETTINGS = [{}, {"offload_dialect": "ao", "recompute_barrier": True}, {"offload_dialect": "xla"},
                   {"partitioner": "default"}, dict(FRONTIER, saved_bytes_limit="least")]


def marked_for_offloading(partitions: Partitions) -> Partitions:
    """Those of the graph with should_offload on all that it computes."""
    graph = json.loads(partitions.graph.read_text())
    for node in graph["nodes"]:
        if node["op"] == "call_function":
            node.setdefault("meta", {})["should_offload"] = True
    marked = partitions.directory / f"marked-{partitions.graph.name}"
    marked.write_text(json.dumps(graph))
    return Partitions(partitions.tool, marked, partitions.directory / "marked")


def without_advice(text: str) -> str:
    return re.sub(r"^LESS MEMORY\n(.+\n)+\n", "", text, flags=re.MULTILINE)


def difference(made: Partition, again: Partition) -> str | None:
    if again.returncode != 0:
        return f"the replay ends with {again.returncode}: {again.stderr.strip()[:600]}"
    if again.stderr != made.stderr or again.stdout != without_advice(made.stdout):
        return f"the replay prints something else: {(again.stdout + again.stderr).strip()[:600]}"
    same = filecmp.cmpfiles(made.directory, again.directory, FILES, shallow=False)[0]
    return f"other bytes in {', '.join(sorted(set(FILES) - set(same)))}" if set(same) != set(FILES) else None


def replay(partitions: Partitions, settings: dict[str, Any], policies: list[Any] | None = None) -> Outcome:
    label = f"{partitions.graph.name} under {settings}" + (f" and {policies}" if policies else "")
    made = partitions.of(settings, policies)
    if made.returncode in (NO_PARTITION, USAGE):
        return Outcome("refused", label, None)
    if made.returncode != 0:
        return Outcome("replayed", label, f"exit {made.returncode}: {made.stderr.strip()}")
    return Outcome("replayed", label, difference(made, partitions.replay(made)))


def replays(partitions: Partitions, answers: RecordedAnswers) -> Iterator[Outcome]:
    for settings in SETTINGS + [each for each in answers.settings() if each not in SETTINGS]:
        yield replay(partitions, settings)
    marked = marked_for_offloading(partitions)
    for settings in OFFLOADING:
        yield replay(marked, settings)
    for policies in POLICIES:
        for settings in POLICY_SETTINGS:
            yield replay(partitions, settings, policies)


def replay_decisions(partitions: Partitions, answers: RecordedAnswers) -> list[Outcome]:
    if answers.graph.stat().st_size > LARGEST_GRAPH_BYTES:
        return []
    return list(replays(partitions, answers))
