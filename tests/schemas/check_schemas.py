#!/usr/bin/env python3
"""The schemas describe real files: every graph of testdata that the program reads, every policy file of it, and all that
the program then writes.

usage: check_schemas.py --tool FXCUT --schemas DIR --testdata DIR

Each graph is partitioned under the first two of its recorded settings, by the default partitioner, by the frontier solver, and
with all that it computes marked for offloading; every fourth's trade-off is traced, and some of its nodes are explained. The
graph of testdata/policies is partitioned under each policy in each dialect of offloading. Damaged files show that the schemas
can say no. The program itself has to refuse damaged policies and device profiles, too.
Needs Debian's python3-jsonschema. Exit status 0 where all holds, 1 where it does not.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile

from answers import (check_chosen_copies, check_comparisons, check_eager, check_explained, check_memory, check_pareto, check_pipeline,
                     check_sizes, check_split, check_verification)
from batches import check_baselines, check_batch
from documents import Check, load_validators
from graphs import check_graph, recorded_graphs
from inputs import check_device_profiles, check_policies, check_refusals

# Further checks, besides those of each graph: functions of a check, the program, testdata and a directory to write to.
BESIDES = [
    lambda check, tool, testdata, directory: check_policies(check, tool, testdata / "policies", directory),
    check_refusals,
    check_device_profiles,
    lambda check, tool, testdata, directory: check_pareto(check, tool, testdata),
    lambda check, tool, testdata, directory: check_sizes(check, tool, testdata),
    lambda check, tool, testdata, directory: check_chosen_copies(check, tool, testdata),
    lambda check, tool, testdata, directory: check_pipeline(check, tool, testdata),
    lambda check, tool, testdata, directory: check_eager(check, tool, testdata),
    check_explained,
    check_verification,
    check_split,
    lambda check, tool, testdata, directory: check_memory(check, tool, testdata),
    check_batch,
    lambda check, tool, testdata, directory: check_comparisons(check, tool, testdata / "reports", directory),
    check_baselines,
]


def check_part(arguments, part):
    """part: a position in BESIDES, or what check_graph takes. Returns how many documents were checked, and what failed."""
    check = Check(load_validators(arguments.schemas))
    with tempfile.TemporaryDirectory() as directory:
        if isinstance(part, int):
            BESIDES[part](check, arguments.tool, arguments.testdata, pathlib.Path(directory))
        else:
            check_graph(check, arguments.tool, *part, pathlib.Path(directory))
    return check.validated, check.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--tool", "--schemas", "--testdata"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    parts = [*range(len(BESIDES)), *recorded_graphs(arguments.testdata)]
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        found = list(pool.map(functools.partial(check_part, arguments), parts))
    failures = [failure for _, group in found for failure in group]
    print(*failures, f"{sum(n for n, _ in found)} documents, {len(failures)} failures", sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
