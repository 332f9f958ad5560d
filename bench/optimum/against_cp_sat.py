#!/usr/bin/env python3
"""Compares the answers to limits of the peak with CP-SAT's, on random layered graphs with a backward (layered_steps.py).

usage: against_cp_sat.py --tool build/cli/fxcut [--nodes 25,50,100] [--shares 0.9,0.8] [--seconds S] [--seed N]
       against_cp_sat.py --tool build/cli/fxcut --least COUNT [--nodes 12,16,20] [--seconds S] [--seed N]

CP-SAT gets the same problem: which values of the forward are kept, the others recomputed at most once, each just before its
first use in the backward, at the least added time with limited memory in use at every node; the limit is a share of the peak if
all is kept. It also gets a problem in which a value may be recomputed before its first use, to show what our order costs; neither
lets a value be recomputed more than once, as Moccasin does. As there, each value in memory is an interval, and one cumulative
constraint limits them. CP-SAT has S seconds of wall time and two workers for each of the two; ours has no limit. With --hint it
starts from our answer.

With --least it minimises the peak itself, for COUNT graphs with seeds from N on and the numbers of nodes in turn, and starts from
our answer to `least`. A line is printed for each graph where the two differ or CP-SAT proves nothing, and then how many of ours
are above the least, by how much, and how many of ours are proven by our own bound.

The memory of our answer, by the model's own count, has to be the peak of the report. Exit status 1 if it is not, or our bound is
above CP-SAT's answer, or our answer below its bound, or more than 1 % above the least. Needs ortools.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from layered_steps import MEBIBYTE, LayeredStep, joint_graph, layered_step
from ortools.sat.python import cp_model

MICROSECONDS = 1000  # in a millisecond
MAX_ABOVE_OPTIMUM = 0.01


class Times:
    """Points in time: forward nodes, then by position of the backward the values recomputed before it, then its own node."""

    def __init__(self, step: LayeredStep) -> None:
        self.count = len(step.values)
        self.forward = range(self.count)
        self.end = self.position(self.count - 1) + self.count + 1

    def position(self, p: int) -> int:
        return self.count + p * (self.count + 1)

    def recomputed(self, p: Any, value: int) -> Any:
        return self.count + p * (self.count + 1) + value

    def own(self, p: int) -> int:
        return self.position(p) + self.count


class Fixed(NamedTuple):
    """intervals: in use whatever is decided: first, last, mebibytes. first_use, last_use: backward positions."""

    intervals: list[tuple[int, int, int]]
    first_use: dict[int, int]
    last_use: dict[int, int]
    last_in_forward: list[int]


def fixed_part(step: LayeredStep, times: Times) -> Fixed:
    last = times.count - 1
    position = {i: last - i for i in range(times.count)}  # of a value's gradient
    last_in_forward = [max([i, *step.users[i]]) for i in range(times.count)]
    first_use: dict[int, int] = {}
    last_use: dict[int, int] = {}
    intervals = [(times.position(0), times.end, step.values[last].mebibytes)]  # of the tangent
    for i, value in enumerate(step.values):
        intervals.append((i, times.end if i == last else last_in_forward[i], value.mebibytes))
        takers = [position[one] for one in value.inputs]
        is_returned = i == 0 or not value.inputs
        intervals.append((times.own(position[i]), times.end if is_returned else times.own(max(takers)), value.mebibytes))
        if step.users[i]:
            first_use[i] = min(position[user] for user in step.users[i])
            last_use[i] = max(position[user] for user in step.users[i])
    return Fixed(intervals, first_use, last_use, last_in_forward)


def peak_of(step: LayeredStep, kept: set[int]) -> int:
    """Mebibytes, if these are kept and all others that are needed recomputed at their first use."""
    times = Times(step)
    fixed = fixed_part(step, times)
    first = {i: p for i, p in fixed.first_use.items()}
    for i in reversed(times.forward):
        if i in kept or i not in first or i == times.count - 1:
            continue
        for one in step.values[i].inputs:
            first[one] = min(first.get(one, first[i]), first[i])
    change: dict[int, int] = {}

    def use(begin: int, end: int, mebibytes: int) -> None:
        change[begin] = change.get(begin, 0) + mebibytes
        change[end + 1] = change.get(end + 1, 0) - mebibytes

    for begin, end, mebibytes in fixed.intervals:
        use(begin, end, mebibytes)
    for i in first:
        if i == times.count - 1:
            continue
        again = [times.recomputed(first[user], user) for user in step.users[i] if user not in kept and user in first
                 and user != times.count - 1]
        end = max([times.own(fixed.last_use[i])] + again)
        use(fixed.last_in_forward[i] + 1 if i in kept else times.recomputed(first[i], i), end, step.values[i].mebibytes)
    now = most = 0
    for at in sorted(change):
        now += change[at]
        most = max(most, now)
    return most


class Found(NamedTuple):
    """In milliseconds. status: CP-SAT's."""

    added: float | None
    bound: float
    status: str
    seconds: float


class Program(NamedTuple):
    """kept, again: by value, whether it is kept or recomputed. intervals, demands: of all memory, in times and mebibytes."""

    model: cp_model.CpModel
    kept: list[Any]
    again: list[Any]
    intervals: list[Any]
    demands: list[int]


def need_at_first_use(program: Program, at: list[Any], value: int, users: list[int], first_use: int, never: int) -> None:
    """The value is recomputed where the backward or a recomputed user needs it first."""
    model = program.model
    needs = [model.new_constant(first_use)]
    for user in users:
        need = model.new_int_var(0, never, "")
        model.add(need == at[user]).only_enforce_if(program.again[user])
        model.add(need == never).only_enforce_if(~program.again[user])
        needs.append(need)
    model.add_min_equality(at[value], needs)


def program_of(step: LayeredStep, is_fixed: bool, hint: set[int] | None) -> Program:
    times = Times(step)
    fixed = fixed_part(step, times)
    model = cp_model.CpModel()
    values = range(times.count - 1)  # the last one is returned
    kept = [model.new_bool_var(f"kept{i}") for i in values]
    program = Program(model, kept, [model.new_bool_var(f"again{i}") for i in values], [], [])
    for begin, end, mebibytes in fixed.intervals:
        program.intervals.append(model.new_fixed_size_interval_var(begin, end + 1 - begin, ""))
        program.demands.append(mebibytes)
    at = [model.new_int_var(0, fixed.first_use[i], f"at{i}") for i in values]
    for i in values:
        users = [user for user in step.users[i] if user < times.count - 1]
        model.add_exactly_one(program.kept[i], program.again[i])  # each is used by the backward
        if is_fixed:
            need_at_first_use(program, at, i, users, fixed.first_use[i], times.count)
        else:
            for user in users:
                model.add(at[i] <= at[user]).only_enforce_if(program.again[user])
        end = model.new_int_var(times.own(fixed.last_use[i]), times.end, "")
        for user in users:
            model.add(end >= times.recomputed(at[user], user)).only_enforce_if(program.again[user])
        for begin, is_so in ((fixed.last_in_forward[i] + 1, program.kept[i]), (times.recomputed(at[i], i), program.again[i])):
            size = model.new_int_var(0, times.end + 1, "")
            program.intervals.append(model.new_optional_interval_var(begin, size, end + 1, is_so, ""))
            program.demands.append(step.values[i].mebibytes)
        if hint is not None:
            model.add_hint(program.kept[i], i in hint)
    return program


def solve(program: Program, seconds: float, unit: float) -> Found:
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    begin_s = time.monotonic()
    status = solver.solve(program.model)
    found = solver.objective_value / unit if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
    return Found(found, solver.best_objective_bound / unit, solver.status_name(status).lower(), time.monotonic() - begin_s)


def by_cp_sat(step: LayeredStep, limit: int, seconds: float, is_fixed: bool, hint: set[int] | None) -> Found:
    program = program_of(step, is_fixed, hint)
    program.model.add_cumulative(program.intervals, program.demands, limit)
    program.model.minimize(sum(round(step.values[i].ms * MICROSECONDS) * again for i, again in enumerate(program.again)))
    return solve(program, seconds, MICROSECONDS)


def least_by_cp_sat(step: LayeredStep, most: int, seconds: float, hint: set[int]) -> Found:
    """The least peak in mebibytes, of which `most` is possible."""
    program = program_of(step, True, hint)
    peak = program.model.new_int_var(0, most, "peak")
    program.model.add_cumulative(program.intervals, program.demands, peak)
    program.model.minimize(peak)
    return solve(program, seconds, 1)


def ask(tool: str, step: LayeredStep, name: str, limit: str) -> tuple[dict[str, Any] | None, float]:
    """The report, and the seconds that it took."""
    profile = "activation_memory_budget_runtime_estimator=profile"
    with tempfile.TemporaryDirectory() as folder:
        graph = pathlib.Path(folder) / "graph.json"
        graph.write_text(json.dumps(joint_graph(step, name)))
        begin = time.monotonic()
        done = subprocess.run([tool, "partition", str(graph), "--peak-bytes", limit, "--memory-of", "operators", "--json", "-q",
                               "--set", profile, "--set", "cse=false"], capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begin
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    return (json.loads(done.stdout) if done.returncode == 0 else None), seconds


def kept_in(report: dict[str, Any]) -> set[int]:
    return {int(row["name"][1:]) for row in report["saved_values"] if row["name"][0] == "f"}


def counted_wrong(step: LayeredStep, kept: set[int], report: dict[str, Any], name: str) -> list[str]:
    counted = peak_of(step, kept | {len(step.values) - 1})
    if counted * MEBIBYTE == report["memory"]["peak_bytes"]:
        return []
    return [f"{name}: counted {counted} MiB, the report has {report['memory']['peak_bytes'] / MEBIBYTE} MiB"]


def show(found: Found) -> str:
    added = "none" if found.added is None else f"{found.added:.3f}"
    return f"{added} (bound {found.bound:.3f}, {found.status}, {found.seconds:.1f} s)"


def compare(tool: str, step: LayeredStep, name: str, share: float, given: argparse.Namespace) -> list[str]:
    """Prints a line; returns the errors."""
    everything = peak_of(step, set(range(len(step.values))))
    limit = int(everything * share)
    report, seconds = ask(tool, step, name, str(limit * MEBIBYTE))
    wrong: list[str] = []
    kept: set[int] | None = None
    ours = "none"
    cost = bound = None
    if report:
        kept = kept_in(report)
        facts = report["frontier"]
        cost, bound = facts["recompute_cost"] / 1e9, facts["bound"] / 1e9
        ours = f"{cost:.3f} (bound {bound:.3f}{', proven' if facts['proven'] else ''})"
        wrong += counted_wrong(step, kept, report, f"{name} {share}")
    hint = kept if given.hint else None
    same = by_cp_sat(step, limit, given.seconds, True, hint)
    free = by_cp_sat(step, limit, given.seconds, False, hint)
    all_ms = sum(value.ms for value in step.values) * 3
    edges = sum(len(value.inputs) for value in step.values)
    print(f"{name} {edges} edges, {share}: {limit} of {everything} MiB; added ms of {all_ms:.0f}: fxcut {ours}, {seconds:.1f} s; "
          f"CP-SAT {show(same)}; any time before the first use {show(free)}", flush=True)
    if same.added is not None and bound is not None and bound > same.added + 1e-3:
        wrong.append(f"{name} {share}: our bound {bound} is above CP-SAT's {same.added}")
    if cost is not None and cost < same.bound - 1e-3:
        wrong.append(f"{name} {share}: our {cost} is below CP-SAT's bound {same.bound}")
    return wrong


class Least(NamedTuple):
    """above: ours over the least, as a share; None if CP-SAT did not prove it. is_proven: ours says so."""

    above: float | None
    is_proven: bool
    wrong: list[str]


def compare_least(nodes: int, seed: int, given: argparse.Namespace) -> Least:
    step, name = layered_step(nodes, seed), f"layered_{nodes}, seed {seed}"
    report, seconds = ask(given.tool, step, name, "least")
    if report is None:
        return Least(None, False, [f"{name}: no answer"])
    kept, ours = kept_in(report), report["memory"]["peak_bytes"] // MEBIBYTE
    wrong = counted_wrong(step, kept, report, name)
    found = least_by_cp_sat(step, ours, given.seconds, kept)
    bound = report["peak_limit"].get("floor_bytes", 0) / MEBIBYTE
    shown = "none" if found.added is None else f"{found.added:.0f}"
    if found.added is not None and bound > found.added:
        wrong.append(f"{name}: our bound of {bound} MiB is above CP-SAT's {shown}")
    if ours < found.bound - 1e-6:
        wrong.append(f"{name}: our {ours} MiB are below CP-SAT's bound {found.bound}")
    above = ours / found.added - 1 if found.added and found.status == "optimal" else None
    if above is None or above > 0:
        print(f"{name}: fxcut {ours} MiB (bound {bound:.1f}), {seconds:.1f} s; CP-SAT {shown} (bound {found.bound:.0f}, "
              f"{found.status}, {found.seconds:.1f} s)", flush=True)
    if above is not None and above > MAX_ABOVE_OPTIMUM:
        wrong.append(f"{name}: {ours} MiB, {above:.2%} above the least")
    return Least(above, bound == ours, wrong)


def compare_all_least(given: argparse.Namespace) -> list[str]:
    sizes = [int(nodes) for nodes in given.nodes.split(",")]
    each = [compare_least(sizes[i % len(sizes)], given.seed + i, given) for i in range(given.least)]
    above = [one.above for one in each if one.above is not None]
    print(f"{len(each)} graphs: CP-SAT proves the least of {len(above)}; fxcut is above it in {sum(one > 0 for one in above)}, by "
          f"{max(above, default=0):.2%} at most; proven by fxcut: {sum(one.is_proven for one in each)}")
    return [wrong for one in each for wrong in one.wrong]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--nodes", default="25,50,100")
    parser.add_argument("--shares", default="0.9,0.8")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hint", action="store_true")
    parser.add_argument("--least", type=int, metavar="COUNT")
    given = parser.parse_args()
    wrong = compare_all_least(given) if given.least else []
    for nodes in given.nodes.split(",") if not given.least else []:
        step = layered_step(int(nodes), given.seed)
        for share in given.shares.split(","):
            wrong += compare(given.tool, step, f"layered_{nodes}", float(share), given)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
