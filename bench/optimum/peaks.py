#!/usr/bin/env python3
"""Measures decisions within peak limits: on chains of equal layers, and on graphs given with a limit.

usage: peaks.py --tool build/cli/fxcut [--layers 64,256] [--again] [GRAPH.json:LIMIT]...

For each chain, and for each graph whose limit is `least`, the lowest peak found is then given as a limit, which has to cost the
same. Peaks are those of the operators, not of compiled code. Prints peak, recomputation, gap, and processor time. For a chain the
peak is shown in activations: spread evenly, saving has sqrt(2 n) of n. With --again everything is repeated with values that may
be recomputed more than once. Exit status 1 if the costs differ or there is no answer.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BATCH, WIDTH = 65536, 64
ACTIVATION_BYTES = BATCH * WIDTH * 4


def tensor(storage, *sizes):
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return {"kind": "tensor", "dtype": "float32", "shape": list(sizes), "stride": strides[:len(sizes)], "device": "cpu",
            "storage": storage}


def chain(layers):
    """The joint graph of that many linear layers with a sigmoid each."""
    nodes, storages = [], iter(range(10 * layers + 10))

    def add(name, target, arguments, *sizes, op="call_function"):
        node = {"name": name, "op": op, "target": target, "val": tensor(next(storages), *sizes)}
        if op != "placeholder":
            node["args"] = [{"node": a} if isinstance(a, str) else a for a in arguments]
        nodes.append(node)
        return name

    values = [add("primals_1", "primals_1", (), BATCH, WIDTH, op="placeholder")]
    weights = [add(f"primals_{i + 2}", f"primals_{i + 2}", (), WIDTH, WIDTH, op="placeholder") for i in range(layers)]
    gradient = add("tangents_1", "tangents_1", (), BATCH, WIDTH, op="placeholder")
    for i in range(layers):
        product = add(f"mm_{i}", "aten.mm.default", (values[i], weights[i]), BATCH, WIDTH)
        values.append(add(f"sigmoid_{i}", "aten.sigmoid.default", (product,), BATCH, WIDTH))
    gradients = []
    for i in reversed(range(layers)):
        before = add(f"backward_{i}", "aten.sigmoid_backward.default", (gradient, values[i + 1]), BATCH, WIDTH)
        gradients.insert(0, add(f"weight_{i}", "bench.weight_gradient.default", (values[i], before), WIDTH, WIDTH))
        if i > 0:
            gradient = add(f"gradient_{i}", "bench.input_gradient.default", (before, weights[i]), BATCH, WIDTH)
    returned = [{"node": values[-1]}, None] + [{"node": name} for name in gradients]
    nodes.append({"name": "output", "op": "output", "target": "output", "args": [{"tuple": returned}]})
    return {"format": "fx-joint-graph", "version": 1, "name": f"chain of {layers}", "producer": "torch 2.13.0, by hand",
            "num_fwd_outputs": 1, "static_lifetime_inputs": weights, "nodes": nodes}


def partition(tool, graph, limit, *options):
    """The report, and the seconds of a processor; the report is None if the limit is not met."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([tool, "partition", graph, "--peak-bytes", limit, "--json", "-q",
                                    "--memory-of", "operators", "--set", "activation_memory_budget_runtime_estimator=flops", *options], stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        report = json.load(out) if process.returncode == 0 else None
    return report, used.ru_utime + used.ru_stime


def measure(tool, graph, limit, unit, name, *options):
    """Prints a line; returns the errors."""
    report, seconds = partition(tool, graph, limit, *options)
    if report is None:
        return [f"{name} {limit}: no answer"]
    peak = report["memory"]["peak_bytes"]
    cost, bound = report["frontier"]["recompute_cost"], report["frontier"]["bound"]
    shown = f"{peak / unit[1]:.2f} {unit[0]}"
    print(f"{name} {limit}: peak {shown}, recomputes {cost:.6g}, gap {(cost - bound) / max(bound, 1):.2%}, {seconds:.2f} s", flush=True)
    if limit != "least":
        return []
    again, _ = partition(tool, graph, str(peak), *options)
    other = again["frontier"]["recompute_cost"] if again else None
    return [] if other == cost else [f"{name}: the least costs {cost}, and as a limit {other}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--layers", default="64,256")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("limits", nargs="*")
    given = parser.parse_args()
    wrong = []

    def measure_all(graph, limit, unit, name):
        wrong.extend(measure(given.tool, graph, limit, unit, name))
        if given.again:
            wrong.extend(measure(given.tool, graph, limit, unit, f"{name}, again,", "--recompute-again"))

    with tempfile.TemporaryDirectory() as directory:
        for layers in filter(None, given.layers.split(",")):
            graph = pathlib.Path(directory) / "chain.json"
            graph.write_text(json.dumps(chain(int(layers))))
            measure_all(graph, "least", ("activations", ACTIVATION_BYTES), f"chain of {layers}")
    for text in given.limits:
        graph, _, limit = text.rpartition(":")
        measure_all(graph, limit, ("GB", 1e9), pathlib.Path(graph).name)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
