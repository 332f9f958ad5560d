"""What users write: settings, policies, device profiles. What a schema refuses of these the program refuses, too."""
import json
import subprocess

from documents import damaged, read
from program import BAD_INPUT, BY_DEFAULT, BY_FRONTIER, OFFLOADING, marked_for_offloading, partition, printed, run_partition


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
        (directory / "asked.policy.json").write_text(json.dumps(policy))
        check.holds("policy_matches", printed(tool, "policy", directory / "asked.policy.json", graph), f"matches of {what}")
        for settings in [{"offload_dialect": dialect} for dialect in ("aten", "ao", "xla")] + [BY_DEFAULT]:
            settings = dict(settings, recompute_barrier=True)
            written = partition(tool, graph, settings, directory, policy)
            # The default partitioner has nothing to offload in a graph that does not say which of its nodes are the forward's.
            refused = settings.get("partitioner") == "default" and "offload" in json.dumps(policy).lower()
            check.that(bool(written) != refused, f"{graph.name}: {bool(written)} under {what} and {settings}")
            for name, document in written.items():
                schema = "report" if name == "report" else "joint_graph"
                check.holds(schema, document, f"{name} under {what} and {settings}")


ALL_BANS_ON = {"used_far_apart": True, "long_fusible_chains": True, "materialized_in_backward": True,
               "not_in_allowlist": True, "reduction": True}
# A document of check_refusals (its schema is what its name ends in), a place in it, and what is put there.
DAMAGES = [
    ("config", ["cse"], "yes"),
    ("config", ["recompute_vews"], True),
    ("config", ["activation_memory_budget"], 1.5),
    ("config", ["torch_version"], "3.9"),
    ("config", ["torch_version"], 2.1),
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
    ("report", ["torch_version"], "3.9"),
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


# Damages of a device profile.
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
