"""`--offload auto` against an exact mixed integer program, which HiGHS solves (scipy.optimize.milp), and against two rules.

usage: python tests/parity/compare_offload.py --tool build/cli/fxcut [--graphs N] [--seconds S]

The graphs are made here: layers of a product and pointwise operators, with skips, of at most 400 nodes, each value in a storage of
its own, each operator with a runtime_ms. Of each several limits are asked for. The program knows the problem from the graph's JSON
alone: what is kept, copied or recomputed; when the forward uses a value for the last time, and the backward for the first; that each
direction of the channel carries one copy after another. Backward positions are put together to some, at which the program lets
copies be as late as the last of them: its optimum is at most the true one. (The graphs made here have as few positions as it takes singly.)

Rules: copy the earliest values until the limit is met, recompute nothing (PyTorch's marks do that); recompute as much as possible,
and copy what is left above the limit. Exit status 1: fxcut takes over 1 % more than the optimum, longer than a rule, or its bound
is above the optimum.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

Json = dict[str, Any]

BANDWIDTH = 10.0  # GiB a second
MS_PER_BYTE = 1e3 / (BANDWIDTH * 2**30)
MAX_POSITIONS = 30
CLOSE = 0.01
SHARES = (0.1, 0.3, 0.6)  # of what is saved without a limit


def make_graph(seed: int) -> Json:
    """A step: the forward, and a backward that takes each operator's operands in reverse."""
    rng = random.Random(seed)
    nodes: list[Json] = []
    storage = iter(range(10**6))

    def add(name: str, op: str, inputs: list[str], megabytes: int, ms: float | None, backward: bool, target: str = "") -> str:
        shape = [megabytes, 2**18]
        value = {"kind": "tensor", "dtype": "float32", "shape": shape, "stride": [2**18, 1], "device": "cuda:0", "storage": next(storage)}
        meta: Json = {"partitioner_tag": "is_backward" if backward else "is_forward"}
        if ms is not None:
            meta["runtime_ms"] = ms
        node = {"name": name, "op": op, "val": value, "meta": meta}
        if op == "call_function":
            node |= {"target": target, "args": [{"node": one} for one in inputs]}
        nodes.append(node)
        return name

    x = add("primals_1", "placeholder", [], 1, None, False)
    forward: list[tuple[str, list[str], int, float]] = []
    recent = [x]
    for i in range(rng.randrange(6, 25)):
        heavy = rng.random() < 0.4
        megabytes = rng.choice([1, 2, 4, 4, 8])
        ms = round(rng.uniform(0.3, 2) if heavy else rng.uniform(0.01, 0.1), 3)
        inputs = [recent[-1]] + ([rng.choice(recent[-4:])] if not heavy and rng.random() < 0.3 else [])
        target = "aten.mm.default" if heavy else "aten.sin.default" if len(inputs) == 1 else "aten.mul.Tensor"
        name = add(f"f{i}", "call_function", inputs if target != "aten.mm.default" else inputs * 2, megabytes, ms, False, target)
        forward.append((name, inputs, megabytes, ms))
        recent.append(name)
    loss = recent[-1]
    grad = add("tangents_1", "placeholder", [], forward[-1][2], None, True)
    for i, (name, inputs, megabytes, ms) in reversed(list(enumerate(forward))):
        takes = inputs[0] if rng.random() < 0.7 else name
        grad = add(f"b{i}", "call_function", [grad, takes], megabytes, round(2 * ms, 3), True, "aten.mul.Tensor")
    nodes.append({"name": "output", "op": "output", "args": [[{"node": loss}, {"node": grad}]]})
    return {"format": "fx-joint-graph", "version": 1, "producer": "torch 2.13.0", "name": f"made_{seed}", "num_fwd_outputs": 1, "nodes": nodes}


class Problem:
    """What the program and the rules know of a graph."""

    def __init__(self, graph: Json) -> None:
        self.nodes = {node["name"]: node for node in graph["nodes"] if node["op"] != "output"}
        inputs = {name: {one["node"] for one in node.get("args", [])} for name, node in self.nodes.items()}
        is_backward = {name: node["meta"]["partitioner_tag"] == "is_backward" for name, node in self.nodes.items()}
        self.forward = [name for name in self.nodes if not is_backward[name]]
        backward = [name for name in self.nodes if is_backward[name] and self.nodes[name]["op"] == "call_function"]
        self.inputs = {name: inputs[name] for name in self.forward}
        self.bytes = {name: 4 * numpy.prod(self.nodes[name]["val"]["shape"], dtype=int) for name in self.forward}
        self.ms = {name: self.nodes[name]["meta"].get("runtime_ms", 0.0) for name in self.nodes}
        self.returned = {one["node"] for one in graph["nodes"][-1]["args"][0][:1]}
        clock, self.last = 0.0, {}
        for name in self.forward:
            clock += self.ms[name]
            for one in (name, *inputs[name]):
                self.last[one] = clock
        self.forward_ms = clock
        clock, self.first, self.begins = 0.0, {}, []
        for position, name in enumerate(backward):
            self.begins.append(clock)
            clock += self.ms[name]
            for one in inputs[name]:
                if not is_backward[one]:
                    self.first.setdefault(one, position)
        self.backward_ms = clock

    def may_move(self, name: str) -> bool:
        return self.nodes[name]["op"] == "call_function" and name not in self.returned

    def may_recompute(self, name: str) -> bool:
        return self.nodes[name]["op"] == "call_function"


class Optimum(NamedTuple):
    """In milliseconds: the best that was found, and what nothing is below; equal where HiGHS came to an end."""

    found: float
    bound: float


def optimum(problem: Problem, limit: int, seconds: float) -> Optimum | None:
    """None where nothing is feasible, or nothing was found."""
    names = problem.forward
    number = {name: i for i, name in enumerate(names)}
    every = max(1, -(-len(problem.begins) // MAX_POSITIONS))
    groups = [list(range(at, min(at + every, len(problem.begins)))) for at in range(0, len(problem.begins), every)]
    count, times = len(names), len(groups)
    # keep, host, recompute, needed: by value. By value and group: needed by then, copied and needed by then, recomputed by then.
    keep, host, again, needed = (k * count for k in range(4))
    by, arrives, runs = ((4 + k * times) * count for k in range(3))
    variables = (4 + 3 * times) * count + 2
    wait_out, wait_in = variables - 2, variables - 1
    rows: list[dict[int, float]] = []
    highest: list[float] = []

    def at_most(row: dict[int, float], most: float) -> None:
        rows.append(row)
        highest.append(most)

    scale = 2.0**20
    at_most({keep + i: problem.bytes[name] / scale for name, i in number.items()}, limit / scale)
    low, high = numpy.zeros(variables), numpy.ones(variables)
    high[[wait_out, wait_in]] = numpy.inf
    for name, i in number.items():
        if not problem.may_move(name):
            high[host + i] = 0
        if not problem.may_recompute(name):
            high[again + i] = 0
        at_most({needed + i: 1, keep + i: -1, host + i: -1, again + i: -1}, 0)
        if name in problem.first:
            low[needed + i] = 1
        for one in problem.inputs[name]:
            at_most({again + i: 1, needed + number[one]: -1}, 0)
        for t, group in enumerate(groups):
            now = by + t * count
            if name in problem.first and problem.first[name] <= group[-1]:
                low[now + i] = 1
            if t + 1 < times:
                at_most({now + i: 1, now + count + i: -1}, 0)
            at_most({host + i: 1, now + i: 1, arrives + t * count + i: -1}, 1)
            at_most({runs + t * count + i: 1, again + i: -1}, 0)
            at_most({runs + t * count + i: 1, now + i: -1}, 0)
            for one in problem.inputs[name]:
                at_most({again + i: 1, now + i: 1, now + number[one]: -1}, 1)
    # Nothing is recomputed before it is needed, not even while the step waits.
    takers: dict[str, list[int]] = {name: [] for name in names}
    for name in names:
        for one in problem.inputs[name]:
            takers[one].append(number[name])
    for name, i in number.items():
        for t in range(times):
            at_most({by + t * count + i: 1} | {runs + t * count + j: -1 for j in takers[name]}, low[by + t * count + i])
    for after in sorted({problem.last[name] for name in names}):
        late = {host + i: problem.bytes[name] * MS_PER_BYTE for name, i in number.items() if problem.last[name] >= after}
        at_most(late | {wait_out: -1}, problem.forward_ms - after)
    for t, group in enumerate(groups):  # what is needed by the group's end has come by the begin of its last node
        row = {arrives + t * count + i: problem.bytes[name] * MS_PER_BYTE for name, i in number.items()}
        before = t if len(group) > 1 else t - 1  # whose recomputation has run by then
        if before >= 0:
            row |= {runs + before * count + i: -problem.ms[name] for name, i in number.items()}
        at_most(row | {wait_in: -1}, problem.begins[group[-1]])
    cost = numpy.zeros(variables)
    for name, i in number.items():
        cost[again + i] = problem.ms[name]
    cost[[wait_out, wait_in]] = 1
    at = [(r, c, value) for r, row in enumerate(rows) for c, value in row.items()]
    matrix = csr_matrix(([v for _, _, v in at], ([r for r, _, _ in at], [c for _, c, _ in at])), shape=(len(rows), variables))
    integral = numpy.zeros(variables)
    integral[: 4 * count] = 1
    integral[by : by + times * count] = 1
    solved = milp(cost, constraints=LinearConstraint(matrix, -numpy.inf, numpy.array(highest)), bounds=Bounds(low, high),
                  integrality=integral, options={"time_limit": seconds, "mip_rel_gap": 1e-4})
    return None if solved.x is None else Optimum(float(solved.fun), float(solved.mip_dual_bound))


def ask(tool: Path, folder: Path, *options: str) -> Json | None:
    command = [str(tool), "partition", "graph.json", "--json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def waiting(problem: Problem, copied: list[str], recomputed: list[str]) -> float:
    """For copies of these, by simulation, in the order of uses."""
    first = dict(problem.first)
    for name in reversed(problem.forward):
        if name in recomputed and name in first:
            for one in problem.inputs[name]:
                first[one] = min(first.get(one, first[name]), first[name])
    out = 0.0
    for name in sorted(copied, key=problem.last.__getitem__):
        out = max(out, problem.last[name]) + problem.bytes[name] * MS_PER_BYTE
    back = late = 0.0
    for name in sorted(copied, key=lambda one: first[one]):
        back += problem.bytes[name] * MS_PER_BYTE
        begins = problem.begins[first[name]] + sum(problem.ms[one] for one in recomputed if first.get(one, 10**9) < first[name])
        late = max(late, back - begins)
    return max(0.0, out - problem.forward_ms) + late


def by_rule(problem: Problem, report: Json, limit: int) -> float | None:
    """Of a decision: the time, if the earliest of its values are copied until the rest is within the limit."""
    saved = [row["name"] for row in report["saved_values"]]
    recomputed = [row["name"] for row in report["recomputed_values"]]
    held, copied = sum(problem.bytes[name] for name in saved), []
    for name in (one for one in problem.forward if one in saved and problem.may_move(one)):
        if held <= limit:
            break
        copied.append(name)
        held -= problem.bytes[name]
    return sum(problem.ms[name] for name in recomputed) + waiting(problem, copied, recomputed) if held <= limit else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=Path, required=True)
    parser.add_argument("--graphs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    failed = proven = count = solved = 0
    worst = widest = 0.0
    profile = ("--set", "activation_memory_budget_runtime_estimator=profile")
    auto = ("--offload", "auto", "--host-bandwidth", str(BANDWIDTH), "--offload-dialect", "ao")
    for seed in range(asked.graphs):
        graph = make_graph(seed)
        problem = Problem(graph)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "graph.json").write_text(json.dumps(graph))
            everything = ask(asked.tool, folder, *profile)
            least = ask(asked.tool, folder, "--saved-bytes", "least", *profile)
            assert everything and least
            for share in SHARES:
                limit = int(everything["totals"]["saved_bytes_not_static"] * share)
                found = ask(asked.tool, folder, "--saved-bytes", f"{limit}B", *profile, *auto)
                best = optimum(problem, limit, asked.seconds)
                rules = [by_rule(problem, rule, limit) for rule in (everything, least)]
                count += 1
                if found is None:
                    print(f"made_{seed} {share:4.0%}: fxcut found nothing, HiGHS {best}")
                    failed += best is not None
                    continue
                if best is None:
                    print(f"made_{seed} {share:4.0%}: fxcut {found['frontier']['recompute_cost'] / 1e9:.3f} ms, HiGHS found nothing in time")
                    continue
                facts = found["frontier"]
                time, bound = facts["recompute_cost"] / 1e9, facts["bound"] / 1e9
                off = time / best.found - 1 if best.found > 1e-9 else float(time > 1e-6)
                is_solved = best.found - best.bound <= 1e-3 * best.found + 1e-9
                solved, worst, proven = solved + is_solved, max(worst, off), proven + facts["proven"]
                widest = max(widest, time - bound)
                is_bad = off > CLOSE or bound > best.found * (1 + 1e-3) + 1e-6 or any(
                    rule is not None and time > rule * (1 + 1e-9) + 1e-6 for rule in rules
                )
                failed += is_bad
                shown = " ".join("-" if rule is None else f"{rule:.3f}" for rule in rules)
                print(f"made_{seed} {share:4.0%}: {time:.3f} ms, bound {bound:.3f}, HiGHS {best.found:.3f} ({off:+.2%}), rules {shown}"
                      f"{'' if is_solved else f'  HiGHS not at its end: {best.bound:.3f}'}{'  FAILED' if is_bad else ''}", flush=True)
    print(f"{count} answers, {solved} solved by HiGHS, {proven} proven by fxcut; worst {worst:+.2%} above HiGHS, "
          f"widest gap stated {widest:.3f} ms; {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
