"""Random layered graphs with their backwards, as training steps.

The forwards are like those on which Moccasin (Bartan et al., 2023) compares solvers of rematerialization, after Gagrani et al.
(2022): nodes in layers of a random width, edges mostly from the layer before, some that skip layers, sizes and durations at
random. The graphs that they measured are not published, so these are like them only in the numbers of nodes and edges, and those
we have from memory of the paper. Theirs are one graph without a backward; ours get one, in which the gradient of a node takes the
gradients of its users and the node's inputs.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

MEBIBYTE = 2**20
EDGES = {25: 2.0, 50: 2.1, 100: 2.36, 250: 3.78, 500: 4.92, 1000: 5.86}  # a node, by the number of nodes
SKIPPING = 0.15  # of the edges
WIDTHS = (2, 8)  # of a layer


class Value(NamedTuple):
    name: str
    inputs: list[int]  # places of earlier values
    mebibytes: int
    ms: float


class LayeredStep(NamedTuple):
    """values: of the forward, in execution order; the last one is its only output. users: by value, in execution order."""

    values: list[Value]
    users: list[list[int]]


def layered_step(nodes: int, seed: int) -> LayeredStep:
    rng = random.Random(seed)
    layers: list[list[int]] = []
    made = 0
    while made < nodes - 1:
        width = min(rng.randint(*WIDTHS), nodes - 1 - made)
        layers.append(list(range(made, made + width)))
        made += width
    layers.append([nodes - 1])
    inputs: list[set[int]] = [set() for _ in range(nodes)]
    for before, layer in zip(layers, layers[1:]):
        for node in layer:
            inputs[node].add(rng.choice(before))
        for node in before:  # each value is used
            if not any(node in inputs[user] for user in layer):
                inputs[rng.choice(layer)].add(node)
    per_node = EDGES[min(EDGES, key=lambda known: abs(known - nodes))]
    for _ in range(100 * nodes):
        if sum(map(len, inputs)) >= per_node * nodes:
            break
        to = rng.randrange(1, len(layers))
        source = rng.randrange(to) if rng.random() < SKIPPING else to - 1
        inputs[rng.choice(layers[to])].add(rng.choice(layers[source]))
    values = [Value(f"f{i}", sorted(inputs[i]), rng.randint(1, 16), round(rng.uniform(0.05, 2), 3)) for i in range(nodes)]
    users: list[list[int]] = [[] for _ in values]
    for i, value in enumerate(values):
        for one in value.inputs:
            users[one].append(i)
    return LayeredStep(values, users)


def joint_graph(step: LayeredStep, name: str) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = []

    def add(node: str, op: str, inputs: list[str], mebibytes: int, ms: float | None) -> None:
        tensor = {"kind": "tensor", "dtype": "float32", "shape": [mebibytes, 2**18], "stride": [2**18, 1], "device": "cuda:0",
                  "storage": len(nodes)}
        meta = {} if ms is None else {"runtime_ms": ms}
        added: dict[str, Any] = {"name": node, "op": op, "target": node, "val": tensor, "meta": meta}
        if op == "call_function":
            arguments = [{"node": one} for one in inputs]
            added |= {"target": "aten.cat.default", "args": [arguments]} if len(inputs) > 1 else {"target": "aten.sin.default",
                                                                                                  "args": arguments}
        nodes.append(added)

    last = len(step.values) - 1
    add("primals_1", "placeholder", [], 1, None)
    for value in step.values:
        add(value.name, "call_function", [step.values[i].name for i in value.inputs] or ["primals_1"], value.mebibytes, value.ms)
    add("tangents_1", "placeholder", [], step.values[last].mebibytes, None)
    for i in reversed(range(last + 1)):
        gradients = [f"b{user}" for user in step.users[i]] or ["tangents_1"]
        taken = [step.values[one].name for one in step.values[i].inputs] or ["primals_1"]
        add(f"b{i}", "call_function", gradients + taken, step.values[i].mebibytes, round(2 * step.values[i].ms, 3))
    returned = [{"node": step.values[last].name}, {"node": "b0"}]
    returned += [{"node": f"b{i}"} for i, value in enumerate(step.values) if i > 0 and not value.inputs]
    nodes.append({"name": "output", "op": "output", "target": "output", "args": [{"tuple": returned}]})
    return {"format": "fx-joint-graph", "version": 1, "name": name, "producer": "torch 2.13.0, by hand", "num_fwd_outputs": 1,
            "nodes": nodes}
