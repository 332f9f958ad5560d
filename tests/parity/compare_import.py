#!/usr/bin/env python3
"""Compares the partition of imported text with that of the graph itself.

usage: compare_import.py --tool FXCUT --texts DIR --graphs DIR... [-v]

DIR/NAME.txt is what PyTorch prints of the joint graph NAME.json in one of --graphs (by make_import_texts.py). Each text
is imported twice, as it stands and with what options can tell of the graph (static inputs, hints, how many outputs
are the forward's), and partitioned under the default settings: saved values and symbols in order, each cut's value and
the totals have to be those of NAME.json. Where they are not, the text has to lack what the graph has, and the import
has to list that as missing.

Prints how many are the same as they stand, with options, and not, with why. Exit status 0 where nothing differs without
a reason, 1 where something does, 2 where nothing was compared.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

# The members of `meta` that the import may list as missing and PyTorch's default settings heed.
HEEDED = ("has_backward_hook", "should_offload", "saved_tensor_with_no_vc_check", "memory_budget",
          "aot_runtime_epilogue_input_mutation")


def partition(tool, text, release):
    """The comparable part of the report, or the first line of what the tool says on standard error."""
    command = [tool, "partition", "-", "--json", "--set", f"torch_version={release}"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit {done.returncode}"
    report = json.loads(done.stdout)
    names = [[value["name"] for value in report[key]] for key in ("saved_values", "saved_symbols")]
    totals = {key: report["totals"][key] for key in ("saved_bytes", "saved_bytes_not_static", "recomputed_flops")}
    return {"saved": names, "cuts": [cut["value"] for cut in report["cuts"]], "totals": totals}


def imported(tool, path, options):
    """The graph, or what the tool says on standard error."""
    done = subprocess.run([tool, "import", path, *options], capture_output=True, text=True)
    return (done.stdout, None) if done.returncode == 0 else (None, done.stderr.strip())


def sizes_in(value):
    """Every symbolic size in a value's description."""
    if isinstance(value, dict) and "expr" in value:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from sizes_in(item)


def told(graph):
    """As options, what the graph says and its text does not."""
    known = {name: symbol.get("hint") for name, symbol in graph.get("symbols", {}).items()}
    for node in graph["nodes"]:
        for size in sizes_in(node.get("val")):
            if known.get(size["expr"], 0) is None:  # what an unbacked symbol counts stands with the size
                known[size["expr"]] = size.get("hint")
    hints = [f"{name}={hint}" for name, hint in known.items() if hint is not None]
    options = ["--static-inputs", ",".join(graph["static_lifetime_inputs"])]
    options += ["--forward-outputs", str(graph["num_fwd_outputs"])]
    return options + (["--hints", ",".join(hints)] if hints else [])


def reasons(graph, text):
    """What the graph has that its text lacks and the import lists as missing."""
    missing = json.loads(text)["import"]["missing"]
    found = {key for node in graph["nodes"] for key in node.get("meta", {}) if key in HEEDED and key in missing}
    if "ops" in missing and any("schema" in facts or not facts.get("builtin", True) for facts in graph["ops"].values()):
        found.add("ops")
    inputs = [node for node in graph["nodes"] if node["op"] == "placeholder"]
    if "recompute of inputs" in missing and any({"recompute", "ac_graph_id"} & set(n.get("meta", {})) for n in inputs):
        found.add("recompute of inputs")
    return sorted(found)


def compare(tool, path, graph_path):
    """How the two are alike: a word for the table, and more about it."""
    source = graph_path.read_text()
    graph = json.loads(source)
    release = re.search(r"torch (\d+\.\d+)", graph["producer"])[1]
    expected = partition(tool, source, release)
    for word, options in (("same as it stands", []), ("same with options", told(graph))):
        text, trouble = imported(tool, path, options)
        if trouble:
            return "not imported", trouble
        found = partition(tool, text, release)
        if found == expected:
            return word, ""
    why = reasons(graph, text)
    if why:
        return "differs, and the import says why", ", ".join(why)
    return "differs", f"\n  graph  {expected}\n  import {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--texts", metavar="DIR", type=pathlib.Path, required=True)
    parser.add_argument("--graphs", metavar="DIR", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("-v", action="store_true", help="print every graph")
    options = parser.parse_args()
    counts = collections.Counter()
    for path in sorted(options.texts.glob("*.txt")):
        graphs = [directory / f"{path.stem}.json" for directory in options.graphs]
        graph = next((graph for graph in graphs if graph.exists()), None)
        if not graph:
            sys.exit(f"compare_import.py: there is no graph for {path}")
        word, more = compare(options.tool, path, graph)
        counts[word] += 1
        if options.v or not word.startswith("same"):
            print(f"{path.stem}: {word}{': ' if more else ''}{more}")
    print(f"{counts.total()} texts: " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    sys.exit(2 if not counts else 1 if counts["differs"] or counts["not imported"] else 0)


if __name__ == "__main__":
    main()
