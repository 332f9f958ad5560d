#!/usr/bin/env python3
"""Compares the frontier solver's answers to budgets with HiGHS, a solver of integer programs, on the same problems in numbers.

usage: against_highs.py --tool build/cli/fxcut [--problem build/bench/optimum/fxcut_problem] [--highs-seconds S] [--only PART]
                        [--budgets 0.1,0.3,...] [-v] GRAPH_OR_DIRECTORY...

Each graph is decided on at each budget (0.1, 0.3, 0.5 and 0.7 if not given, and the least). An answer is wrong if its bound is
above a choice of HiGHS's, if HiGHS's is cheaper than a proven one, or if it is cheaper than HiGHS's bound. Prints how many
answers are proven, the work and the processor time that they took, and what HiGHS proved. Without --problem HiGHS is left out.

Exit status 0 if none is wrong, 1 otherwise. Needs highspy (pip install highspy) with --problem.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

Problem = dict[str, Any]
TOLERANCE = 1e-5  # HiGHS counts with some 1e-6 of the dearest item, and with a gap of 1e-7


class Answer(NamedTuple):
    limit: int
    cost: float
    bound: float
    proven: bool
    steps: int
    ended_by: str
    seconds: float  # of a processor


class Optimum(NamedTuple):
    cost: float
    bound: float
    seconds: float


def answer_of(tool: str, graph: pathlib.Path, budget: str) -> Answer | None:
    """The tool's; None if there is none, as for a graph without a backward."""
    limit = ["--saved-bytes", "least"] if budget == "least" else ["--set", f"activation_memory_budget={budget}"]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([tool, "partition", graph, *limit, "--budget-solver", "frontier", "--json", "-q"], stdout=out,
                                   stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        facts = json.load(out).get("frontier") if process.returncode == 0 else None
    if not facts:
        return None
    return Answer(facts["limit_bytes"], facts["recompute_cost"], facts["bound"], facts["proven"], facts["steps"],
                  facts["ended_by"], used.ru_utime + used.ru_stime)


def optimum_of(problem: Problem, limit: int, seconds: float) -> Optimum:
    """HiGHS's. By item i: r_i, it is recomputed; n_i, it is needed; f_i, the forward runs it; by storage s: k_s, it is kept."""
    import highspy

    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("time_limit", seconds)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("mip_rel_gap", 1e-7)
    items, storages = problem["items"], problem["storages"]
    scale = max([item["run_cost"] for item in items] + [1.0])
    kept = [highs.addBinary() for _ in storages]
    recomputed = [highs.addBinary() if not item["never"] else highs.addVariable(0, 0) for item in items]
    runs = [highs.addVariable(1 if item["in_forward"] else 0, 1) for item in items]
    cost = []
    unit = max(storages) or 1
    if len(kept) > 1:
        highs.addConstr(sum(bytes / unit * k for bytes, k in zip(storages[1:], kept[1:])) <= limit / unit)
    for i, item in enumerate(items):
        storage = item["storage"]
        needed = highs.addVariable(1 if item["demanded"] else 0, 1)
        item["needed"] = needed
        if storage == 0:
            highs.addConstr(recomputed[i] == 0)
        elif storage < 0:
            highs.addConstr(needed <= recomputed[i])
        else:
            highs.addConstr(needed <= recomputed[i] + kept[storage])
            highs.addConstr(recomputed[i] + kept[storage] <= 1)
        for j in item["inputs"]:
            if items[j]["storage"] != 0:
                highs.addConstr(items[j]["needed"] >= recomputed[i])
        if item["in_forward"]:
            cost.append(item["run_cost"] / scale * recomputed[i])
            continue
        highs.addConstr(runs[i] >= needed - recomputed[i])
        for j in item["inputs"]:
            if not items[j]["in_forward"]:
                highs.addConstr(runs[j] >= runs[i])
        twice = highs.addVariable(0, 1)
        highs.addConstr(twice >= recomputed[i] + runs[i] - 1)
        cost.append(item["run_cost"] / scale * twice)
    started = time.process_time()
    highs.minimize(sum(cost))
    info = highs.getInfo()
    found = info.objective_function_value * scale if info.primal_solution_status == 2 else float("inf")
    return Optimum(found, max(0.0, info.mip_dual_bound) * scale, time.process_time() - started)


def slack_of(problem: Problem, answer: Answer) -> float:
    return 1 + TOLERANCE * max([answer.cost] + [item["run_cost"] for item in problem["items"]])


def what_is_wrong(answer: Answer, optimum: Optimum, slack: float) -> str | None:
    if answer.bound > optimum.cost + slack:
        return f"its bound is {answer.bound}, and HiGHS finds {optimum.cost}"
    if answer.proven and answer.cost > optimum.cost + slack:
        return f"proves {answer.cost}, and HiGHS finds {optimum.cost}"
    if answer.cost < optimum.bound - slack:
        return f"finds {answer.cost}, and HiGHS's bound is {optimum.bound}"
    return None


def graphs_in(paths: list[pathlib.Path]) -> list[pathlib.Path]:
    found = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.json*")))]
    return [path for path in found if ".expected." not in path.name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--problem")
    parser.add_argument("--highs-seconds", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--budgets", default="0.1,0.3,0.5,0.7,least")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("graphs", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    answers: list[tuple[str, Answer]] = []
    wrong, proven_by_highs, cheaper = 0, 0, 0
    for graph in graphs_in(given.graphs):
        if given.only not in graph.name:
            continue
        problem = None
        for budget in given.budgets.split(","):
            answer = answer_of(given.tool, graph, budget)
            if answer is None:
                continue
            label = f"{graph.name} {budget}"
            answers.append((label, answer))
            gap = (answer.cost - answer.bound) / max(answer.bound, 1)
            line = f"{label}: {answer.cost:.6g}, " + ("proven" if answer.proven else f"gap {gap:.4%}, {answer.ended_by}")
            line += f", {answer.steps / 1e6:.1f} M steps, {answer.seconds:.2f} s"
            if given.problem:
                problem = problem or json.loads(subprocess.check_output([given.problem, graph]))
                optimum = optimum_of(problem, answer.limit, given.highs_seconds)
                slack = slack_of(problem, answer)
                is_proven = optimum.cost - optimum.bound <= slack
                proven_by_highs += is_proven
                cheaper += optimum.cost < answer.cost - slack
                mistake = what_is_wrong(answer, optimum, slack)
                wrong += mistake is not None
                line += f"; HiGHS {optimum.cost:.6g}, {'proven' if is_proven else f'bound {optimum.bound:.6g}'}, {optimum.seconds:.2f} s"
                line += f"; WRONG: {mistake}" if mistake else ""
            if given.verbose or not answer.proven or "WRONG" in line:
                print(line, flush=True)
    proven = [answer for _, answer in answers if answer.proven]
    print(f"{len(proven)} of {len(answers)} answers proven", end="")
    for seconds in (1, 2, 5):
        print(f", {sum(answer.seconds <= seconds for answer in proven)} within {seconds} s", end="")
    print(f"; {sum(answer.steps for _, answer in answers) / 1e6:.0f} M steps in all")
    if given.problem:
        print(f"HiGHS proves {proven_by_highs} within {given.highs_seconds:g} s each, is cheaper in {cheaper}; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
