"""Batches: the result of each graph, the summary, manifests; diff and check of two batches, baselines."""
import json
import subprocess

from documents import damaged, read
from program import BAD_INPUT, NO_POLICY, partition, printed


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
