#!/usr/bin/env python3
"""A decision that is replayed gives the bytes of the run that made it.

usage: replay_decisions.py --tool FXCUT --corpus DIR... [--jobs N] [--largest BYTES] [-v]

Partitions every graph that has an expected file beside it under its recorded settings and a list of others (bans
lifted, budgets, the frontier solver, the default partitioner, both cut sides, barriers), with all that it computes marked for
offloading in each dialect, and under policies, JAX's among them; then replays each report with --decision.
forward.json, backward.json and report.json have to be the same bytes. What cannot be partitioned is left out, and counted.

Exit status 0 where all holds, 1 where not, 2 where there was nothing to replay.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FILES = ["forward.json", "backward.json", "report.json"]
NO_PARTITION = 4
USAGE = 2
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


def marked_for_offloading(text):
    """The graph with should_offload on all that it computes."""
    graph = json.loads(text)
    for node in graph["nodes"]:
        if node["op"] == "call_function":
            node.setdefault("meta", {})["should_offload"] = True
    return json.dumps(graph)


def recorded_settings(answers):
    for case in json.loads(answers.read_text())["cases"]:
        yield dict(case["config"], partitioner=case["partitioner"])


class Replayer:
    def __init__(self, tool, directory):
        self.tool, self.directory = tool, directory
        self.held, self.refused, self.failures = 0, 0, []

    def partition(self, arguments, out):
        command = [self.tool, "partition", *arguments, "--output-dir", self.directory / out, "--force"]
        return subprocess.run(command, capture_output=True, text=True)

    def replay(self, graph, settings, policies, what):
        (self.directory / "config.json").write_text(json.dumps(settings))
        arguments = [graph, "--config", self.directory / "config.json"]
        if policies:
            (self.directory / "policy.json").write_text(json.dumps({"version": 1, "policies": policies}))
            arguments += ["--policy", self.directory / "policy.json"]
        made = self.partition(arguments, "made")
        if made.returncode in (NO_PARTITION, USAGE):
            self.refused += 1
            return
        if made.returncode != 0:
            self.failures.append(f"{what}: exit {made.returncode}: {made.stderr.strip()}")
            return
        again = self.partition([graph, "--decision", self.directory / "made" / "report.json"], "again")
        if again.returncode != 0:
            self.failures.append(f"{what}: the replay ends with {again.returncode}: {again.stderr.strip()[:600]}")
            return
        same = filecmp.cmpfiles(self.directory / "made", self.directory / "again", FILES, shallow=False)[0]
        if again.stderr != made.stderr or again.stdout != made.stdout:
            self.failures.append(f"{what}: the replay prints something else: {again.stderr.strip()[:300]}")
        elif sorted(same) != sorted(FILES):
            self.failures.append(f"{what}: other bytes in {', '.join(sorted(set(FILES) - set(same)))}")
        else:
            self.held += 1


def replay_graph(options, answers):
    graph = answers.with_name(answers.name.replace(".expected.json", ".json"))
    if graph.stat().st_size > options.largest:
        return 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        replayer = Replayer(options.tool, directory)
        all_settings = SETTINGS + [s for s in recorded_settings(answers) if s not in SETTINGS]
        for settings in all_settings:
            replayer.replay(graph, settings, None, f"{graph} under {settings}")
        marked = directory / "marked.json"
        marked.write_text(marked_for_offloading(graph.read_text()))
        for settings in OFFLOADING:
            replayer.replay(marked, settings, None, f"{graph}, marked, under {settings}")
        for policies in POLICIES:
            for settings in POLICY_SETTINGS:
                replayer.replay(graph, settings, policies, f"{graph} under {policies} and {settings}")
        return replayer.held, replayer.refused, replayer.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--largest", type=int, default=200_000, help="graphs of more bytes are left out")
    parser.add_argument("-v", action="store_true", help="a line for each graph")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    answers = [path for corpus in options.corpus for path in sorted(corpus.rglob("*.expected.json"))]
    held, refused, failures = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, result in zip(answers, pool.map(lambda path: replay_graph(options, path), answers)):
            held, refused, failures = held + result[0], refused + result[1], failures + result[2]
            if options.v:
                print(f"{path.name}: {result[0]} hold, {result[1]} refused, {len(result[2])} fail", flush=True)
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{held} decisions replayed to the byte, {len(failures)} not; {refused} runs have no partition")
    sys.exit(1 if failures else 0 if held else 2)


if __name__ == "__main__":
    main()
