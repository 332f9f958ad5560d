#!/usr/bin/env python3
"""What the frontier solver makes of the memory that PyTorch's budgets take.

usage: compare_budgets.py --tool FXCUT --corpus DIR... [--time-limit SECONDS] [--parts N] [--jobs N] [-v]

For every case with a memory budget in DIR's expected files, and the graph beside it, asks the tool for the least
recomputing within the bytes that PyTorch's answer saves (saved_bytes_not_static). Holds where the tool's answer takes no
more bytes and recomputes no more FLOPs; a bound above PyTorch's answer would be wrong, and does not hold. Then asks, of
each graph, for the least bytes with no matrix product recomputed: never more than the least over all of the file's cases
that recompute none. A limit may be too low where PyTorch's answer runs again what must not be, such as a collective or
what is marked MUST_SAVE (its budget of 0 does); then it has to be one of these that holds the memory up.

Prints each case that does not hold, then over all: how many answers are proven the best, the median and the worst gap
between answer and bound, the tool's and PyTorch's, and how often PyTorch's was better.

Exit status 0 where all holds and the median gap is at most 2 %, 1 where not, 2 where there was nothing to compare.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

PRODUCTS = ("aten.mm.", "aten.bmm.", "aten.addmm.", "aten.baddbmm.", "aten.convolution.", "aten._scaled_dot_product")
MOST_MEDIAN_GAP = 0.02


def run(tool, graph, config):
    """The report, or what the tool says on standard error."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(config, file)
        file.flush()
        command = [tool, "partition", graph, "--config", file.name, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()}"


def frontier_config(case, options, limit, **more):
    config = {**case["config"], "activation_memory_budget_solver": "frontier", "saved_bytes_limit": limit,
              "budget_time_limit": options.time_limit, **more}
    config.pop("activation_memory_budget_runtime_estimator", None)
    if options.parts:
        config["budget_search_parts"] = options.parts
    return config


def gap(cost, bound):
    return (cost - bound) / max(bound, 1)


def wrongly_recomputed(options, graph, case, failure):
    """What PyTorch's answer runs again and must not, of the values that the tool says hold the memory up."""
    held = set(re.findall(r"(\S+) \(\S+\): not recomputed", failure))
    answer = run(options.tool, graph, case["config"])
    return sorted(held & {value["name"] for value in answer["recomputed_values"]}) if isinstance(answer, dict) else []


def compare_case(options, graph, case):
    """A row of figures, with what does not hold as `problem`."""
    row = {"graph": graph.stem, "config": {k: v for k, v in case["config"].items() if k.startswith("activation")}}
    limit, theirs = case["saved_bytes_not_static"], case["recomputed_flops"]
    report = run(options.tool, graph, frontier_config(case, options, str(limit)))
    if isinstance(report, str):
        wrong = wrongly_recomputed(options, graph, case, report)
        return {**row, **({"wrong": wrong} if wrong else {"problem": report})}
    facts, totals = report["frontier"], report["totals"]
    ours = totals["recomputed_flops"]
    row |= {"ours": ours, "theirs": theirs, "gap": facts["gap"], "their_gap": gap(theirs, facts["bound"]),
            "proven": facts["proven"], "bytes": totals["saved_bytes_not_static"], "limit": limit}
    if totals["saved_bytes_not_static"] > limit:
        row["problem"] = f"saves {totals['saved_bytes_not_static']} bytes where PyTorch saves {limit}"
    elif facts["bound"] > theirs:
        row["problem"] = f"says that {facts['bound']} is the least, and PyTorch recomputes {theirs}"
    elif ours > theirs:
        row["problem"] = f"recomputes {ours} where PyTorch recomputes {theirs}"
    elif ours != facts["recompute_cost"] or totals["saved_bytes_not_static"] != facts["saved_bytes"]:
        row["differs"] = f"decided on {facts['saved_bytes']} bytes and {facts['recompute_cost']}, written {ours}"
    return row


def recomputes_products(case, flops):
    """Whether PyTorch's answer recomputes something that its FLOP counter knows."""
    return case["recomputed_flops"] >= min(flops.values(), default=1 << 100)


def compare_products(options, graph, expected):
    flops = {name: n for name, n in expected["flops"].items() if n > 1}
    cases = [case for case in expected["cases"] if case["partitioner"] == "min_cut" and "recomputed_flops" in case]
    cases = [case for case in cases if not recomputes_products(case, flops)]
    nodes = json.loads(graph.read_text())["nodes"]
    if not cases or (not flops and any(node.get("target", "").startswith(PRODUCTS) for node in nodes)):
        return None  # the file does not say which cases recompute products
    least = min(cases, key=lambda case: case["saved_bytes_not_static"])
    report = run(options.tool, graph, frontier_config(least, options, "least", ban_recompute_products=True))
    if isinstance(report, str):
        return {"graph": graph.stem, "problem": report}
    ours, theirs = report["totals"]["saved_bytes_not_static"], least["saved_bytes_not_static"]
    row = {"graph": graph.stem, "ours": ours, "theirs": theirs}
    if ours > theirs:
        row["problem"] = f"without products saves {ours} bytes where PyTorch saves {theirs}"
    return row


def budget_cases(corpus):
    for path in sorted(corpus.glob("*.expected.json")):
        expected = json.loads(path.read_text())
        graph = path.with_name(path.name.replace(".expected", ""))
        cases = [case for case in expected["cases"]
                 if "activation_memory_budget" in case["config"] and case["partitioner"] == "min_cut"
                 and "recomputed_flops" in case]
        yield graph, expected, cases


def show(rows, products):
    answered = [row for row in rows if "gap" in row]
    if answered:
        gaps, their_gaps = ([row[key] for row in answered] for key in ("gap", "their_gap"))
        print(f"{sum(row['proven'] for row in answered)} of {len(answered)} answers are proven to be the best")
        print(f"above the bound: median {statistics.median(gaps):.2%}, worst {max(gaps):.2%}; "
              f"PyTorch's: median {statistics.median(their_gaps):.2%}, worst {max(their_gaps):.2%}")
        fewer = sum(row["ours"] < row["theirs"] for row in answered)
        as_many = sum(row["ours"] == row["theirs"] for row in answered)
        print(f"fewer FLOPs than PyTorch in {fewer}, as many in {as_many}, more in {len(answered) - fewer - as_many}")
        print(f"written otherwise than decided: {sum('differs' in row for row in answered)}")
    print(f"PyTorch saves so little by running again what must not be: {sum('wrong' in row for row in rows)}")
    if products:
        fewer = sum(row.get("ours", 0) < row.get("theirs", 0) for row in products)
        print(f"no product recomputed: {len(products)} graphs, fewer bytes than PyTorch's least in {fewer}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--corpus", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--parts", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true", help="print every case")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows, products = [], []
        for corpus in options.corpus:
            for graph, expected, cases in budget_cases(corpus):
                rows += [pool.submit(compare_case, options, graph, case) for case in cases]
                products.append(pool.submit(compare_products, options, graph, expected))
        rows = [row.result() for row in rows]
        products = [row for row in (future.result() for future in products) if row]
    problems = [row for row in rows + products if "problem" in row]
    for row in rows + products if options.v else problems + [row for row in rows if "differs" in row]:
        print(json.dumps(row))
    show(rows, products)
    print(f"{len(rows) + len(products)} comparisons, {len(problems)} do not hold")
    gaps = [row["gap"] for row in rows if "gap" in row]
    sys.exit(2 if not gaps else 1 if problems or statistics.median(gaps) > MOST_MEDIAN_GAP else 0)


if __name__ == "__main__":
    main()
