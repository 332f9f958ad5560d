"""Compares the memory and the times that the program predicts with those of steps recorded on an H100.

usage: PYTHONPATH=python/bench python3 tests/parity/cuda_code/h100.py build/cli/fxcut DIRECTORY [--over SHARE] [NAME...]

DIRECTORY has, for each model, the joint graph (MODEL.graph.json.zst), logs of compilations under several decisions
(MODEL.DECISION.log.zst), peaks.json, what the allocator measured, and times.json, what the kernels of some steps took. Each
recorded decision, the values that the forward graph of the log returns, is replayed, so that only the prediction is compared. The
columns are those of compare.py; then the measured peak, and how far the predicted one is from it without and with the workspaces
of libraries.
One row for each prediction that differs by more than SHARE (0.001) from the code or, with workspaces, from the measured peak. Then
a row for each step with a time: of its kernels, and of the step, in ms; and how much longer than the default's each took. Finally
the kernels of each default decision, in the classes that both a profiler's names and operators give: products by what is
transposed (TN in the forward, NN for gradients of inputs, NT for those of weights), attention, convolutions with the changes of
layout within them, and those that inductor generated, the largest of which are compared by their rank, since a profiler names them
by operators before they were decomposed.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from compare import PARTS, Row
from ranks import ranks

Json = dict[str, Any]


FEW_DECISIONS = 3  # have no rank correlation to speak of


class Measured(NamedTuple):
    row: Row
    measured: int
    with_workspaces: int
    step_ms: float

    @property
    def off(self) -> float:
        return self.with_workspaces / self.measured - 1

    def __str__(self) -> str:
        return f"{self.row}  {self.measured:>14,} {max(self.row.predicted) / self.measured - 1:>+8.2%} {self.off:>+8.2%}"


def uncompressed(path: Path) -> str:
    return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout.decode(errors="replace")


def output_of(fxcut: Path, *arguments: Any) -> Json:
    answer: Json = json.loads(subprocess.run([fxcut, *arguments], capture_output=True, check=True).stdout)
    return answer


def forward_outputs(log: str) -> list[str]:
    begin = log.index('{"aot_forward_graph"')
    text = log[begin : log.index('{"aot_backward_graph"', begin)]
    returned = text[text.rindex("return (") + len("return (") : text.rindex(")")]
    return re.findall(r"\w+", re.sub(r"#.*", "", returned))


def saved_value(node: Json, template: Json) -> Json:
    """A row of a report for a node of the graph; the template is a row of another one."""
    row = {name: value for name, value in template.items() if name not in ("module", "source", "user_source")}
    value = node.get("val", {})
    if value.get("kind") == "tensor":
        row |= {"dtype": value["dtype"], "shape": value["shape"]}
    operator = node.get("target") if node["op"] == "call_function" else "placeholder"
    return row | {"name": node["name"], "operator": operator}


class Recordings:
    """Of a directory; what is asked for each decision on a model is read once."""

    def __init__(self, fxcut: Path, directory: Path) -> None:
        self.fxcut, self.directory = fxcut, directory
        self.peaks = {f"{row['model']}.{row['decision']}": row for row in json.loads((directory / "peaks.json").read_text())}
        self.reports: dict[str, Json] = {}
        self.nodes: dict[str, dict[str, Json]] = {}

    def names(self) -> list[str]:
        """Of the decisions on models whose graph there is."""
        names = [log.name.removesuffix(".log.zst") for log in sorted(self.directory.glob("*.log.zst"))]
        return [name for name in names if name in self.peaks and not name.endswith(".plain") and self.graph(name).exists()]

    def graph(self, name: str) -> Path:
        return self.directory / f"{name.split('.')[0]}.graph.json.zst"

    def decision(self, name: str) -> Json:
        """A report with the values that the recorded forward saves."""
        model = name.split(".")[0]
        if model not in self.reports:
            self.reports[model] = output_of(self.fxcut, "partition", self.graph(name), "--json")
            nodes = json.loads(uncompressed(self.graph(name)))["nodes"]
            self.nodes[model] = {node["name"]: node for node in nodes}
        report, nodes = self.reports[model], self.nodes[model]
        first = report["num_fwd_outputs"]
        saved = forward_outputs(uncompressed(self.directory / f"{name}.log.zst"))[first:]
        rows = [saved_value(nodes[each], report["saved_values"][0]) for each in saved]
        places = [{"forward_output": first + i, "backward_input": i} for i in range(len(saved))]
        return report | {"saved_values": [row | place for row, place in zip(rows, places)]}

    def decided_ms(self, time: Json) -> float:
        """The estimated step of a decision whose log was not kept: the program's own within as many bytes."""
        limit = ["--saved-bytes", str(time["saved"])]
        answer = output_of(self.fxcut, "partition", self.graph(time["model"]), *limit, "--json")
        return float(answer["run_time"]["step_ms"])

    def replayed(self, name: str) -> Measured:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as report:
            json.dump(self.decision(name), report)
            report.flush()
            answer = output_of(self.fxcut, "partition", self.graph(name), "--decision", report.name, "--json")
        compiled = answer["memory"]["compiled"]
        [code] = output_of(self.fxcut, "memory", self.directory / f"{name}.log.zst", "--format", "json")["steps"]
        row = Row(*name.split(".", 1), [code[part] for part in PARTS], [compiled[part] for part in PARTS])
        with_workspaces = compiled.get("with_workspaces", compiled)["peak_bytes"]
        return Measured(row, self.peaks[name]["measured_peak"], with_workspaces, answer["run_time"]["step_ms"])


def print_times(rows: list[Measured], recordings: Recordings, times: list[Json]) -> None:
    replayed = {f"{each.row.name}.{each.row.decision}": each.step_ms for each in rows}
    head = f"{'model':<26} {'decision':<10} {'estimated':>9} {'kernels':>8} {'off':>7} {'step':>8}"
    print(f"\n{head}   added: {'est.':>6} {'kernels':>8} {'step':>6}")
    for model in dict.fromkeys(time["model"] for time in times if f"{time['model']}.default" in replayed):
        steps = [time for time in times if time["model"] == model]
        estimated = [replayed.get(f"{model}.{time['decision']}") or recordings.decided_ms(time) for time in steps]
        for time, ms in zip(steps, estimated):
            kernel_ms = time["kernel_ms"]
            row = f"{model:<26} {time['decision']:<10} {ms:>9.2f} {kernel_ms:>8.2f} {ms / kernel_ms - 1:>+7.1%} {time['ms']:>8.2f}"
            added = ms - estimated[0], kernel_ms - steps[0]["kernel_ms"], time["ms"] - steps[0]["ms"]
            print(f"{row}          {added[0]:>6.2f} {added[1]:>8.2f} {added[2]:>6.2f}")
        if len(steps) > FEW_DECISIONS:
            order = [statistics.correlation(ranks(estimated), ranks([time[by] for time in steps])) for by in ("ms", "kernel_ms")]
            print(f"{model:<26} rank correlation (Spearman's) {order[0]:.3f} with the steps, {order[1]:.3f} with their kernels")


# By a profiler's name of a kernel: the first that matches.
MEASURED = (
    ("attention backward", r"sdpa.*bprop|compute_dot_do_o|convert_dq_to_16bits"),
    ("attention forward", r"sdpa.*fprop"),
    ("convolutions", r"xmma_(fprop|dgrad|wgrad)|convolve|Convolution|[nc]h?w?c?hwTo|hwcTo|AddPadding|wgrad|s16816fprop"),
    ("products TN", r"_TN[NT]$"),
    ("products NN", r"_NN[NT]$"),
    ("products NT", r"_NT[NT]$"),
)
PRODUCTS = {"aten.mm", "aten.addmm", "aten.bmm", "aten.baddbmm"}
GENERATED = 3  # are compared one by one as well


def sums(parts: list[tuple[str, float]]) -> dict[str, float]:
    """By class, and of the largest parts that were generated."""
    found: dict[str, float] = {}
    for kind, ms in parts:
        found[kind] = found.get(kind, 0) + ms
    largest = sorted((ms for kind, ms in parts if kind == "generated"), reverse=True)
    return found | {f"  of these the {i + 1}." : ms for i, ms in enumerate(largest[:GENERATED])}


def measured_class(name: str) -> str:
    if name.startswith("triton_"):
        return "generated"
    return next((kind for kind, pattern in MEASURED if re.search(pattern, name)), "others")


def estimated_class(kernel: Json, tokens: int) -> str:
    [operator, *_] = kernel["operators"]
    if kernel["generated"]:
        return "generated"
    if "attention" in operator:
        return "attention backward" if operator.endswith("_backward") else "attention forward"
    if "convolution" in operator:
        return "convolutions"
    if operator not in PRODUCTS:
        return "others"
    if kernel["side"] == "forward":
        return "products TN"
    return "products NT" if kernel["operand_shapes"][-2][-1] == tokens else "products NN"


def print_kernels(recordings: Recordings, times: list[Json]) -> None:
    print(f"\n{'model':<26} {'kernels':<20} {'estimated':>9} {'measured':>9} {'off':>7}")
    for time in times:
        if time["decision"] != "default" or not recordings.graph(time["model"]).exists():
            continue
        answer = output_of(recordings.fxcut, "explain", recordings.graph(time["model"]), "--kernels", "100000", "--json")
        kernels = answer["kernels"]
        products = [kernel for kernel in kernels if set(kernel["operators"]) & PRODUCTS and kernel["side"] == "forward"]
        tokens = max((kernel["shape"][-2] for kernel in products), default=0)
        measured = sums([(measured_class(name), us / 1e3) for name, _, us in time["kernels"]])
        measured["not listed"] = time["kernel_ms"] - sum(us for *_, us in time["kernels"]) / 1e3  # the smallest
        estimated = sums([(estimated_class(kernel, tokens), kernel["ms"]) for kernel in kernels])
        for name, ms in measured.items():
            off = f"{estimated[name] / ms - 1:>+7.1%}" if name in estimated else ""
            print(f"{time['model']:<26} {name:<20} {estimated.get(name, 0):>9.2f} {ms:>9.2f} {off}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fxcut", type=Path, metavar="FXCUT")
    parser.add_argument("directory", type=Path, metavar="DIRECTORY")
    parser.add_argument("--over", type=float, default=0.001, metavar="SHARE")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    recordings = Recordings(asked.fxcut, asked.directory)
    rows = [recordings.replayed(name) for name in recordings.names() if not asked.names or name in asked.names]
    head = f"{'model':<26} {'decision':<8} {'code':>14} {'off':>8}  {'forward':>8} {'between':>8} {'backward':>8}"
    print(f"{head}  {'measured':>14} {'off':>8} {'with ws.':>8}")
    for each in sorted(rows, key=lambda each: max(abs(each.off), abs(each.row.off))):
        if max(abs(each.off), abs(each.row.off)) > asked.over:
            print(each)
    for of, off in (("code", [abs(each.row.off) for each in rows]), ("measured, with workspaces", [abs(e.off) for e in rows])):
        within = sum(each <= 0.02 for each in off)
        print(f"{len(off)} decisions, of {of}: median {statistics.median(off):.2%}, {within} within 2 %, worst {max(off):.2%}")
    times = json.loads((asked.directory / "times.json").read_text())
    print_times(rows, recordings, times)
    print_kernels(recordings, times)


if __name__ == "__main__":
    main()
