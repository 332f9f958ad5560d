"""A decision with a few values the other way.

The report of the decision gets other rows, and the program replays it ('fxcut help replay'): nothing else is decided anew, as it
would be by a policy under a limit. What is computed again may take any input of the step, which is in memory all the while.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Json = dict[str, Any]


class Change(NamedTuple):
    """Names of nodes. save: whose values are saved as well. recompute: whose values are not saved, but computed again."""

    save: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.save + self.recompute

    def then(self, other: Change) -> Change:
        """Both, of which the other prevails."""
        save = [name for name in self.save if name not in other.recompute]
        recompute = [name for name in self.recompute if name not in other.save]
        return Change(tuple(dict.fromkeys([*save, *other.save])), tuple(dict.fromkeys([*recompute, *other.recompute])))


NOTHING = Change()


def changed(nodes: dict[str, Json], report: Json, change: Change) -> Json:
    """The report on the decision, with the change, for a replay. nodes: of the joint graph's JSON form, by name."""
    kept = [row for row in report["saved_values"] if row["name"] not in change.recompute]
    there = {row["name"] for row in kept}
    inputs = [name for name, node in nodes.items() if _is_input(node)] if change.recompute else []
    added = [name for name in (*inputs, *change.save) if name in nodes and name not in there]
    why = {"reason": "asked", "text": "saved as well: also_save"}
    rows = [saved_row(nodes[name], why) for name in dict.fromkeys(added) if _is_tensor(nodes[name])]
    return {**report, "saved_values": [*kept, *rows]}


def absent(nodes: dict[str, Json], change: Change) -> list[str]:
    """A warning of each name that the graph does not have as a tensor's."""
    lost = [name for name in change.names if name not in nodes or not _is_tensor(nodes[name])]
    return [f"also_save or also_recompute: the graph has no tensor '{name}'" for name in lost]


def saved_row(node: Json, why: Json) -> Json:
    value = node["val"]
    return {
        "name": node["name"],
        "operator": node["target"] if node["op"] != "placeholder" else "placeholder",
        "dtype": value["dtype"],
        "shape": value["shape"],
        "bytes": 0,  # a replay finds out, as it does where the value crosses
        "static_lifetime": False,
        "forward_output": 0,
        "backward_input": 0,
        "offloaded": False,
        "why": why,
    }


def _is_input(node: Json) -> bool:
    return node["op"] == "placeholder" and node["name"].startswith("primals")


def _is_tensor(node: Json) -> bool:
    value = node.get("val")
    return isinstance(value, dict) and value.get("kind") == "tensor"
