"""Compares the frontier solver with PyTorch's budgets in the same memory.

For every case with a memory budget, asks the tool for the least recomputation within the bytes that PyTorch's answer saves
(saved_bytes_not_static). Passes if the tool's answer takes no more bytes and recomputes no more FLOPs; a bound above PyTorch's
answer would be wrong, and fails. Then asks, for each graph, for the least bytes with no matrix product recomputed: never more
than the least over all of the graph's cases that recompute none. A limit may be too low if PyTorch's answer reruns what must not
be, such as a collective or values marked MUST_SAVE (its budget of 0 does); then one of these has to be what prevents less memory.

Over all: how many answers are proven the best, the median and the worst gap between answer and bound, the tool's and
PyTorch's, and how often PyTorch's was better. The median gap has to be at most 2 %.
"""
from __future__ import annotations

import json
import re
import statistics
from typing import Any

from comparison import Outcome, RecordedAnswers, settings_of
from partitions import Partitions

PRODUCTS = ("aten.mm.", "aten.bmm.", "aten.addmm.", "aten.baddbmm.", "aten.convolution.", "aten._scaled_dot_product")
DRAWS_OF_INDUCTOR = {"prims.inductor_seed.default", "prims.inductor_seeds.default", "prims.inductor_random.default"}
MAX_MEDIAN_GAP = 0.02
SEARCH = {"activation_memory_budget_solver": "frontier", "budget_time_limit": 60, "budget_search_parts": 200}
Case = dict[str, Any]
Row = dict[str, Any]


def frontier_settings(case: Case, limit: str, **more: Any) -> dict[str, Any]:
    settings = {**case["config"], **SEARCH, "saved_bytes_limit": limit, **more}
    settings["activation_memory_budget_runtime_estimator"] = "flops"  # in which the two are compared
    return settings


def gap(cost: float, bound: float) -> float:
    return (cost - bound) / max(bound, 1)


def wrongly_recomputed(partitions: Partitions, case: Case, failure: str) -> list[str]:
    """What PyTorch's answer runs again and must not, of the values that the tool says hold the memory up."""
    held = set(re.findall(r"(\S+) \(\S+\): not recomputed", failure))
    made = partitions.of(settings_of(case))
    return sorted(held & {value["name"] for value in made.report()["recomputed_values"]}) if made.returncode == 0 else []


def theirs_is_no_bar(partitions: Partitions, case: Case) -> bool:
    """Whether PyTorch's answer computes something else, or draws Inductor's numbers anew, which does not run."""
    made = partitions.of(settings_of(case))
    if made.returncode != 0:
        return False
    recomputed = {value["operator"] for value in made.report()["recomputed_values"]}
    return "unsound" in made.report() or not recomputed.isdisjoint(DRAWS_OF_INDUCTOR)


def what_is_wrong(row: Row) -> str | None:
    if row["bytes"] > row["limit"]:
        return f"saves {row['bytes']} bytes where PyTorch saves {row['limit']}"
    if row["bound"] > row["theirs"]:
        return f"says that {row['bound']} is the least, and PyTorch recomputes {row['theirs']}"
    if row["ours"] > row["theirs"]:
        return f"recomputes {row['ours']} where PyTorch recomputes {row['theirs']}"
    return None


def compare_case(partitions: Partitions, graph: str, case: Case) -> Outcome:
    label = f"{graph} {json.dumps({k: v for k, v in case['config'].items() if k.startswith('activation')})}"
    limit, theirs = case["saved_bytes_not_static"], case["recomputed_flops"]
    made = partitions.of(frontier_settings(case, str(limit)))
    if made.returncode != 0:
        wrong = wrongly_recomputed(partitions, case, made.stderr) or theirs_is_no_bar(partitions, case)
        return Outcome("budgets", label, None if wrong else f"exit {made.returncode}: {made.stderr.strip()}", {"held_up_by": wrong})
    report = made.report()
    facts, totals = report["frontier"], report["totals"]
    row = {"ours": totals["recomputed_flops"], "theirs": theirs, "bound": facts["bound"], "gap": facts["gap"],
           "their_gap": gap(theirs, facts["bound"]), "proven": facts["proven"],
           "bytes": totals["saved_bytes_not_static"], "limit": limit}
    row["as_decided"] = (row["ours"], row["bytes"]) == (facts["recompute_cost"], facts["saved_bytes"])
    wrong = what_is_wrong(row)
    return Outcome("budgets", label, None if wrong and theirs_is_no_bar(partitions, case) else wrong, row)


def recomputes_products(case: Case, flops: dict[str, int]) -> bool:
    """Whether PyTorch's answer recomputes something that its FLOP counter knows."""
    return case["recomputed_flops"] >= min(flops.values(), default=1 << 100)


def case_without_products(answers: RecordedAnswers) -> Case | None:
    """The one that saves least of those that recompute no product; None where the file does not say which do."""
    flops = {name: n for name, n in answers.expected["flops"].items() if n > 1}
    cases = [case for case in answers.expected["cases"] if case["partitioner"] == "min_cut" and "recomputed_flops" in case]
    cases = [case for case in cases if not recomputes_products(case, flops)]
    nodes = json.loads(answers.graph.read_text())["nodes"]
    if not cases or (not flops and any(node.get("target", "").startswith(PRODUCTS) for node in nodes)):
        return None
    return min(cases, key=lambda case: case["saved_bytes_not_static"])


def compare_products(partitions: Partitions, graph: str, case: Case) -> Outcome:
    made = partitions.of(frontier_settings(case, "least", ban_recompute_products=True))
    if made.returncode != 0:
        return Outcome("products", graph, f"exit {made.returncode}: {made.stderr.strip()}", {})
    ours, theirs = made.report()["totals"]["saved_bytes_not_static"], case["saved_bytes_not_static"]
    wrong = f"without products saves {ours} bytes where PyTorch saves {theirs}" if ours > theirs else None
    return Outcome("products", graph, None if wrong and theirs_is_no_bar(partitions, case) else wrong, {"ours": ours, "theirs": theirs})


def is_budget(case: Case) -> bool:
    return ("activation_memory_budget" in case["config"] and case["partitioner"] == "min_cut"
            and "recomputed_flops" in case)


def compare_budgets(partitions: Partitions, answers: RecordedAnswers) -> list[Outcome]:
    graph = answers.graph.stem
    found = [compare_case(partitions, graph, case) for case in answers.expected["cases"] if is_budget(case)]
    least = case_without_products(answers)
    return found + ([compare_products(partitions, graph, least)] if least else [])


def sum_up(outcomes: list[Outcome]) -> tuple[str, bool]:
    """The figures over all, and whether they are as they have to be."""
    budgets = [each.row for each in outcomes if each.kind == "budgets" and each.row is not None]
    products = [each.row for each in outcomes if each.kind == "products" and each.row]
    answered = [row for row in budgets if "gap" in row]
    if not answered:
        return "no budget was compared", False
    gaps, their_gaps = ([row[key] for row in answered] for key in ("gap", "their_gap"))
    fewer = sum(row["ours"] < row["theirs"] for row in answered)
    as_many = sum(row["ours"] == row["theirs"] for row in answered)
    lines = [
        f"{sum(row['proven'] for row in answered)} of {len(answered)} answers are proven to be the best",
        f"above the bound: median {statistics.median(gaps):.2%}, worst {max(gaps):.2%}; "
        f"PyTorch's: median {statistics.median(their_gaps):.2%}, worst {max(their_gaps):.2%}",
        f"fewer FLOPs than PyTorch in {fewer}, as many in {as_many}, more in {len(answered) - fewer - as_many}",
        f"written otherwise than decided: {sum(not row['as_decided'] for row in answered)}",
        f"PyTorch saves so little by running again what must not be: {sum(bool(row.get('held_up_by')) for row in budgets)}",
        f"no product recomputed: {len(products)} graphs, fewer bytes than PyTorch's least in "
        f"{sum(row['ours'] < row['theirs'] for row in products)}",
    ]
    return "\n".join(lines), statistics.median(gaps) <= MAX_MEDIAN_GAP
