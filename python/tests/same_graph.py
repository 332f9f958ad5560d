"""Whether two captures are the same graph, except for numbers that count up through a process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]

COUNTERS = ("seq_nr", "ac_graph_id")
PLACES = ("source", "module")


def comparable(graph: Json, *, places: bool) -> Json:
    """The graph without its name; counters of its nodes by rank. places: keep where in the source a node is from."""
    graph = json.loads(json.dumps(graph))
    for key in ("name", "producer", "compiler", "single_threaded", "float32_matmul_precision"):
        graph.pop(key, None)
    _undo_fused_seeds(graph)
    nodes = list(_all_nodes(graph))
    for counter in COUNTERS:
        counted = [node["meta"] for node in nodes if counter in node.get("meta", {})]
        ranks = {number: rank for rank, number in enumerate(sorted({meta[counter] for meta in counted}))}
        for meta in counted:
            meta[counter] = ranks[meta[counter]]
    for node in nodes:
        node.get("meta", {}).pop("user_source", None)  # that of whoever captures
    for node in nodes if not places else ():
        for place in PLACES:
            node.get("meta", {}).pop(place, None)
        if not node.get("meta", True):
            del node["meta"]
    return graph


def _undo_fused_seeds(graph: Json) -> None:
    """Makes inductor's seeds those of the corpus, whose capture ended in the midst of the pass that fuses them."""
    seeds = {"lookup": "prims.inductor_lookup_seed.default", "single": "prims.inductor_seed.default"}
    lookups = [node for node in graph["nodes"] if node.get("target") == seeds["lookup"]]
    names = {}
    for number, node in enumerate(reversed(lookups)):
        names[node["name"]] = f"inductor_seed_default_{number}" if number else "inductor_seed_default"
        node.update(name=names[node["name"]], target=seeds["single"], args=[{"device": "cpu"}])
    for node in graph["nodes"]:
        node["args"] = _renamed(node.get("args"), names)
        if node.get("target") == "prims.inductor_seeds.default":
            node.pop("val", None)
    for kind in seeds.values():
        graph["ops"].pop(kind, None)
    _number_storages(graph, {})


def _renamed(argument: Any, names: dict[str, str]) -> Any:
    if isinstance(argument, list):
        return [_renamed(item, names) for item in argument]
    if isinstance(argument, dict):
        return {
            key: names.get(item, item) if key == "node" else _renamed(item, names) for key, item in argument.items()
        }
    return argument


def _number_storages(content: Any, numbers: dict[int, int]) -> None:
    """By first appearance."""
    if isinstance(content, dict):
        if isinstance(content.get("storage"), int):
            content["storage"] = numbers.setdefault(content["storage"], len(numbers))
        content = [item for key, item in content.items() if key not in ("args", "kwargs", "ops")]
    for item in content if isinstance(content, list) else ():
        _number_storages(item, numbers)


def _all_nodes(graph: Json) -> Iterator[Json]:
    yield from graph["nodes"]
    for subgraph in graph.get("subgraphs", {}).values():
        yield from _all_nodes(subgraph)


def differences(found: Json, expected: Json, *, places: bool = False) -> list[str]:
    """One line for each key and each node that differs; empty if the graphs are the same."""
    found, expected = (comparable(graph, places=places) for graph in (found, expected))
    lines = []
    for key in sorted((found.keys() | expected.keys()) - {"nodes"}):
        of_found, of_expected = found.get(key), expected.get(key)
        if of_found != of_expected and isinstance(of_found, dict) and isinstance(of_expected, dict):
            different = [k for k in of_found.keys() | of_expected.keys() if of_found.get(k) != of_expected.get(k)]
            lines += [f"{key}: {k}: {of_found.get(k)} != {of_expected.get(k)}" for k in sorted(different)]
        elif of_found != of_expected:
            lines.append(f"{key}: {of_found} != {of_expected}")
    if len(found["nodes"]) != len(expected["nodes"]):
        lines.append(f"{len(found['nodes'])} nodes != {len(expected['nodes'])}")
    for node, other in zip(found["nodes"], expected["nodes"]):
        if node != other:
            lines.append(f"{json.dumps(node)}\n    != {json.dumps(other)}")
    return lines


def read(path: Path) -> Json:
    return json.loads(path.read_text())
