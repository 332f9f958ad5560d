#!/usr/bin/env python3
"""Partitions random training steps under every way to decide, runs them on numpy and compares with the joint graph: what
computes something else has to be warned of in the report, and `fxcut verify` has to say the same as the report.

usage: soundness_test.py FXCUT [--steps N] [--first SEED]
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import interpreter
from random_step import random_step

MENDED = {"sound": "always"}
WAYS: dict[str, dict[str, Any]] = {
    "min_cut": {}, "default": {"partitioner": "default"}, "no_cse": {"cse": False},
    "aggressive": {"aggressive_recomputation": True}, "views": {"recompute_views": True, "ban_recompute_reductions": False},
    "budget_0": {"activation_memory_budget": 0}, "budget_half": {"activation_memory_budget": 0.5},
    "frontier_0": {"activation_memory_budget": 0, "activation_memory_budget_solver": "frontier"},
    "frontier_half": {"activation_memory_budget": 0.5, "activation_memory_budget_solver": "frontier"},
    "least": {"saved_bytes_limit": "least", "activation_memory_budget_solver": "frontier"},
    "least_peak": {"peak_bytes_limit": "least", "activation_memory_budget_solver": "frontier"},
    "recompute_all": {"aggressive_recomputation": True, "policy": "recompute_all"},
}
COPIES: dict[str, dict[str, Any]] = {
    "aten": {}, "ao": {"offload_dialect": "ao"}, "ao_sink": {"offload_dialect": "ao", "activation_offload_sink_wait": True},
    "xla": {"offload_dialect": "xla"},
}
POLICIES = {"recompute_all": {"version": 1, "policies": [{"builtin": "recompute_all"}]}}
POLICIES |= {f"{verb}_offload": {"version": 1, "policies": [{"name": "host", "rules": [
    {"match": {"kind": "activation"}, "policy": f"{verb.upper()}_CPU_OFFLOAD"}]}]} for verb in ("must", "prefer")}
WAYS |= {f"marked_{copy}": {"enable_activation_offloading": True} | settings for copy, settings in COPIES.items()}
BY_SOLVER = {"activation_memory_budget_solver": "frontier", "offload": "auto"}
WAYS |= {f"host_within_limit_{copy}": BY_SOLVER | {"saved_bytes_limit": "144B"} | settings for copy, settings in COPIES.items()}
WAYS |= {f"host_least_{copy}": BY_SOLVER | {"saved_bytes_limit": "least"} | settings for copy, settings in COPIES.items()}
WAYS |= {f"prefer_host_{copy}": {"policy": "prefer_offload"} | settings for copy, settings in COPIES.items()}
WAYS |= {f"sound_{name}": settings | MENDED for name, settings in WAYS.items()
         if settings.get("activation_memory_budget_solver") != "frontier"}  # which is mended by default


def make_steps(directory: pathlib.Path, seeds: range) -> dict[int, dict[str, Any]]:
    steps = {seed: random_step(seed) for seed in seeds}
    for seed, step in steps.items():
        (directory / f"step{seed}.json").write_text(json.dumps(step))
    return steps


def partition_all(tool: str, directory: pathlib.Path, seeds: range) -> pathlib.Path:
    manifest = directory / "all.jsonl"
    with manifest.open("w") as file:
        for seed in seeds:
            for way, settings in WAYS.items():
                row = {"graph": f"step{seed}.json", "name": f"{way}/{seed}", "settings": {**settings}}
                if policy := row["settings"].pop("policy", None):
                    row["policy"] = POLICIES[policy]
                print(json.dumps(row), file=file)
    done = subprocess.run([tool, "batch", manifest, "--output-dir", directory / "out"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"soundness_test.py: fxcut batch ended with {done.returncode}: {done.stderr[-2000:]}")
    return directory / "out" / "graphs"


def judge(step: dict[str, Any], wanted: list[Any], made: pathlib.Path) -> tuple[bool, dict[str, Any]]:
    """Whether the partition computes what the step computes, and its report."""
    report, forward, backward = (json.loads((made / f"{name}.json").read_text()) for name in ("report", "forward", "backward"))
    return interpreter.same(wanted, interpreter.run_partition(step, forward, backward, report)), report


def verify_all(tool: str, directory: pathlib.Path, made: pathlib.Path) -> dict[pathlib.Path, str]:
    """By partition, what does not verify, or ''."""
    def verify(report: pathlib.Path) -> str:
        files = [directory / f"step{report.parent.name}.json", *(report.with_name(f"{side}.json") for side in ("forward", "backward"))]
        done = subprocess.run([tool, "verify", *files, report], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return "" if done.returncode == 0 else done.stdout

    reports = sorted(made.glob("*/*/report.json"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip((report.parent for report in reports), pool.map(verify, reports), strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.steps)
    counts: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        steps = make_steps(directory, seeds)
        made = partition_all(given.tool, directory, seeds)
        refuted = verify_all(given.tool, directory, made)
        for seed, step in steps.items():
            wanted = interpreter.run_joint(step)
            for way in WAYS:
                place = made / way / str(seed)
                if not (place / "report.json").exists():
                    counts["refused"] += 1
                    continue
                holds, report = judge(step, wanted, place)
                warned = "unsound" in report
                counts[f"{'sound' if holds else 'unsound'}, {'warned of' if warned else 'not warned of'}"] += 1
                counts["mended"] += "repairs" in report
                if holds == warned:
                    wrong.append(f"{way}/{seed} is {'warned of, and right' if holds else 'silently wrong'}")
                if not holds and way.startswith("sound_"):
                    wrong.append(f"{way}/{seed} is wrong, and was to be sound")
                if warned != bool(refuted[place]):
                    wrong.append(f"{way}/{seed}: the report warns{'' if warned else ' not'}, 'verify' says: {refuted[place] or 'verified'}")
    print(*wrong[:20], *(f"{count} {kind}" for kind, count in sorted(counts.items())), sep="\n")
    if not counts["unsound, warned of"] or not counts["mended"]:
        sys.exit("soundness_test.py: nothing was unsound, or nothing mended: it has tested nothing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
