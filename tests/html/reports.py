"""Reports to look at: pages that the program writes, and its other output on the same partition."""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys

NO_PARTITION = 4


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--testdata", type=pathlib.Path, required=True)
    return parser.parse_args()


class Report:
    """For one graph: its page, report.json, CSV, Markdown, text and table."""

    def __init__(self, tool, graph, directory, options=()):
        self.page = directory / f"{graph.stem}.html"

        def run(*more):
            done = subprocess.run([tool, "partition", graph, *options, *more], capture_output=True, text=True)
            if done.returncode == NO_PARTITION:
                raise NoPartition
            if done.returncode != 0:
                sys.exit(f"{graph}: exit {done.returncode}: {done.stderr}")
            return done.stdout

        self.json = json.loads(run("--json", "--html", self.page, "--force"))
        self.csv = list(csv.DictReader(io.StringIO(run("--csv"))))
        self.markdown = run("--markdown")
        self.text = run()
        self.table = run("--all")


def shown_peak(memory):
    """Of the report's memory: the peak that the page begins with, the code's if what it is made of is known."""
    compiled = memory.get("compiled")
    return compiled["peak_bytes"] if compiled and compiled.get("at_peak") else memory["peak_bytes"]


class NoPartition(Exception):
    pass


def recorded_graphs(testdata):
    """The graphs of testdata that were traced from models; those of testdata/oracle are many, small and like each other."""
    for answers in sorted([*testdata.glob("*.expected.json"), *testdata.glob("models/*.expected.json")]):
        yield answers.with_name(answers.name.replace(".expected.json", ".json"))


class Checks:
    """Counts checks that pass, and continues after failures."""

    def __init__(self):
        self.held, self.failed = 0, []

    def equal(self, found, expected, what):
        if found == expected:
            self.held += 1
        else:
            self.failed.append(f"{what}: expected {expected!r}, found {found!r}")

    def true(self, condition, what):
        self.equal(bool(condition), True, what)

    def finish(self):
        for line in self.failed:
            print("FAILED:", line)
        print(f"{self.held} checks hold, {len(self.failed)} do not")
        sys.exit(1 if self.failed or not self.held else 0)
