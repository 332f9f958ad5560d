"""What the commands that ask print: pareto, pipeline, explain, verify, split-backward, memory; diff and check of reports."""
import json
import subprocess

from documents import damaged, read
from program import BY_FRONTIER, explain, pareto, partition, printed


# Damages of what pareto prints.
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


def check_pareto(check, tool, testdata):
    real = pareto(tool, testdata / "mlp.json", "flops")
    for path, value in PARETO_DAMAGES:
        check.refuses("pareto", damaged(real, path, value), f"a trade-off: {value!r} at {path}")


# Damages of a report on several sizes.
SIZES_DAMAGES = [
    (["hints"], {}),
    (["hints", "s77"], -1),
    (["varying_sizes", "least_for"], "best"),
    (["varying_sizes", "points"], []),
    (["varying_sizes", "points", 0, "hints"], None),
    (["varying_sizes", "points", 0, "limit_bytes"], "20kB"),
    (["varying_sizes", "binding"], -1),
    (["varying_sizes", "quality", "bound"], None),
]


def check_sizes(check, tool, testdata):
    graph = testdata / "models/dynamic_mlp.json"
    check.holds("report", printed(tool, "partition", graph, "--hints", "s77=96"), "a report with hints")
    real = printed(tool, "partition", graph, "--hints", "s77=12,96", "--saved-bytes", "20kB")
    check.holds("report", real, "a report on several sizes")
    for path, value in SIZES_DAMAGES:
        check.refuses("report", damaged(real, path, value), f"a report on several sizes: {value!r} at {path}")


def check_chosen_copies(check, tool, testdata):
    report = printed(tool, "partition", testdata / "mlp.json", "--saved-bytes", "least", "--offload", "auto", "--device", "h100")
    check.that(any(row.get("offloaded") for row in report["saved_values"]), "the solver copies nothing to the host")
    check.holds("report", report, "a report with copies that the solver has chosen")


# Damages of what pipeline prints.
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


def check_pipeline(check, tool, testdata):
    graph = testdata / "mlp.json"
    for options in (["--schedule", "1F1B"], ["--schedule", "GPipe", "--memory", "1MB"],
                    ["--schedule", "1F1B", "--link-bandwidth", "50", "--optimizer", "adamw"], ["--schedule", "ZBVZeroBubble"]):
        command = [tool, "pipeline", graph, "--split-at", "layers.1", "--microbatches", "4", "--json", *options]
        real = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        check.holds("pipeline", real, f"a pipeline with {options}")
    for path, value in PIPELINE_DAMAGES:
        check.refuses("pipeline", damaged(real, path, value), f"a pipeline: {value!r} at {path}")


# Damages of what policy --as torch prints.
EAGER_DAMAGES = [
    (["version"], 2),
    (["regions"], None),
    (["unsaid_bytes"], -1),
    (["saved", 0, "call"], -1),
    (["saved", 0, "of"], 0),
    (["form"], "jax"),
    (["unsaid", 0, "reason"], "unknown"),
    (["entering", 0, "region"], None),
]


def check_eager(check, tool, testdata):
    for graph in (testdata / "eager/block.json", testdata / "mlp.json", testdata / "models/batchnorm_mutation.json"):
        real = printed(tool, "policy", graph, "--as", "torch")
        check.holds("eager_policy", real, f"an eager policy of {graph.name}")
    graph = testdata / "eager/block.json"
    check.holds("eager_policy", printed(tool, "policy", graph, "--as", "torchtitan"), "a list for torchtitan")
    for policy in ("dots_saveable", "nothing_saveable"):
        check.holds("jax_names", printed(tool, "policy", graph, "--as", "jax", "--jax-policy", policy), f"names under {policy}")
    real = printed(tool, "policy", graph, "--as", "torch", "--regions", "layers.*", "--jax-policy", "dots_saveable")
    check.holds("eager_policy", real, "an eager policy with regions")
    for path, value in EAGER_DAMAGES:
        check.refuses("eager_policy", damaged(real, path, value), f"an eager policy: {value!r} at {path}")


# Damages of what explain prints: of a saved value, under a memory budget, by the frontier solver, and of --top.
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
    ("kernels", ["device"], None),
    ("kernels", ["top"], []),
    ("kernels", ["kernels", 0, "side"], "both"),
    ("kernels", ["kernels", 0, "calls"], -1),
    ("kernels", ["kernels", 0, "operators"], []),
    ("top", ["top", 0, "freed_bytes"], 0),
    ("top", ["top", 0, "fate"], "dead"),
    ("top", ["top", 0, "forced", "tag"], "MUST_SAVE"),
    ("top", ["top", 0, "alike"], [1]),
]


def check_explained(check, tool, testdata, directory):
    products, far_apart = testdata / "oracle" / "budget_of_products.json", testdata / "models" / "used_far_apart.json"
    real = {"node": explain(tool, products, {}, directory, "act_3"),
            "budget": explain(tool, products, {"activation_memory_budget": 0.5}, directory, "mm_0"),
            "frontier": explain(tool, testdata / "mlp.json", BY_FRONTIER, directory, "mm"),
            "top": explain(tool, far_apart, {}, directory, "--top", "1"),
            "kernels": explain(tool, products, {"device_profile": "h100", "memory_of": "compiled"}, directory, "--kernels", "3")}
    for name, document in real.items():
        check.holds("explain", document, f"the explanation '{name}'")
    for name, path, value in EXPLAIN_DAMAGES:
        check.refuses("explain", damaged(real[name], path, value), f"an explanation: {value!r} at {path} of {name}")


# Damages of what verify prints.
VERIFICATION_DAMAGES = [
    (["version"], 2),
    (["holds"], False),
    (["figures"], -1),
    (["mismatches"], [{"where": "forward: sin", "expected": "sin", "found": "cos"}]),
    (["nodes"], 4),
]


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
        for path, value in ((("version",), 2), (("steps", 0, "peak_bytes"), -1),
                            (("steps", 0, "blocks", block, "kind"), "tensor"),
                            (("steps", 0, "blocks", block, "bytes"), None), (("steps", 0, "blocks", block, "size_from"), "guess"),
                            (("steps", 0, "curve", 0, "side"), "sideways")):
            check.refuses("memory", damaged(real, path, value), f"the memory of a step: {value!r} at {path}")


# Damages of what diff and check print.
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
