"""Runs graphs on numpy: real memory, that views share and writes change."""
from __future__ import annotations

import collections
from typing import Any

import numpy

Graph = dict[str, Any]


class Generator:
    """Random numbers that depend on which draw it is (its probability tells), and how often that was drawn before."""

    def __init__(self) -> None:
        self.effects = 0  # that calls had so far
        self.drawn: collections.Counter[float] = collections.Counter()

    def draw(self, probability: float) -> numpy.ndarray:
        seed = [round(probability * 1000), self.drawn[probability]]
        self.drawn[probability] += 1
        return numpy.random.default_rng(seed).random((3, 3))


PLACES = numpy.arange(1, 10).reshape(3, 3)


def trace(operand: numpy.ndarray) -> numpy.ndarray:
    """A little of an operand, where a result may not depend on it, or rules of algebra hold: what reads wrong memory is to be seen.

    Each element counts by its place: what is done to all elements alike may change places with a transposition in place. (PyTorch
    refuses copy_(x, x.t()), as some elements of what is read and of what is written to are one, and so has no such steps.)
    """
    return numpy.tanh(operand) * PLACES / 5000


def bernoulli(generator: Generator, given: numpy.ndarray, probability: float) -> numpy.ndarray:
    drawn = generator.draw(probability)
    return numpy.where(drawn < probability + numpy.tanh(given) / 10, 1.0, 0.0) + trace(drawn + given)


def native_dropout(generator: Generator, given: numpy.ndarray, probability: float, train: bool) -> tuple[numpy.ndarray, ...]:
    drawn = generator.draw(probability)
    mask = drawn < probability + numpy.tanh(given) / 10
    return numpy.where(mask, given, 0.0) + trace(drawn + given), mask


def into(target: numpy.ndarray, value: numpy.ndarray) -> numpy.ndarray:
    target[...] = value
    return target


class Started:
    """A copy in parallel to what runs next: of what its source holds at its start and at its end alike, else of nothing."""

    def __init__(self, source: numpy.ndarray) -> None:
        self.source, self.at_start = source, source.copy()

    def wait(self) -> numpy.ndarray:
        return numpy.where(self.source == self.at_start, self.at_start, numpy.nan)


# By target, what a call does.
OPERATORS = {
    "aten.sin.default": numpy.sin, "aten.cos.default": numpy.cos, "aten.tanh.default": numpy.tanh,
    "aten.relu.default": lambda a: numpy.maximum(a, 0) + trace(a), "aten.neg.default": lambda a: trace(a) - a,
    "aten.clone.default": numpy.copy, "aten.add.Tensor": lambda a, b: a + b + trace(b),
    "aten.mul.Tensor": lambda a, b: a * b + trace(b),
    "aten.mm.default": lambda a, b: a @ b, "aten.t.default": lambda a: a.T, "aten.alias.default": lambda a: a[:],
    # A view of the same sizes is also taken of the result of a transposition.
    "aten.view.default": lambda a, shape: a[:],
    "aten.copy_.default": lambda a, b: into(a, b.copy()), "aten.add_.Tensor": lambda a, b: into(a, a + b + trace(b)),
    "aten.mul_.Tensor": lambda a, b: into(a, a * b + trace(b)), "my.accumulate.default": lambda a, b: into(b, a + b) is None or None,
    "operator.getitem": lambda a, position: a[position],
    "prims.device_put.default": lambda a, *_: a.copy(), "xla.place_to_host.default": numpy.copy,
    "xla.place_to_device.default": numpy.copy, "ao.offload.default": Started, "ao.reload.default": lambda a, *_: Started(a),
    "ao.wait_tensor.default": lambda started, *_: started.wait(),
}
RANDOM = {"aten.bernoulli.p": bernoulli, "aten.native_dropout.default": native_dropout}


class Run:
    def __init__(self, graph: Graph, generator: Generator) -> None:
        self.graph, self.generator = graph, generator
        self.values: dict[str, Any] = {}

    def argument(self, given: Any) -> Any:
        if isinstance(given, dict):
            kind, content = next(iter(given.items()))
            return {"node": lambda: self.values[content], "op": lambda: content, "device": lambda: content,
                    "tuple": lambda: [self.argument(each) for each in content]}[kind]()
        return [self.argument(each) for each in given] if isinstance(given, list) else given

    def call(self, target: str, args: list[Any], rng_state: collections.Counter[float] | None = None) -> Any:
        if target in RANDOM:
            return RANDOM[target](self.generator, *args)
        if target == "higher_order.run_and_save_rng_state":
            state = self.generator.drawn.copy()
            return state, self.call(args[0], args[1:])
        if target == "higher_order.run_with_rng_state":
            return self.call_under(args[0], args[1], args[2:])
        if target == "higher_order.graphsafe_run_with_rng_state":
            return self.call_under(rng_state, args[0], args[1:])
        if target == "higher_order.with_effects":
            self.generator.effects += 1
            return args[0] + 1, args[2] + trace(args[2])  # nobody knows that an operator returns what it was given
        return OPERATORS[target](*args)

    def call_under(self, state: collections.Counter[float], target: str, args: list[Any]) -> Any:
        now, self.generator.drawn = self.generator.drawn, state.copy()
        result = self.call(target, args)
        self.generator.drawn = now
        return result

    def run(self, inputs: dict[str, Any]) -> list[Any]:
        """inputs: by placeholder. Returns the outputs, which later writes to their memory change."""
        for node in self.graph["nodes"]:
            if node["op"] == "output":
                return self.argument(node["args"][0])
            if node["op"] == "placeholder":
                self.values[node["name"]] = inputs[node["name"]]
                continue
            state = node.get("kwargs", {}).get("rng_state")
            self.values[node["name"]] = self.call(node["target"], self.argument(node["args"]), self.argument(state))
        raise ValueError("a graph without an output")


def placeholders(graph: Graph) -> list[str]:
    return [node["name"] for node in graph["nodes"] if node["op"] == "placeholder"]


def inputs_of(joint: Graph) -> dict[str, numpy.ndarray]:
    return {name: numpy.random.default_rng(i).normal(size=(3, 3)) for i, name in enumerate(placeholders(joint))}


def run_joint(joint: Graph) -> list[numpy.ndarray]:
    """The outputs, the gradients, what the inputs hold in the end, and the number of effects."""
    inputs, generator = inputs_of(joint), Generator()
    return [*Run(joint, generator).run(inputs), *inputs.values(), generator.effects]


def run_partition(joint: Graph, forward: Graph, backward: Graph, report: dict[str, Any]) -> list[numpy.ndarray]:
    """The same of the two graphs, one after the other."""
    inputs, generator = inputs_of(joint), Generator()
    names = placeholders(backward)
    # The generators that a forward and its backward are given are in the same state.
    states = {name: Generator().drawn for name in placeholders(forward) + names if "_rng_state_" in name}
    outputs = Run(forward, generator).run({name: (inputs | states)[name] for name in placeholders(forward)})
    given = states | {name: inputs[name] for name in names if name.startswith("tangents")}
    for row in report["saved_values"] + report["saved_random_states"]:
        given[names[row["backward_input"]]] = outputs[row["forward_output"]]
    gradients = Run(backward, generator).run(given)
    return [*outputs[:joint["num_fwd_outputs"]], *gradients, *inputs.values(), generator.effects]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(numpy.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))
