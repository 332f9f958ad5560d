#!/usr/bin/env python3
"""Compares what is kept under each of JAX's policies with what JAX itself keeps.

usage: compare_with_jax.py --tool FXCUT --corpus DIR

DIR holds joint graphs and jax-keeps.json, which says of each what JAX keeps under which policies. A case holds where, in each
dialect of offloading if it offloads,
  - each value that crosses to the backward is one that JAX keeps, each of JAX's counting once, in the same memory (host or
    device); a view or a copy of a value, and what computes the same, counts as the value;
  - nothing that the policy permits to save runs in the forward and again in the backward.
JAX may keep more: it keeps a value once for each of its names. Prints a line for each case that does not hold, and the count.
Exit status 0 where all cases hold, 1 where one does not, 2 where there was nothing to compare.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

NAMING = {"xla.name_tensor", "xla.offload_name"}
VIEWS_AND_COPIES = {"aten." + name for name in (
    "_to_copy", "_unsafe_view", "alias", "as_strided", "clone", "detach", "expand", "permute", "reshape", "select",
    "slice", "split", "squeeze", "t", "transpose", "unsqueeze", "view")} | {"operator.getitem", "prims.device_put"}
TO_HOST = {"prims.device_put", "ao.offload", "ao.wait_tensor", "xla.place_to_host"}
DIALECTS = ("aten", "ao", "xla")
DOTS_WITHOUT_BATCH = {"aten.mm", "aten.addmm", "aten.mv", "aten.dot"}
DOTS = DOTS_WITHOUT_BATCH | {"aten.bmm", "aten.baddbmm", "aten.convolution"}
LISTS = ("names", "save", "offload")


def packet(node):
    return node["target"].rpartition(".")[0] if node["target"].count(".") > 1 else node["target"]


def policy_file(case):
    """A case's policy as --policy takes it."""
    policy = {"jax": case["policy"], **{key: case[key] for key in LISTS if key in case}}
    if "policies" in case:
        policy["policies"] = [policy_file(part) for part in parts_of(case)]
    return policy


def parts_of(case):
    return [{"policy": kind, **({"names": names} if names else {})} for kind, names in case["policies"]]


class Joint:
    """A joint graph as values: every node stands for what computes its value, the first of those that compute the same."""

    def __init__(self, document):
        self.nodes = {node["name"]: node for node in document["nodes"]}
        self.num_forward_outputs = document["num_fwd_outputs"]
        self.value_of, self.names_of = {}, {}
        self.first_equal = {}  # by name of a node: the first that computes the same from the same
        seen = {}
        for name, node in self.nodes.items():
            self.first_equal[name] = self.value_of[name] = name
            if node["op"] != "call_function":
                continue
            first = self.first_equal[name] = self.value_of[name] = seen.setdefault(self.computation(node), name)
            if packet(node) in NAMING | VIEWS_AND_COPIES:
                self.value_of[name] = self.value_of[node["args"][0]["node"]]
            if packet(node) in NAMING:
                self.names_of.setdefault(self.value_of[first], set()).add(node["args"][1])
        inputs = [name for name, node in self.nodes.items() if node["op"] == "placeholder"]
        self.primals = [name for name in inputs if not name.startswith("tangents")]

    def computation(self, node):
        def resolved(argument):
            if isinstance(argument, list):
                return [resolved(item) for item in argument]
            if isinstance(argument, dict):
                return {k: self.first_equal[v] if k == "node" else resolved(v) for k, v in argument.items()}
            return argument
        return json.dumps([node["target"], resolved(node["args"]), resolved(node.get("kwargs"))], sort_keys=True)

    def numel(self, value):
        return math.prod(self.nodes[value]["val"].get("shape", []))  # a tuple has none


def permitted(case, joint, value):
    """Where JAX's policy lets a value live: "device", "host" or nowhere (None)."""
    kind, names = packet(joint.nodes[value]), joint.names_of.get(value, set())
    lists = {key: set(case.get(key, [])) for key in LISTS}
    if case["policy"] == "save_from_both_policies":
        return next((place for part in parts_of(case) if (place := permitted(part, joint, value))), None)
    if case["policy"] == "save_and_offload_only_these_names" and names & lists["offload"]:
        return "host"
    if case["policy"] == "offload_dot_with_no_batch_dims":
        return "host" if kind in DOTS_WITHOUT_BATCH else None
    may_be_saved = {
        "everything_saveable": True,
        "nothing_saveable": False,
        "dots_saveable": kind in DOTS,
        "checkpoint_dots": kind in DOTS,
        "dots_with_no_batch_dims_saveable": kind in DOTS_WITHOUT_BATCH,
        "save_only_these_names": bool(names & lists["names"]),
        "save_any_names_but_these": bool(names - lists["names"]),
        "save_anything_except_these_names": not names & lists["names"],
        "save_and_offload_only_these_names": bool(names & lists["save"]),
    }[case["policy"]]
    return "device" if may_be_saved else None


def kept_values(joint, forward):
    """What crosses to the backward: the value, how much of it, and whether on the host, in whatever dialect."""
    nodes = {node["name"]: node for node in forward["nodes"]}
    (returned,) = forward["nodes"][-1]["args"]
    for leaf in returned["tuple"][joint.num_forward_outputs:]:
        node = nodes[leaf["node"]]
        on_host = False
        while node["name"] not in joint.nodes and packet(node) in TO_HOST:
            node, on_host = nodes[node["args"][0]["node"]], True
        yield joint.value_of[node["name"]], joint.numel(node["name"]), on_host


def counts_as(case, joint, arguments, value, numel, on_host, entry):
    if on_host or entry.get("on_host"):
        return on_host and entry.get("on_host", False) and permitted(case, joint, value) == "host" \
            and numel == math.prod(entry["shape"])
    if "argument" in entry:
        return value == joint.primals[arguments.index(entry["argument"])]
    if "named" in entry:
        return entry["named"] in joint.names_of.get(value, set())
    is_product = entry.get("output_of") == "dot_general" and packet(joint.nodes[value]) in DOTS
    return is_product and joint.numel(value) == math.prod(entry["shape"])


def without_counterpart(candidates):
    """The kept values that cannot each have an entry of their own; `candidates` lists the entries that each counts as."""
    taken = {}  # entry -> kept value

    def find_entry(kept, tried):
        for entry in candidates[kept]:
            if entry not in tried:
                tried.add(entry)
                if entry not in taken or find_entry(taken[entry], tried):
                    taken[entry] = kept
                    return True
        return False

    return [kept for kept in range(len(candidates)) if not find_entry(kept, set())]


def computed_again(case, joint, forward, backward):
    def calls(graph):
        return {node["name"] for node in graph["nodes"] if node["op"] == "call_function"}

    names = calls(forward) & calls(backward) & joint.nodes.keys()
    values = sorted(name for name in names if joint.value_of[name] == name)
    return [value for value in values if permitted(case, joint, value)]


def problems_of(case, joint, arguments, forward, backward):
    kept = list(kept_values(joint, forward))
    candidates = [[i for i, entry in enumerate(case["keeps"]) if counts_as(case, joint, arguments, *value, entry)]
                  for value in kept]
    for i in without_counterpart(candidates):
        value, _, on_host = kept[i]
        yield f"keeps {value} on the {'host' if on_host else 'device'}, which JAX does not"
    for value in computed_again(case, joint, forward, backward):
        yield f"computes {value} again, which may be saved"


def compare(tool, graph, joint, arguments, case, dialect):
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        policy, out = directory / "policy.json", directory / "out"
        policy.write_text(json.dumps({"version": 1, "policies": [policy_file(case)]}))
        run = subprocess.run([tool, "partition", graph, "--policy", policy, "--output-dir", out, "--offload-dialect", dialect],
                             capture_output=True, text=True)
        if run.returncode != 0:
            return [f"exit {run.returncode}: {run.stderr.strip()}"]
        forward, backward = (json.loads((out / f"{side}.json").read_text()) for side in ("forward", "backward"))
    return list(problems_of(case, joint, arguments, forward, backward))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--tool", "--corpus"):
        parser.add_argument(option, type=pathlib.Path, required=True)
    options = parser.parse_args()
    compared = failed = 0
    for name, function in json.loads((options.corpus / "jax-keeps.json").read_text())["functions"].items():
        graph = options.corpus / f"{name}.json"
        joint = Joint(json.loads(graph.read_text()))
        entries = [entry for case in function["cases"] for entry in case["keeps"]]
        arguments = list(dict.fromkeys(entry["argument"] for entry in entries if "argument" in entry))
        if len(arguments) != len(joint.primals):
            sys.exit(f"{name}: JAX keeps the arguments {arguments}; which of {joint.primals} they are cannot be told")
        for case in function["cases"]:
            compared += 1
            on_host = any(entry.get("on_host") for entry in case["keeps"])
            problems = [f"{dialect}: {problem}" for dialect in (DIALECTS if on_host else DIALECTS[:1])
                        for problem in compare(options.tool, graph, joint, arguments, case, dialect)]
            failed += bool(problems)
            for problem in problems:
                print(f"{name}, {json.dumps(policy_file(case))}, {problem}")
    print(f"{compared} cases, {compared - failed} hold, {failed} do not")
    sys.exit(2 if compared == 0 else 1 if failed else 0)


if __name__ == "__main__":
    main()
