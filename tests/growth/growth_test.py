#!/usr/bin/env python3
"""usage: growth_test.py FXCUT

The time of a partition, and of its verification, grows with the graph and not with its square: of each shape of growing_graphs.py a graph four times as
large may take at most 7 times as long (4 would be linear, 16 quadratic; processor time, the least of three runs), and each of
4,000 policies at most 8 KiB, whatever the graph's size.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import growing_graphs

TOOL = pathlib.Path(sys.argv[1]).resolve()
MOST_TIMES_AS_LONG, MOST_KILOBYTES_A_POLICY = 7, 8
SHAPES = {
    "items of one tuple": (growing_graphs.items_of_one_tuple, 5_000, []),
    "many tuples": (growing_graphs.many_tuples, 10_000, []),
    "a chain": (growing_graphs.chain, 10_000, []),
    "items of one tuple, verified": (growing_graphs.items_of_one_tuple, 5_000, []),
    "many tuples, verified": (growing_graphs.many_tuples, 10_000, []),
    "a chain, verified": (growing_graphs.chain, 10_000, []),
    "a chain within the least bytes": (growing_graphs.chain, 5_000, ["--saved-bytes", "least"]),
    "a chain within half a budget": (growing_graphs.chain, 5_000, [
        "--budget-solver", "frontier", "--set", "activation_memory_budget=0.5", "--set", "budget_search_parts=1"]),
}


def partition(graph, options):
    return ["partition", graph, "--json", *options]


def verify(graph, options):
    """Makes the partition, and returns the command that verifies it."""
    directory = graph.with_suffix(".partition")
    run = [TOOL, "--quiet", *partition(graph, [*options, "--output-dir", directory, "--force"])]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return ["verify", graph, *(directory / file for file in ("forward.json", "backward.json", "report.json"))]


def seconds(command):
    """The processor seconds of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([TOOL, "--quiet", *command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def most_kilobytes(graph, options):
    run = ["/usr/bin/env", "python3", "-c",
           "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
           TOOL, "--quiet", "partition", graph, "--json", *options]
    return int(subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout)


def times_as_long(scratch, make, size, command, options):
    small, large = scratch / "small.json", scratch / "large.json"
    growing_graphs.write(make(size), small)
    growing_graphs.write(make(4 * size), large)
    of_small, of_large = command(small, options), command(large, options)
    short = min(seconds(of_small) for _ in range(3))
    long = min(seconds(of_large) for _ in range(3))
    return long / short, short, long


def kilobytes_a_policy(scratch, count, size):
    graph, policies = scratch / "named.json", scratch / "policies.json"
    growing_graphs.write(growing_graphs.names(size), graph)
    growing_graphs.write(growing_graphs.policies(count), policies)
    return (most_kilobytes(graph, ["--policy", policies]) - most_kilobytes(graph, [])) / count


def main():
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        for name, (make, size, options) in SHAPES.items():
            command = verify if name.endswith("verified") else partition
            times, short, long = times_as_long(scratch, make, size, command, options)
            print(f"{name}: {size:,} and {4 * size:,}: {short:.2f} and {long:.2f} s, {times:.1f} times as long")
            failed |= times > MOST_TIMES_AS_LONG
        for size in (4_000, 32_000):
            kilobytes = kilobytes_a_policy(scratch, 4_000, size)
            print(f"4,000 policies on {size:,} nodes: {kilobytes:.1f} KiB each")
            failed |= kilobytes > MOST_KILOBYTES_A_POLICY
    return 1 if failed else 0


sys.exit(main())
