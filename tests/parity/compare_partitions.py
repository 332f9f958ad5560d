#!/usr/bin/env python3
"""Compares fxcut's partitions of graphs with what is recorded of them, in as many ways as asked for, partitioning each graph
under each settings once.

usage: compare_partitions.py --tool FXCUT [--judge PARITY.py] [--jobs N] [--only PART_OF_A_NAME] [-v] DIR=COMPARISON,...

DIR is searched for graphs that have a GRAPH.expected.json beside them. The comparisons:
  plain, default, budget, offload   with PyTorch's partitions of those cases, as --judge judges (compare_answers.py)
  verify                            do the two graphs compute the joint graph? (verify_partitions.py)
  replay                            does a report that is replayed give the same bytes? (replay_decisions.py)
  frontier                          is the frontier solver as good as PyTorch's budgets? (compare_budgets.py)

Exit status 0 where all holds, 1 where something does not, 2 where a comparison that was asked for found nothing to compare.
Needs nothing but Python 3.9.
"""
import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import shutil
import sys
import tempfile

import compare_answers
import compare_budgets
from comparison import graphs_with_answers, recorded_answers
from partitions import Partitions
from replay_decisions import replay_decisions
from verify_partitions import verify_partitions

MAX_SHOWN = 40
ROOM = 2 << 30  # bytes; the partitions of one graph take less than a tenth of it
# Kinds of outcomes without which a comparison has compared nothing, over all that it is asked of: refusals alone say little, and
# of some graphs only PyTorch's figures are recorded.
NEEDED = {"verify": {"own", "pytorch"}, "replay": {"replayed"}, "frontier": {"budgets", "products"}}


@functools.cache  # once a process
def comparisons(judge):
    """By name: a function of partitions and recorded answers to outcomes."""
    table = {"verify": verify_partitions, "replay": replay_decisions, "frontier": compare_budgets.compare_budgets}
    if judge:
        table |= {kind: functools.partial(compare_answers.compare_answers, judge, kind) for kind in compare_answers.KINDS}
    return table


def work_in_memory():
    """Has a process write its temporary files there, where memory is a file system with room. They are soon deleted again, and a
    disk that is told of each deletion takes three times as long as the comparisons."""
    memory = "/dev/shm"
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        tempfile.tempdir = memory


def compare_graph(tool, judge, names, graph):
    """Outcomes by name of comparison."""
    table, answers = comparisons(judge), recorded_answers(graph)
    with tempfile.TemporaryDirectory() as directory:
        partitions = Partitions(tool, graph, pathlib.Path(directory) / "partitions")
        return {name: table[name](partitions, answers) for name in names}


def parse_request(text, known):
    directory, _, names = text.rpartition("=")
    names = names.split(",")
    if not directory or not set(names) <= set(known):
        sys.exit(f"compare_partitions.py: expected DIR=COMPARISON,... of {', '.join(known)}; not {text}"
                 + ("" if "plain" in known else " (without --judge there are no others)"))
    return pathlib.Path(directory), names


def graphs_of(requests, only):
    """(request, names, graph), those of large files first: what takes longest must not begin last."""
    for number, (directory, names) in enumerate(requests):
        found = graphs_with_answers(directory)
        if not found:
            sys.exit(f"compare_partitions.py: no graph with recorded answers under {directory}")
        yield from ((number, names, graph) for graph in found if only in graph.stem)


def show(directory, name, outcomes):
    """Returns what does not hold."""
    counts = collections.Counter(each.kind for each in outcomes)
    wrong = [each for each in outcomes if each.wrong]
    kinds = f" ({', '.join(f'{n} {kind}' for kind, n in counts.items())})" if len(counts) > 1 else ""
    print(f"{directory}: {name}: {len(outcomes) - len(wrong)} of {len(outcomes)} hold{kinds}")
    return wrong


def find_empty(requests, found):
    """Says what there was nothing to compare for: a comparison of a directory, or one of its kinds anywhere."""
    kinds = collections.defaultdict(set)
    for (_, name), outcomes in found.items():
        kinds[name] |= {each.kind for each in outcomes}
    for number, (directory, names) in enumerate(requests):
        yield from (f"{directory}: {name}" for name in names if not found[number, name])
    for name in dict.fromkeys(name for _, names in requests for name in names):
        yield from (f"{name}: {kind}" for kind in sorted(NEEDED.get(name, {name}) - kinds[name]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--judge", type=pathlib.Path, help="../shared/tools/parity.py")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="graphs with this in their names")
    parser.add_argument("-v", action="store_true", help="show all that does not hold, and every row of figures")
    parser.add_argument("requests", nargs="+")
    arguments = parser.parse_args()
    requests = [parse_request(text, comparisons(arguments.judge)) for text in arguments.requests]
    work = sorted(graphs_of(requests, arguments.only), key=lambda each: -each[2].stat().st_size)
    found = collections.defaultdict(list)  # by request and comparison
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, initializer=work_in_memory) as pool:
        futures = [(number, pool.submit(compare_graph, arguments.tool.resolve(), arguments.judge, names, graph))
                   for number, names, graph in work]
        for number, future in futures:
            for name, outcomes in future.result().items():
                found[number, name] += outcomes
    wrong = [each for number, (directory, names) in enumerate(requests) for name in names
             for each in show(directory, name, found[number, name])]
    empty = list(find_empty(requests, found))
    for each in empty:
        print(f"{each}: there was nothing to compare")
    for each in wrong if arguments.v else wrong[:MAX_SHOWN]:
        print(f"{each.kind}: {each.label}: {each.wrong}")
    budgets = [each for (_, name), outcomes in found.items() if name == "frontier" for each in outcomes]
    figures, are_good = compare_budgets.sum_up(budgets) if budgets else ("", True)
    if arguments.v:
        print(*(f"{each.label}: {each.row}" for each in budgets), sep="\n")
    total = sum(map(len, found.values()))
    print(*([figures] if figures else []), f"{total - len(wrong)} of {total} comparisons hold on {len(work)} graphs", sep="\n")
    sys.exit(1 if wrong or not are_good else 2 if empty else 0)


if __name__ == "__main__":
    main()
