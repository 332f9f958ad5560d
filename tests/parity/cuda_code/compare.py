"""Compares the memory that the program predicts for CUDA code with that of the code recorded by record.py.

usage: python3 tests/parity/cuda_code/compare.py build/cli/fxcut DIRECTORY [--set-aside] [--over SHARE] [NAME...]

Each recorded decision is replayed, so that what is compared is the prediction alone. A row each of those that differ by more than
SHARE (0.001), the largest last: the code's peak, how far the predicted one is from it, and the same of forward, between and
backward.
Then a summary of each release: the median, those within 2 %, the worst, and how many pairs of decisions on a model whose peaks
differ by more than 3 % are predicted the other way. --set-aside: of the models that models.py sets aside, instead of the others.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import statistics
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from names import SET_ASIDE

PARTS = ("forward_peak_bytes", "between_bytes", "backward_peak_bytes")


class Row(NamedTuple):
    name: str
    decision: str
    code: list[int]
    predicted: list[int]

    @property
    def peak(self) -> int:
        return max(self.code)

    @property
    def off(self) -> float:
        return max(self.predicted) / self.peak - 1

    def __str__(self) -> str:
        parts = " ".join(f"{mine / of_code - 1:>+8.2%}" for mine, of_code in zip(self.predicted, self.code))
        return f"{self.name:<26} {self.decision:<8} {self.peak:>14,} {self.off:>+8.2%}  {parts}"


def replayed(fxcut: Path, graph: Path, row: dict[str, Any]) -> Row:
    name = graph.name.removesuffix(".json.zst")
    report = graph.with_name(f"{name}.{row['decision']}.report.json.zst")
    done = subprocess.run([fxcut, "partition", graph, "--decision", report, "--json"], capture_output=True, check=True)
    compiled = json.loads(done.stdout)["memory"]["compiled"]
    return Row(name, row["decision"], [row[part] for part in PARTS], [compiled[part] for part in PARTS])


def order_of(rows: list[Row]) -> tuple[int, int]:
    """Pairs of decisions on a model that are more than 3 % apart, and those of them that are predicted the other way."""
    apart = [(low, high) for low in rows for high in rows if low.name == high.name and high.peak > 1.03 * low.peak]
    return len(apart), sum(max(high.predicted) <= max(low.predicted) for low, high in apart)


def summary(rows: list[Row]) -> str:
    off = [abs(row.off) for row in rows]
    pairs, wrong = order_of(rows)
    within = sum(each <= 0.02 for each in off)
    figures = f"median {statistics.median(off):.2%}, {within} within 2 %, worst {max(off):.2%}"
    return f"{len(rows)} decisions: {figures}; {wrong} of {pairs} pairs the other way"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fxcut", type=Path, metavar="FXCUT")
    parser.add_argument("directory", type=Path, metavar="DIRECTORY")
    parser.add_argument("--set-aside", action="store_true")
    parser.add_argument("--over", type=float, default=0.001, metavar="SHARE")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    tasks = []
    for recorded in sorted(asked.directory.glob("*.jsonl")):
        name = recorded.stem
        if (name.rsplit("_", 1)[0] in SET_ASIDE) == asked.set_aside and (not asked.names or name in asked.names):
            graph = recorded.with_name(f"{name}.json.zst")
            tasks += [(graph, json.loads(line)) for line in recorded.read_text().splitlines()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda task: replayed(asked.fxcut, *task), tasks))
    print(f"{'model and release':<26} {'decision':<8} {'code':>14} {'off':>8}  {'forward':>8} {'between':>8} {'backward':>8}")
    for row in sorted(rows, key=lambda row: abs(row.off)):
        if abs(row.off) > asked.over:
            print(row)
    for release in sorted({row.name[-3:] for row in rows}):
        print(release, summary([row for row in rows if row.name.endswith(release)]))
    print("all", summary(rows))


if __name__ == "__main__":
    main()
