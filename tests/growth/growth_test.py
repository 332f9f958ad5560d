#!/usr/bin/env python3
"""usage: growth_test.py FXCUT

What a command does grows with the graph and not with its square: for a graph four times as large the instructions that it runs
may grow by the exponent 1.15 at most (1 is linear, 2 quadratic). Instructions are counted by valgrind, so the answer is
the same on a busy machine. Each case is a shape of growing_graphs.py and a command that took more than its share on it, or
a shape that is one of its own. Searches that take seconds count their work themselves (`frontier.steps` in the report). And each
of 4,000 policies may take at most 8 KiB, whatever the graph's size. A search whose start is proven to be the best ends there.
"""
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import growing_graphs as shapes

TOOL = pathlib.Path(sys.argv[1]).resolve()
LARGEST_EXPONENT, TIMES, MAX_KILOBYTES_PER_POLICY = 1.15, 4, 8
MAX_STEPS_OF_PROVEN_START = 10_000_000  # improving plans of copies takes up to 400 million
LEAST = ["--saved-bytes", "least"]
LEAST_PEAK = ["--peak-bytes", "least"]
OFFLOADING = ["--offload", "auto"]
COMPILED = ["--memory-of", "compiled"]
AGAIN = ["--recompute-again"]
HALF = ["--budget-solver", "frontier", "--set", "activation_memory_budget=0.5", "--set", "budget_search_parts=1"]


def partition(*options):
    return lambda graph: ["partition", graph, "--json", *options]


def explain(node):
    return lambda graph: ["explain", graph, node]


def top(graph):
    return ["explain", graph, "--top", "10"]


def made(graph):
    """The partition, and the files that it is made from."""
    directory = graph.with_suffix(".partition")
    run = [TOOL, "--quiet", "partition", graph, "--output-dir", directory]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return [directory / file for file in ("forward.json", "backward.json", "report.json")]


def verify(graph):
    return ["verify", graph, *made(graph)]


def pareto(graph):
    return ["pareto", graph]


def compare_graphs(graph):
    backward = made(graph)[1]
    return ["diff", backward, backward]


def show(kind):
    return lambda graph: ["show", graph, "--format", kind]


CASES = [
    (shapes.chain, 1_000, "verify", verify),
    (shapes.slow_chain, 4_000, "least", partition(*LEAST)),
    (shapes.chain, 1_000, "half", partition(*HALF)),
    (shapes.chain, 1_000, "top", top),
    (shapes.chain, 1_000, "dot", show("dot")),
    (shapes.chain, 1_000, "table", show("table")),
    (shapes.fan, 2_000, "plain", partition()),
    (shapes.fan, 2_000, "least", partition(*LEAST)),
    (shapes.items_of_one_tuple, 500, "verify", verify),
    (shapes.items_in_one_storage, 500, "least, offloading", partition(*LEAST, *OFFLOADING)),
    (shapes.stale_copies, 500, "compiled", partition(*COMPILED)),
    (shapes.many_tuples, 1_000, "verify", verify),
    (shapes.layers, 1_500, "least", partition(*LEAST)),
    (shapes.layers, 1_500, "compiled", partition(*COMPILED)),
    (shapes.views, 1_500, "compiled", partition(*COMPILED)),
    (shapes.views, 500, "least compiled peak", partition(*LEAST_PEAK, *COMPILED)),
    (shapes.views, 1_500, "diff", compare_graphs),
    (shapes.symbols, 1_500, "compiled", partition(*COMPILED)),
    (shapes.symbols, 1_200, "peak", partition("--peak-bytes", "least")),
    (shapes.aliases, 1_500, "explain", explain("grad_3")),
    (shapes.aliases, 1_500, "top", top),
    (shapes.long_names, 1_000, "verify", verify),
    (shapes.regions, 1_000, "sound", partition("--sound")),
    (shapes.regions, 1_500, "least, offloading", partition(*LEAST, *OFFLOADING)),
    (shapes.regions, 4_000, "pareto", pareto),
    (shapes.collectives, 1_500, "peak", partition("--peak-bytes", "least")),
    (shapes.collectives, 1_500, "least", partition(*LEAST)),
    (shapes.collectives, 1_000, "least, offloading", partition(*LEAST, *OFFLOADING)),
    (shapes.collectives, 1_000, "least peak, offloading", partition(*LEAST_PEAK, *OFFLOADING)),
    (shapes.writes, 800, "peak", partition("--peak-bytes", "least")),
    (shapes.writes, 1_500, "sound", partition("--sound")),
    (shapes.one_buffer, 1_500, "least", partition(*LEAST)),
    (shapes.one_buffer, 1_500, "compiled", partition(*COMPILED)),
    (shapes.one_buffer, 1_500, "sound", partition("--sound")),
]


SEARCHES = [
    (shapes.chain, 2_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.slow_chain, 2_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.fan, 2_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.layers, 2_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.regions, 2_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.writes, 4_000, "least peak", partition(*LEAST_PEAK)),
    (shapes.fan, 2_500, "least peak, recomputing again", partition(*LEAST_PEAK, *AGAIN)),
    (shapes.one_buffer, 4_000, "least peak, offloading", partition(*LEAST_PEAK, *OFFLOADING)),
    (shapes.chain, 1_000, "least peak, offloading", partition(*LEAST_PEAK, *OFFLOADING)),
    (shapes.layers, 1_000, "least peak, offloading", partition(*LEAST_PEAK, *OFFLOADING)),
]


def steps(command):
    run = subprocess.run([TOOL, "--quiet", *command], check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)["frontier"]["steps"]


def instructions(command):
    run = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", TOOL, "--quiet", *command]
    run = subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)[1].replace(",", ""))


def exponent(scratch, case, count=instructions):
    shape, size, name, command = case
    counts = []
    for nodes in (size, TIMES * size):
        graph = scratch / f"{shape.__name__}_{name}_{nodes}.json"
        shapes.write(shape(nodes), graph)
        counts.append(count(command(graph)))
    return counts, math.log(counts[1] / counts[0], TIMES)


def most_kilobytes(graph, options):
    run = ["/usr/bin/env", "python3", "-c",
           "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
           TOOL, "--quiet", "partition", graph, "--json", *options]
    return int(subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout)


def kilobytes_a_policy(scratch, count, size):
    graph, policies = scratch / "named.json", scratch / "policies.json"
    shapes.write(shapes.names(size), graph)
    shapes.write(shapes.policies(count), policies)
    return (most_kilobytes(graph, ["--policy", policies]) - most_kilobytes(graph, [])) / count


def main():
    if not shutil.which("valgrind"):
        sys.exit("valgrind is missing: .ci/install valgrind")
    failed = False
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch = pathlib.Path(directory)
        for cases, count in ((CASES, instructions), (SEARCHES, steps)):
            for case, (counts, power) in zip(cases, pool.map(lambda case: exponent(scratch, case, count), cases)):
                shape, size, name, _ = case
                print(f"{shape.__name__}, {name}: {size:,} and {TIMES * size:,} nodes: {counts[0]:,} and {counts[1]:,}"
                      f" {count.__name__}, exponent {power:.2f}", flush=True)
                failed |= power > LARGEST_EXPONENT
        shapes.write(shapes.regions(750), scratch / "proven_start.json")
        taken = steps(partition(*LEAST, *OFFLOADING)(scratch / "proven_start.json"))
        print(f"regions, least, offloading: 750 nodes, whose best plan is known at the start: {taken:,} steps")
        failed |= taken > MAX_STEPS_OF_PROVEN_START
        for size in (4_000, 32_000):
            kilobytes = kilobytes_a_policy(scratch, 4_000, size)
            print(f"4,000 policies on {size:,} nodes: {kilobytes:.1f} KiB each")
            failed |= kilobytes > MAX_KILOBYTES_PER_POLICY
    return 1 if failed else 0


sys.exit(main())
