"""Graphs of testdata: the files, the parts and reports that come out under several settings, explanations, trade-offs."""
from documents import read
from program import BY_DEFAULT, BY_FRONTIER, OFFLOADING, explain, marked_for_offloading, pareto, partition

# Larger ones show nothing more, and the validator is slow. So every fourth graph is explained, and its trade-off traced.
LARGEST_GRAPH_BYTES = 100_000
EXPLAINED_EVERY = 4
SAVE_ALL = {"version": 1, "policies": [{"otherwise": "MUST_SAVE"}]}  # lists of tensors as well


def recorded_graphs(testdata):
    """Each with the first two of its recorded settings, and whether it is explained as well."""
    for number, answers in enumerate(sorted(testdata.rglob("*.expected.json"))):
        graph = answers.with_name(answers.name.replace(".expected.json", ".json"))
        if graph.parent.name != "steps" and graph.stat().st_size <= LARGEST_GRAPH_BYTES:
            settings = [dict(case["config"], partitioner=case["partitioner"]) for case in read(answers)["cases"][:2]]
            yield graph, settings, number % EXPLAINED_EVERY == 0


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


def check_trade_offs(check, tool, graph):
    for estimator in ("flops", "roofline", "testing"):
        trade_off = pareto(tool, graph, estimator)
        if trade_off:
            check.holds("pareto", trade_off, f"the trade-off of {graph.name} by {estimator}")


COMPILED = {"memory_of": "compiled"}


def check_peaks(check, report, what):
    memory = report["memory"]
    for counted in (memory, memory.get("compiled")):
        if counted and "at_peak" in counted:
            parts = sum(held["bytes"] for held in counted["at_peak"])
            check.that(parts == counted["peak_bytes"], f"{what}: at_peak adds up to {parts}, not {counted['peak_bytes']}")


def check_graph(check, tool, graph, all_settings, explained, directory):
    check.holds("joint_graph", read(graph), graph.name)
    marked = marked_for_offloading(graph, directory)
    for given, settings in [*((graph, s) for s in (*all_settings, BY_DEFAULT, BY_FRONTIER, COMPILED)), (marked, OFFLOADING)]:
        check.holds("config", settings, f"settings of {graph.name}")
        for name, document in partition(tool, given, settings, directory).items():
            schema = "report" if name == "report" else "joint_graph"
            check.holds(schema, document, f"{name} of {graph.name} under {settings}")
            if name == "report":
                check_peaks(check, document, f"report of {graph.name} under {settings}")
    saving_all = partition(tool, graph, {"activation_memory_budget": 0.5}, directory, SAVE_ALL)
    if saving_all:
        check.holds("report", saving_all["report"], f"report of {graph.name} that saves all")
    if explained:
        check_explanations(check, tool, graph, all_settings, directory)
        check_trade_offs(check, tool, graph)
