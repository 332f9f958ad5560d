"""The recompute tags of a graph in the JSON form."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def tag_recomputed(graph: Json, names: set[str]) -> None:
    """Tags nodes as ones that activation checkpointing recomputes."""
    for node in graph["nodes"]:
        if node["name"] in names:
            node.setdefault("meta", {})["recompute"] = "PREFER_RECOMPUTE"


def drop_tags(graph: Json) -> None:
    """Takes all tags away, those of nested graphs as well."""
    for node in graph["nodes"]:
        node.get("meta", {}).pop("recompute", None)
    for subgraph in graph.get("subgraphs", {}).values():
        drop_tags(subgraph)
