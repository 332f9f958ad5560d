#!/usr/bin/env python3
"""The schemas describe real files: every graph of testdata that the program reads, every policy file of it, and all that
the program then writes.

usage: check_schemas.py --tool FXCUT --schemas DIR --testdata DIR

Each graph is partitioned under the first two of its recorded settings, by the default partitioner, by the frontier solver, and
with all that it computes marked for offloading; its trade-off is traced, and some of its nodes are explained, as well. The
graph of testdata/policies is partitioned under each policy in each dialect of offloading. Damaged files show that the schemas can say no. The program itself has to
refuse damaged policies and device profiles, too.
Needs Debian's python3-jsonschema. Exit status 0 where all holds, 1 where it does not.
"""
import argparse
import concurrent.futures
import copy
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

# Larger ones show nothing more, and the validator is slow.
LARGEST_GRAPH_BYTES = 100_000
NO_PARTITION = 4
BAD_INPUT = 3
NO_POLICY = {"version": 1, "policies": []}
SAVE_ALL = {"version": 1, "policies": [{"otherwise": "MUST_SAVE"}]}  # lists of tensors as well
BY_DEFAULT = {"partitioner": "default"}
BY_FRONTIER = {"activation_memory_budget_solver": "frontier", "saved_bytes_limit": "least", "budget_search_parts": 3}
OFFLOADING = {"torch_version": "2.15", "enable_activation_offloading": True, "activation_offload_separate_stream": True,
              "activation_offload_sink_wait": True, "activation_reload_prefetch": True}


def read(path):
    return json.loads(path.read_text())


@functools.cache  # once a process
def load_validators(directory):
    validators = {}
    for name in ("baseline", "batch_manifest", "batch_result", "batch_summary", "check", "config", "device_profile", "diff",
                 "explain", "joint_graph", "memory", "pareto", "pipeline", "policy", "report", "split", "verification"):
        path = (directory / f"{name}.schema.json").resolve()
        schema = read(path)
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver(base_uri=path.as_uri(), referrer=schema)
        validators[name] = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return validators


def run_partition(tool, graph, settings, policy, directory):
    for name, document in (("config.json", settings), ("policy.json", policy)):
        (directory / name).write_text(json.dumps(document))
    return subprocess.run([tool, "partition", graph, "--config", directory / "config.json", "--policy",
                           directory / "policy.json", "--output-dir", directory / "out", "--force"],
                          capture_output=True, text=True)


def partition(tool, graph, settings, directory, policy=NO_POLICY):
    """The written files by name; none where there is no partition."""
    run = run_partition(tool, graph, settings, policy, directory)
    if run.returncode == NO_PARTITION:
        return {}
    if run.returncode != 0:
        sys.exit(f"{graph}: exit {run.returncode}: {run.stderr}")
    return {path.stem: read(path) for path in (directory / "out").iterdir()}


def recorded_graphs(testdata):
    for answers in sorted(testdata.rglob("*.expected.json")):
        graph = answers.with_name(answers.name.replace(".expected.json", ".json"))
        if graph.parent.name != "steps" and graph.stat().st_size <= LARGEST_GRAPH_BYTES:
            yield graph, [dict(case["config"], partitioner=case["partitioner"]) for case in read(answers)["cases"][:2]]


def marked_for_offloading(graph, directory):
    """A copy of the graph's file with should_offload on all that it computes."""
    document = read(graph)
    for node in document["nodes"]:
        if node["op"] == "call_function":
            node.setdefault("meta", {})["should_offload"] = True
    marked = directory / graph.name
    marked.write_text(json.dumps(document))
    return marked


def damaged(document, path, value):
    """A copy with another value at `path`, or, where that is None, without it."""
    copied = copy.deepcopy(document)
    place = copied
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copied


ALL_BANS_ON = {"used_far_apart": True, "long_fusible_chains": True, "materialized_in_backward": True,
               "not_in_allowlist": True, "reduction": True}
# A document of check_refusals (its schema is what its name ends in), a place in it, and what is put there.
DAMAGES = [
    ("config", ["cse"], "yes"),
    ("config", ["recompute_vews"], True),
    ("config", ["activation_memory_budget"], 1.5),
    ("config", ["torch_version"], "2.14"),
    ("config", ["torch_version"], 2.2),
    ("config", ["partitioner"], "mincut"),
    ("config", ["activation_offload_cpu_gpu_bw"], 0),
    ("config", ["naming_operators"], ""),
    ("report", ["totals", "saved_bytes"], None),
    ("report", ["totals", "saved_bytes"], -1),
    ("report", ["memory"], None),
    ("report", ["memory", "peak_bytes"], -1),
    ("report", ["memory", "peak_at", "graph"], "joint"),
    ("report", ["memory", "at_peak", 0, "made_at"], None),
    ("report", ["settings", "cut_side"], None),
    ("report", ["saved_values", 0, "why", "reason"], "binds_symbol"),
    ("report", ["saved_values", 0, "why", "reason"], "taken_by_backward"),
    ("report", ["saved_values", 0, "offloaded"], True),
    ("report", ["saved_values", 0, "dtype"], None),
    ("report", ["saved_values", 0, "size_bytes"], 1),
    ("report", ["recomputed_values", 0, "why", "reason"], "must_save"),
    ("report", ["recomputed_values", 0, "why", "reason"], "not_saved_by_default"),
    ("report", ["torch_version"], "2.14"),
    ("report", ["torch_version_from"], "elsewhere"),
    ("report", ["memory_budget"], 1.5),
    ("budget_report", ["knapsack", "solver"], "simplex"),
    ("budget_report", ["knapsack", "candidates"], -1),
    ("budget_report", ["knapsack", "saved"], None),
    ("report", ["frontier"], {}),
    ("report", ["offload_refusals"], None),
    ("report", ["offload_refusals"], [{"name": "mm", "why": {"reason": "view"}}]),
    ("report", ["decided_by"], "default"),
    ("default_report", ["decided_by"], "min_cut"),
    ("default_report", ["memory_budget"], 0),
    ("default_report", ["saved_values", 0, "why", "reason"], "cheapest_cut"),
    ("default_report", ["saved_values", 0, "why", "cost"], 1),
    ("default_report", ["recomputed_values", 0, "why", "reason"], "cheaper_to_recompute"),
    ("default_report", ["cuts"], [{"value": 1, "vertices": 2, "edges": 1, "bans": ALL_BANS_ON}]),
    ("frontier_report", ["frontier", "bound"], None),
    ("frontier_report", ["frontier", "proven"], 1),
    ("frontier_report", ["frontier", "gap"], -1),
    ("frontier_report", ["saved_values", 0, "why", "reason"], "frontiers"),
    ("offload_report", ["saved_values", 1, "offloaded"], None),
    ("offload_report", ["saved_values", 1, "offloaded"], False),
    ("offload_report", ["saved_values", 1, "host_name"], None),
    ("offload_report", ["offload_refusals", 0, "why", "reason"], "none"),
    ("offload_report", ["offload_refusals", 0, "why", "cost"], 1),
    ("offload_report", ["settings", "enable_activation_offloading"], False),
    ("offload_report", ["saved_values", 1, "why", "reason"], "policy"),
    ("policy_report", ["names"], None),
    ("policy_report", ["warnings"], [1]),
    ("policy_report", ["names", 0, "decision"], "kept"),
    ("policy_report", ["names", 0, "decision"], "recomputed"),
    ("policy_report", ["names", 0, "saved_as"], None),
    ("policy_report", ["names", 0, "bytes"], None),
    ("policy_report", ["saved_values", 2, "why", "policy"], None),
    ("policy_report", ["saved_values", 2, "why", "policy", "says"], "SAVE"),
    ("policy_report", ["saved_values", 2, "why", "policy", "overrode"], None),
    ("policy_report", ["saved_values", 4, "why", "reason"], "cheapest_cut"),
    ("policy_report", ["settings", "offload_dialect"], "torch"),
    ("policy_report", ["settings", "naming_operators"], None),
    ("policy", ["version"], 2),
    ("policy", ["policies"], None),
    ("policy", ["policies", 0], "must_save_all"),
    ("policy", ["policies", 0, "nmae"], "base"),
    ("policy", ["policies", 0, "name"], 1),
    ("policy", ["policies", 0, "builtin"], "must_save_all"),
    ("policy", ["policies", 0], {"name": "says nothing"}),
    ("policy", ["policies", 0], {"builtin": "save_all"}),
    ("policy", ["policies", 0], {"builtin": "must_save_all", "otherwise": False}),
    ("policy", ["policies", 0, "otherwise"], "SAVE"),
    ("policy", ["policies", 0, "otherwise"], 0),
    ("policy", ["policies", 0, "rules", 0, "match"], None),
    ("policy", ["policies", 0, "rules", 0, "policy"], None),
    ("policy", ["policies", 0, "rules", 0, "policy"], "must_save"),
    ("policy", ["policies", 0, "rules", 0, "match", "names"], "q"),
    ("policy", ["policies", 0, "rules", 0, "match", "name"], ["q"]),
    ("policy", ["policies", 0, "rules", 0, "match", "name"], {}),
    ("policy", ["policies", 0, "rules", 0, "match", "name"], {"glob": "q"}),
    ("policy", ["policies", 0, "rules", 0, "match", "every"], 0),
    ("policy", ["policies", 0, "rules", 0, "match", "every"], "2"),
    ("policy", ["policies", 0, "rules", 0, "match", "ac_graph_id"], 1.5),
    ("policy", ["policies", 0, "rules", 2, "match", "dtype"], "torch.float32"),
    ("policy", ["policies", 0, "rules", 2, "match", "min_bytes"], -1),
    ("policy", ["policies", 0], {"jax": "dots_savable"}),
    ("policy", ["policies", 0], {"jax": "dots_saveable", "names": ["q"]}),
    ("policy", ["policies", 0], {"jax": "dots_saveable", "rules": []}),
    ("policy", ["policies", 0], {"jax": "save_only_these_names", "names": "q"}),
    ("policy", ["policies", 0], {"jax": "save_only_these_names", "save": ["q"]}),
    ("policy", ["policies", 0], {"jax": "save_and_offload_only_these_names", "names": ["q"]}),
    ("policy", ["policies", 0], {"jax": "save_from_both_policies"}),
    ("policy", ["policies", 0], {"jax": "save_from_both_policies", "policies": [{"jax": "dots_saveable"}]}),
    ("policy", ["policies", 0], {"jax": "save_from_both_policies", "policies": ["dots_saveable", "nothing_saveable"]}),
    ("policy", ["policies", 0], {"jax": "dots_saveable", "policies": [{"jax": "nothing_saveable"}] * 2}),
    ("joint_graph", ["format"], "fx-graf"),
    ("joint_graph", ["version"], 2),
    ("joint_graph", ["num_fwd_outputs"], None),
    ("joint_graph", ["nodes", 0, "op"], "call_method"),
    ("joint_graph", ["nodes", 3, "target"], None),
    ("joint_graph", ["nodes", 3, "args", 0], {"nod": "primals_1"}),
    ("joint_graph", ["nodes", 3, "meta", "should_offload"], "yes"),
    ("joint_graph", ["nodes", 3, "meta", "aot_runtime_epilogue_input_mutation"], 1),
    ("joint_graph", ["nodes", 3, "meta", "runtime_ms"], -1),
    ("joint_graph", ["nodes", 3, "val", "shape", 0], -1),
    ("joint_graph", ["nodes", 3, "val", "kind"], "tensr"),
    ("joint_graph", ["nodes", 3, "val", "dtype"], None),
]
# The same for a device profile.
DEVICE_DAMAGES = [
    (["version"], 2),
    (["peak_tflops"], None),
    (["peak_tflops", "float16"], None),
    (["peak_tflops", "bfloat16"], 20),
    (["peak_tflops", "float32"], 0),
    (["peak_tflops", "float32"], "10"),
    (["memory_gb_per_second"], None),
    (["memory_gb_per_second"], -1),
    (["name"], 1),
    (["bandwidth"], 500),
]
# The same for what pareto prints.
PARETO_DAMAGES = [
    (["version"], 2),
    (["estimator"], "guess"),
    (["cost_unit"], "s"),
    (["points", 0, "saved_bytes"], -1),
    (["points", 0, "recompute_flops"], None),
    (["points", 0, "corner"], False),
    (["points", 0, "price"], 1),
    (["pytorch", 0, "settings"], {"activation_memory_budget": 2}),
    (["pytorch", 0, "recompute_cost"], "4"),
]
# The same for what pipeline prints.
PIPELINE_DAMAGES = [
    (["version"], 2),
    (["memory_limit"], "80GiB"),
    (["stages", 0, "bytes", "held"], -1),
    (["stages", 0, "times", "input_backward_ms"], None),
    (["ranks", 0, "actions", 0, "action"], "F0"),
    (["ranks", 0, "bubble"], 2),
    (["ranks", 0, "buffer_bytes_at_peak"], None),
    (["links", 0, "to"], -1),
]
# The same for what verify prints.
VERIFICATION_DAMAGES = [
    (["version"], 2),
    (["holds"], False),
    (["figures"], -1),
    (["mismatches"], [{"where": "forward: sin", "expected": "sin", "found": "cos"}]),
    (["nodes"], 4),
]


# The same for what explain prints: of a saved value, under a memory budget, by the frontier solver, and of --top.
EXPLAIN_DAMAGES = [
    ("node", ["version"], 2),
    ("node", ["decided_by"], "greedy"),
    ("node", ["top"], []),
    ("node", ["nodes"], None),
    ("node", ["nodes", 0, "fate"], "kept"),
    ("node", ["nodes", 0, "fate"], "merged"),
    ("node", ["nodes", 0, "fate"], "dead"),
    ("node", ["nodes", 0, "same_as"], "mm"),
    ("node", ["nodes", 0, "size"], 1),
    ("node", ["nodes", 0, "shape"], None),
    ("node", ["nodes", 0, "why", "reason"], ""),
    ("node", ["nodes", 0, "way", "nodes"], []),
    ("node", ["nodes", 0, "way", "nodes", 0, "operator"], None),
    ("node", ["nodes", 0, "limit"], None),
    ("node", ["nodes", 0, "limit", "saved"], "always"),
    ("node", ["nodes", 0, "limit", "weight"], None),
    ("node", ["nodes", 0, "weight", "distance"], 101),
    ("node", ["nodes", 0, "other_cut", "saves"], None),
    ("node", ["nodes", 0, "forced", 0, "tag"], "SAVE"),
    ("node", ["nodes", 0, "forced", 0, "saves"], None),
    ("node", ["nodes", 0, "forced", 0, "refused"], "why"),
    ("budget", ["nodes", 0, "knapsack", "memory_share"], -1),
    ("budget", ["nodes", 0, "knapsack", "runtime"], None),
    ("frontier", ["nodes", 0, "trade", "bytes_change"], None),
    ("frontier", ["nodes", 0, "trade", "price_per_byte"], -1),
    ("top", ["tried"], None),
    ("top", ["top", 0, "freed_bytes"], 0),
    ("top", ["top", 0, "fate"], "dead"),
    ("top", ["top", 0, "forced", "tag"], "MUST_SAVE"),
    ("top", ["top", 0, "alike"], [1]),
]


# The same for what diff and check print.
DIFF_DAMAGES = [
    (["version"], 2),
    (["what"], "graph"),
    (["same"], None),
    (["figures", 0, "unit"], "kB"),
    (["figures", 0, "before"], -1),
    (["settings", 0, "after"], 0),
    (["saved", 0, "change"], "gone"),
    (["saved", 1, "before"], None),
    (["saved", 0, "after", "decision"], "kept"),
    (["nodes"], None),
]
CHECK_DAMAGES = [
    (["version"], 2),
    (["holds"], "no"),
    (["demands"], []),
    (["demands", 0, "text"], None),
    (["demands", 0, "limit"], None),
    (["demands", 0, "figure"], "saved_bytes"),
    (["demands", 0, "responsible"], None),
    (["demands", 0, "holds"], True),
    (["demands", 0, "responsible", 0, "bytes"], "many"),
    (["demands", 1, "holds"], False),
]


class Check:
    def __init__(self, validators):
        self.validators = validators
        self.validated = 0
        self.failures = []

    def holds(self, schema, document, what):
        self.validated += 1
        error = jsonschema.exceptions.best_match(self.validators[schema].iter_errors(document))
        if error:
            place = "/".join(map(str, error.absolute_path))
            self.failures.append(f"{what}: {schema}.schema.json does not hold at /{place}: {error.message[:300]}")

    def refuses(self, schema, document, what):
        self.validated += 1
        if self.validators[schema].is_valid(document):
            self.failures.append(f"{schema}.schema.json takes {what}")

    def that(self, holds, otherwise):
        if not holds:
            self.failures.append(otherwise)


def pareto(tool, graph, estimator):
    """What pareto prints; None where the graph is refused, as by PyTorch."""
    command = [tool, "pareto", graph, "--json", "--pytorch", "--estimator", estimator]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, NO_PARTITION):
        sys.exit(f"{command}: {run.stderr}")
    return json.loads(run.stdout) if run.returncode == 0 else None


def explain(tool, graph, settings, directory, *asked):
    """What explain prints; None where the graph is refused."""
    (directory / "config.json").write_text(json.dumps(settings))
    command = [tool, "explain", graph, "--json", "--config", directory / "config.json", *asked]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, NO_PARTITION):
        sys.exit(f"{command}: {run.stderr}")
    return json.loads(run.stdout) if run.returncode == 0 else None


def some_nodes(graph):
    """The names of every seventh node."""
    return [node["name"] for node in read(graph)["nodes"]][::7]


def check_explanations(check, tool, graph, all_settings, directory):
    for settings in (*all_settings, BY_DEFAULT, BY_FRONTIER):
        explained = explain(tool, graph, settings, directory, *some_nodes(graph))
        if explained:
            check.holds("explain", explained, f"explanations of {graph.name} under {settings}")
    ranked = explain(tool, graph, {}, directory, "--top", "2")
    if ranked:
        check.holds("explain", ranked, f"the top of {graph.name}")


def check_graph(check, tool, graph, all_settings, directory):
    check.holds("joint_graph", read(graph), graph.name)
    marked = marked_for_offloading(graph, directory)
    for given, settings in [(graph, s) for s in all_settings] + [(graph, BY_DEFAULT), (graph, BY_FRONTIER), (marked, OFFLOADING)]:
        check.holds("config", settings, f"settings of {graph.name}")
        for name, document in partition(tool, given, settings, directory).items():
            schema = "report" if name == "report" else "joint_graph"
            check.holds(schema, document, f"{name} of {graph.name} under {settings}")
    saving_all = partition(tool, graph, {"activation_memory_budget": 0.5}, directory, SAVE_ALL)
    if saving_all:
        check.holds("report", saving_all["report"], f"report of {graph.name} that saves all")
    check_explanations(check, tool, graph, all_settings, directory)
    for estimator in ("flops", "roofline", "testing"):
        trade_off = pareto(tool, graph, estimator)
        if trade_off:
            check.holds("pareto", trade_off, f"the trade-off of {graph.name} by {estimator}")


def jax_policies(schema):
    """One file for each of JAX's policies, with the lists that it takes."""
    two = [{"jax": "dots_saveable"}, {"jax": "save_only_these_names", "names": ["q"]}]
    lists = {"save_and_offload_only_these_names": {"save": ["k"], "offload": ["q"]}, "save_from_both_policies": {"policies": two}}
    for kind in schema["$defs"]["jax_policy"]["properties"]["jax"]["enum"]:
        names = {"names": ["q"]} if kind.endswith("these_names") or kind.endswith("but_these") else {}
        yield kind, {"version": 1, "policies": [{"jax": kind, **lists.get(kind, names)}]}


def check_policies(check, tool, testdata, directory):
    schema = check.validators["policy"].schema
    graph = testdata / "named_block.json"
    policies = [(path.name, read(path)) for path in sorted(testdata.glob("*.policy.json"))] + list(jax_policies(schema))
    for what, policy in policies:
        check.holds("policy", policy, what)
        for settings in [{"offload_dialect": dialect} for dialect in ("aten", "ao", "xla")] + [BY_DEFAULT]:
            settings = dict(settings, recompute_barrier=True)
            written = partition(tool, graph, settings, directory, policy)
            # The default partitioner has nothing to offload in a graph that does not say which of its nodes are the forward's.
            refused = settings.get("partitioner") == "default" and "offload" in json.dumps(policy).lower()
            check.that(bool(written) != refused, f"{graph.name}: {bool(written)} under {what} and {settings}")
            for name, document in written.items():
                schema = "report" if name == "report" else "joint_graph"
                check.holds(schema, document, f"{name} under {what} and {settings}")


def check_refusals(check, tool, testdata, directory):
    graph, settings = testdata / "mlp.json", {"activation_memory_budget": 0}
    small = partition(tool, graph, settings, directory)
    offloaded = partition(tool, marked_for_offloading(graph, directory), OFFLOADING, directory)
    by_default = partition(tool, testdata / "models" / "sac_must_recompute_pointwise.json", BY_DEFAULT, directory)
    products = testdata / "oracle" / "budget_of_products.json"
    by_budget = partition(tool, products, {"activation_memory_budget": 0.5}, directory)
    named_block, policy = testdata / "policies" / "named_block.json", read(testdata / "policies" / "rules.policy.json")
    by_policy = partition(tool, named_block, {}, directory, policy)
    sound = {"joint_graph": read(graph), "config": settings, "report": small["report"], "policy": policy,
             "policy_report": by_policy["report"], "budget_report": by_budget["report"],
             "default_report": by_default["report"], "offload_report": offloaded["report"],
             "frontier_report": partition(tool, graph, BY_FRONTIER, directory)["report"]}
    schemas = {name: next(schema for schema in check.validators if name.endswith(schema)) for name in sound}
    for name, document in sound.items():
        check.holds(schemas[name], document, name)
    for name, path, value in DAMAGES:
        document, what = damaged(sound[name], path, value), f"{name}: {value!r} at {path}"
        check.refuses(schemas[name], document, what)
        if name == "policy":
            status = run_partition(tool, named_block, {}, document, directory).returncode
            check.that(status == BAD_INPUT, f"the program ends with {status} on {what}")
    check.refuses("joint_graph", dict(small["forward"], side="backward"), "a backward with num_fwd_outputs")


def partition_on(tool, graph, device, directory):
    path = directory / "device.json"
    path.write_text(json.dumps(device))
    return subprocess.run([tool, "partition", graph, "--device-profile", path, "--json"], capture_output=True, text=True)


def check_device_profiles(check, tool, testdata, directory):
    device = read(testdata / "devices" / "small_gpu.json")
    check.holds("device_profile", device, "a device profile")
    check.holds("report", json.loads(partition_on(tool, testdata / "mlp.json", device, directory).stdout), "report on a device")
    for path, value in DEVICE_DAMAGES:
        document, what = damaged(device, path, value), f"a device profile: {value!r} at {path}"
        check.refuses("device_profile", document, what)
        status = partition_on(tool, testdata / "mlp.json", document, directory).returncode
        check.that(status == BAD_INPUT, f"the program ends with {status} on {what}")


def check_pareto(check, tool, testdata):
    real = pareto(tool, testdata / "mlp.json", "flops")
    for path, value in PARETO_DAMAGES:
        check.refuses("pareto", damaged(real, path, value), f"a trade-off: {value!r} at {path}")


def check_pipeline(check, tool, testdata):
    graph = testdata / "mlp.json"
    for options in (["--schedule", "1F1B"], ["--schedule", "GPipe", "--memory", "1MB"],
                    ["--schedule", "1F1B", "--link-bandwidth", "50", "--optimizer", "adamw"], ["--schedule", "ZBVZeroBubble"]):
        command = [tool, "pipeline", graph, "--split-at", "layers.1", "--microbatches", "4", "--json", *options]
        real = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        check.holds("pipeline", real, f"a pipeline with {options}")
    for path, value in PIPELINE_DAMAGES:
        check.refuses("pipeline", damaged(real, path, value), f"a pipeline: {value!r} at {path}")


def check_explained(check, tool, testdata, directory):
    products, far_apart = testdata / "oracle" / "budget_of_products.json", testdata / "models" / "used_far_apart.json"
    real = {"node": explain(tool, products, {}, directory, "act_3"),
            "budget": explain(tool, products, {"activation_memory_budget": 0.5}, directory, "mm_0"),
            "frontier": explain(tool, testdata / "mlp.json", BY_FRONTIER, directory, "mm"),
            "top": explain(tool, far_apart, {}, directory, "--top", "1")}
    for name, document in real.items():
        check.holds("explain", document, f"the explanation '{name}'")
    for name, path, value in EXPLAIN_DAMAGES:
        check.refuses("explain", damaged(real[name], path, value), f"an explanation: {value!r} at {path} of {name}")


def check_verification(check, tool, testdata, directory):
    """What verify prints of a sound partition, and of one whose backward is another's."""
    def verify(backward):
        run = subprocess.run([tool, "verify", testdata / "mlp.json", directory / "out" / "forward.json", backward, "--json"],
                             capture_output=True, text=True)
        return json.loads(run.stdout)

    files = partition(tool, testdata / "mlp.json", {}, directory)
    real = verify(directory / "out" / "backward.json")
    check.holds("verification", real, "a partition that verifies")
    for path, value in VERIFICATION_DAMAGES:
        check.refuses("verification", damaged(real, path, value), f"a verification: {value!r} at {path}")
    other = directory / "other.json"
    other.write_text(json.dumps(files["backward"]).replace("aten.sigmoid_backward.default", "aten.tanh_backward.default"))
    check.holds("verification", verify(other), "a partition that does not verify")


def check_split(check, tool, testdata, directory):
    graph, backward = (testdata / "split_backward" / name for name in ("mlp.json", "mlp.backward.json"))
    split = subprocess.run([tool, "split-backward", graph, backward, "--output-dir", directory / "parts", "--json"],
                           capture_output=True, text=True, check=True)
    real = json.loads(split.stdout)
    check.holds("split", real, "a backward in two parts")
    for path, value in ((("version",), 2), (("held",), None), (("held", 0, "bytes"), -1), (("input", "gradients"), "1")):
        check.refuses("split", damaged(real, path, value), f"a backward in two parts: {value!r} at {path}")
    for part in (directory / "parts").iterdir():
        check.holds("joint_graph", read(part), part.name)
        check.refuses("joint_graph", damaged(read(part), ("side",), "backward_inputs"), f"{part.name}: another side")


def check_memory(check, tool, testdata):
    """What memory prints of the logs of testdata, which have each side, sizes by assertion and by the graph."""
    for log in sorted((testdata / "compiled").glob("*.log")):
        real = printed(tool, "memory", log)
        check.holds("memory", real, f"the memory of {log.name}")
        block = next(i for i, b in enumerate(real["steps"][0]["blocks"]) if b["kind"] == "result")
        for path, value in ((("version",), 2), (("steps", 0, "peak_bytes"), -1), (("steps", 0, "blocks", block, "kind"), "tensor"),
                            (("steps", 0, "blocks", block, "bytes"), None), (("steps", 0, "blocks", block, "size_from"), "guess"),
                            (("steps", 0, "curve", 0, "side"), "sideways")):
            check.refuses("memory", damaged(real, path, value), f"the memory of a step: {value!r} at {path}")


def printed(tool, *arguments):
    return json.loads(subprocess.run([tool, *arguments, "--format", "json"], capture_output=True, text=True).stdout)


def check_comparisons(check, tool, reports, directory):
    """What diff and check print of the reports of testdata, of one with a grown value, and of two graphs."""
    saved, inputs_only = reports / "mlp.report.json", reports / "mlp_inputs_only.report.json"
    for report in (saved, inputs_only):
        check.holds("report", read(report), report.name)
    difference = printed(tool, "diff", saved, inputs_only)
    check.holds("diff", difference, "diff of two reports")
    for path, value in DIFF_DAMAGES:
        check.refuses("diff", damaged(difference, path, value), f"a difference: {value!r} at {path}")
    graph = read(reports.parent / "mlp.json")
    graph["nodes"][-2]["target"] = "aten.neg.default"
    (directory / "other.json").write_text(json.dumps(graph))
    check.holds("diff", printed(tool, "diff", reports.parent / "mlp.json", directory / "other.json"), "diff of two graphs")
    gate = printed(tool, "check", saved, "--baseline", inputs_only, "--max-saved-bytes", "2%", "--forbid-save", "aten.bmm*")
    check.holds("check", gate, "a check")
    for path, value in CHECK_DAMAGES:
        check.refuses("check", damaged(gate, path, value), f"a check: {value!r} at {path}")


BATCH_DAMAGES = [
    ("batch_result", "done", ["name"], ""),
    ("batch_result", "done", ["status"], "running"),
    ("batch_result", "done", ["status"], "failed"),
    ("batch_result", "done", ["key"], "0"),
    ("batch_result", "done", ["totals", "peak_bytes"], None),
    ("batch_result", "done", ["totals", "saved_bytes"], -1),
    ("batch_result", "done", ["exit_status"], 3),
    ("batch_result", "failed", ["errors"], []),
    ("batch_result", "failed", ["errors", 0, "message"], None),
    ("batch_result", "failed", ["exit_status"], 0),
    ("batch_result", "failed", ["key"], "0"),
    ("batch_summary", "summary", ["version"], 2),
    ("batch_summary", "summary", ["failures", 0, "exit_status"], 0),
    ("batch_summary", "summary", ["totals", "saved_bytes"], "many"),
    ("batch_summary", "summary", ["highest_peak", "name"], None),
    ("batch_manifest", "manifest", ["graph"], None),
    ("batch_manifest", "manifest", ["graph"], ""),
    ("batch_manifest", "manifest", ["nam"], "a"),
    ("batch_manifest", "manifest", ["settings", "cse"], "yes"),
    ("batch_manifest", "manifest", ["settings"], []),
    ("batch_manifest", "manifest", ["policy"], 7),
    ("batch_manifest", "manifest", ["policy"], {"version": 2}),
]


def check_batch(check, tool, testdata, directory):
    """What a batch of all small graphs of testdata says of each, and of them all; and manifests, which the program
    refuses where the schema does."""
    def batch(*inputs):
        return subprocess.run([tool, "batch", *inputs, "--output-dir", directory / "batch", "--force", "--quiet"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    (directory / "bad.json").write_text("{")
    results = [json.loads(line) for line in batch(testdata / "oracle", directory / "bad.json").stdout.splitlines()]
    for result in results:
        check.holds("batch_result", result, f"the result of {result['name']}")
    summary = read(directory / "batch" / "summary.json")
    check.holds("batch_summary", summary, "the summary of a batch")
    sound = {status: next(result for result in results if result["status"] == status) for status in ("done", "failed")}
    manifest = {"graph": str(testdata / "mlp.json"), "name": "mlp", "settings": {"cse": False}, "policy": NO_POLICY}
    check.holds("batch_manifest", manifest, "a line of a manifest")
    sound.update(summary=summary, manifest=manifest)
    for schema, name, path, value in BATCH_DAMAGES:
        document, what = damaged(sound[name], path, value), f"{name} of a batch: {value!r} at {path}"
        check.refuses(schema, document, what)
        if name == "manifest":
            (directory / "batch.jsonl").write_text(json.dumps(document))
            status = batch(directory / "batch.jsonl").returncode
            check.that(status == BAD_INPUT, f"the program ends with {status} on {what}")


BATCH_DIFF_DAMAGES = [
    (["before"], {"file": "out", "graph": "g"}),
    (["came"], None),
    (["went", 0], 7),
    (["graphs"], None),
    (["what"], "report"),
    (["graphs", 0, "name"], None),
    (["graphs", 0, "nodes"], None),
    (["graphs", 0, "figures", 0, "unit"], "kB"),
    (["graphs", 0, "saved", 0, "change"], "gone"),
]
BATCH_CHECK_DAMAGES = [
    (["graphs"], []),
    (["gone"], None),
    (["demands"], []),
    (["totals", 0, "over_graphs"], "mean"),
    (["totals", 0, "value"], -1),
    (["graphs", 0, "new"], None),
    (["graphs", 0, "demands"], []),
    (["graphs", 0, "graph"], None),
]
BASELINE_DAMAGES = [
    (["format"], "fxcut-report"),
    (["version"], 2),
    (["graphs"], {}),
    (["graphs", 0, "name"], None),
    (["graphs", 0, "totals", "peak_bytes"], None),
    (["graphs", 0, "totals", "peak_bytes"], -1),
    (["graphs", 0, "fingerprint", "calls"], None),
    (["graphs", 0, "sources", 0, 1], None),
    (["graphs", 0, "saved"], None),
    (["graphs", 0, "saved", 0], []),
    (["graphs", 0, "saved", 0, 0], 7),
    (["graphs", 0, "saved", 0, 1], None),
    (["graphs", 0, "saved", 0, 3], "model.py"),
    (["graphs", 0, "saved", 0, 5], -1),
    (["graphs", 0, "saved", 1, 9], "here"),
    (["graphs", 0, "saved", 2, "times"], 0),
    (["graphs", 0, "saved", 2, "rows", 0, -1], ["7"]),
    (["graphs", 0, "saved", 2, "rows"], None),
]


def check_baselines(check, tool, testdata, directory):
    """What diff and check print of two batches, and what check writes as a baseline; what the schema refuses of it the
    program refuses, too."""
    def batch(name, *graphs, settings=()):
        subprocess.run([tool, "batch", *graphs, "--output-dir", directory / name, "--force", "--quiet", *settings],
                       check=True, stdout=subprocess.DEVNULL)
        return directory / name

    mlp, other = testdata / "mlp.json", testdata / "models" / "dynamic_mlp.json"
    before = batch("before", mlp, other, settings=("--set", "activation_memory_budget=0"))
    after = batch("after", mlp, testdata / "models" / "used_far_apart.json")
    difference = printed(tool, "diff", before, after)
    check.holds("diff", difference, "diff of two batches")
    for path, value in BATCH_DIFF_DAMAGES:
        check.refuses("diff", damaged(difference, path, value), f"a difference of batches: {value!r} at {path}")
    gate = printed(tool, "check", after, "--baseline", before, "--max-saved-bytes", "2%", "--forbid-save", "aten.bmm*")
    check.holds("check", gate, "a check of a batch")
    for path, value in BATCH_CHECK_DAMAGES:
        check.refuses("check", damaged(gate, path, value), f"a check of a batch: {value!r} at {path}")
    baseline = directory / "baseline.json"
    for graphs in (before, after):
        subprocess.run([tool, "check", graphs, "--write-baseline", baseline, "--force"], check=True)
        check.holds("baseline", read(baseline), f"the baseline of {graphs.name}")
    llama = partition(tool, testdata / "llama3_8b.json", {}, directory)
    report = directory / "out" / "report.json"
    subprocess.run([tool, "check", report, "--write-baseline", baseline, "--force"], check=True)
    sound = read(baseline)
    check.holds("baseline", sound, f"the baseline of {llama['report']['graph']}")
    for path, value in BASELINE_DAMAGES:
        document, what = damaged(sound, path, value), f"a baseline: {value!r} at {path}"
        check.refuses("baseline", document, what)
        baseline.write_text(json.dumps(document))
        status = subprocess.run([tool, "check", report, "--baseline", baseline, "--max-saved-bytes", "2%"],
                                capture_output=True).returncode
        check.that(status == BAD_INPUT, f"the program ends with {status} on {what}")


# What is checked besides each graph: functions of a check, the program, testdata and a directory to write to.
BESIDES = [
    lambda check, tool, testdata, directory: check_policies(check, tool, testdata / "policies", directory),
    check_refusals,
    check_device_profiles,
    lambda check, tool, testdata, directory: check_pareto(check, tool, testdata),
    lambda check, tool, testdata, directory: check_pipeline(check, tool, testdata),
    check_explained,
    check_verification,
    check_split,
    lambda check, tool, testdata, directory: check_memory(check, tool, testdata),
    check_batch,
    lambda check, tool, testdata, directory: check_comparisons(check, tool, testdata / "reports", directory),
    check_baselines,
]


def check_part(arguments, part):
    """part: a position in BESIDES, or a graph and its settings. Returns how many documents were looked at, and what is wrong."""
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
