"""Runs of the program, and what it writes or prints, read."""
import json
import subprocess
import sys

from documents import read

NO_PARTITION = 4
BAD_INPUT = 3
NO_POLICY = {"version": 1, "policies": []}
BY_DEFAULT = {"partitioner": "default"}
BY_FRONTIER = {"activation_memory_budget_solver": "frontier", "saved_bytes_limit": "least", "budget_search_parts": 3}
OFFLOADING = {"torch_version": "2.15", "enable_activation_offloading": True, "activation_offload_separate_stream": True,
              "activation_offload_sink_wait": True, "activation_reload_prefetch": True}


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


def marked_for_offloading(graph, directory):
    """A copy of the graph's file with should_offload on all that it computes."""
    document = read(graph)
    for node in document["nodes"]:
        if node["op"] == "call_function":
            node.setdefault("meta", {})["should_offload"] = True
    marked = directory / graph.name
    marked.write_text(json.dumps(document))
    return marked


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


def printed(tool, *arguments):
    return json.loads(subprocess.run([tool, *arguments, "--format", "json"], capture_output=True, text=True).stdout)
