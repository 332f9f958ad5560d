"""Random training steps full of what goes wrong: writes to memory that others see, views, random operators, effects, recompute tags,
marks to offload.

Nothing in them is as an autograd would make it: calls of the forward write to inputs, to intermediate values and through
views of either, before and behind those who read them.
"""
from __future__ import annotations

import random
from typing import Any

Node = dict[str, Any]
SHAPE, STRIDE = [3, 3], [3, 1]
UNARY = ["sin", "cos", "tanh", "relu", "neg", "clone"]
BINARY = ["add.Tensor", "mul.Tensor", "mm.default"]
VIEWS = ["t", "alias", "view"]
IN_PLACE = ["copy_.default", "add_.Tensor", "mul_.Tensor"]
TAGS = ["MUST_SAVE", "PREFER_SAVE", "MUST_RECOMPUTE", "PREFER_RECOMPUTE"]
# An operator that writes to the second of its arguments and returns nothing.
OPERATORS = {"my.accumulate.default": {"tags": [], "mutable": True, "returns": 0, "builtin": False,
                                        "schema": "my::accumulate(Tensor a, Tensor(b!) b) -> ()"}}
DEVICES = ["cpu", "cuda:0"]


class RandomStep:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.nodes: list[Node] = []
        self.storage_of: dict[str, int] = {}
        self.strides: dict[str, list[int]] = {}
        self.storages = 0
        self.draws = 0
        self.device = self.dice.choice(DEVICES)
        self.token: str | None = None  # the last of the chain that orders effects
        self.in_place = self.dice.choice([0, 0.1, 0.25])
        self.tagged = self.dice.choice([0, 0, 0.2])
        self.offloaded = self.dice.choice([0, 0.3])
        self.has_effects = self.dice.random() < 0.3

    def add(self, target: str, args: list[Any], backward: bool, storage: int | None = None, stride: list[int] | None = None,
            **meta: Any) -> str:
        name = f"{target.split('.')[1]}_{len(self.nodes)}"
        if storage is None:
            storage = self.new_storage()
        if self.dice.random() < self.tagged and not backward and not target.split(".")[1].endswith("_"):
            meta["recompute"] = self.dice.choice(TAGS)
        if self.dice.random() < self.offloaded and not backward:
            meta["should_offload"] = True
        meta["partitioner_tag"] = meta.get("partitioner_tag", "is_backward" if backward else "is_forward")
        self.nodes.append({"name": name, "op": "call_function", "target": target, "args": args,
                           "val": self.tensor(storage, stride), "meta": meta})
        self.storage_of[name] = storage
        self.strides[name] = stride or STRIDE
        return name

    def new_storage(self) -> int:
        self.storages += 1
        return self.storages

    def placeholder(self, name: str) -> str:
        self.storage_of[name], self.strides[name] = self.new_storage(), STRIDE
        self.nodes.append({"name": name, "op": "placeholder", "target": name, "val": self.tensor(self.storage_of[name])})
        return name

    def draw(self, given: str) -> str:
        # No two draws have one probability: an interpreter tells by it which draw a wrapped one is.
        self.draws += 1
        probability = 0.3 + self.draws / 1000
        if self.dice.random() < 0.5:
            return self.add("aten.bernoulli.p", [node(given), probability], False)
        dropped = self.add("aten.native_dropout.default", [node(given), probability, True], False)
        made, mask = self.new_storage(), self.new_storage()
        self.nodes[-1]["val"] = {"kind": "tuple", "items": [self.tensor(made), self.tensor(mask)]}
        return self.add("operator.getitem", [node(dropped), 0], False, made)

    def have_effect(self, given: str) -> str:
        """As AOTAutograd writes it: the call takes the token of the effect before it and returns its own beside its result."""
        both = self.add("higher_order.with_effects", [node(self.token), {"op": "my.log.default"}, node(given)], False)
        token, made = self.new_storage(), self.new_storage()
        self.nodes[-1]["val"] = {"kind": "tuple", "items": [self.tensor(token), self.tensor(made)]}
        self.token = self.add("operator.getitem", [node(both), 0], False, token)
        return self.add("operator.getitem", [node(both), 1], False, made)

    def call(self, values: list[str], backward: bool) -> str | None:
        given, other = self.dice.choice(values), self.dice.choice(values)
        kind = self.dice.random()
        if kind < self.in_place:
            if self.dice.random() < 0.2:
                self.add("my.accumulate.default", [node(given), node(other)], backward)
                self.nodes[-1]["val"] = {"kind": "none"}
                return None
            target = f"aten.{self.dice.choice(IN_PLACE)}"
            return self.add(target, [node(given), node(other)], backward, self.storage_of[given], self.strides[given])
        if kind < 0.3:
            view = self.dice.choice(VIEWS)
            args = [node(given)] + ([SHAPE] if view == "view" else [])
            stride = self.strides[given][::-1] if view == "t" else self.strides[given]
            return self.add(f"aten.{view}.default", args, backward, self.storage_of[given], stride)
        if kind < 0.4 and not backward:
            return self.have_effect(given) if self.token and self.dice.random() < 0.5 else self.draw(given)
        if kind < 0.7:
            return self.add(f"aten.{self.dice.choice(UNARY)}.default", [node(given)], backward)
        return self.add(f"aten.{self.dice.choice(BINARY)}", [node(given), node(other)], backward)

    def graph(self) -> dict[str, Any]:
        primals = [self.placeholder(f"primals_{i}") for i in range(1, self.dice.randint(2, 4))]
        if self.has_effects:
            self.token = self.placeholder(f"primals_{len(primals) + 1}")
        tangent = self.placeholder("tangents_1")
        values = list(primals)
        for _ in range(self.dice.randint(4, 12)):
            values += filter(None, [self.call(values, False)])
        output = self.dice.choice(values[len(primals):])
        gradients = [tangent]
        for _ in range(self.dice.randint(2, 8)):
            made = self.call([self.dice.choice(gradients), self.dice.choice(values)], True)
            gradients += filter(None, [made])
        results = [self.add("aten.mul.Tensor", [node(gradients[-1]), node(self.dice.choice(values))], True)]
        if self.dice.random() < 0.3:  # as AOTAutograd writes the forward's new values for its inputs
            self.add("aten.copy_.default", [node(primals[0]), node(output)], False, self.storage_of[primals[0]],
                     partitioner_tag="must_be_in_forward")
        outputs = [output] + ([self.token] if self.token else [])
        leaves = [node(name) for name in outputs + results]
        self.nodes.append({"name": "output", "op": "output", "target": "output", "args": [{"tuple": leaves}]})
        return {"format": "fx-joint-graph", "version": 1, "name": "random_step", "num_fwd_outputs": len(outputs),
                "ops": OPERATORS, "nodes": self.nodes}

    def tensor(self, storage: int, stride: list[int] | None = None) -> dict[str, Any]:
        return {"kind": "tensor", "dtype": "float64", "shape": SHAPE, "stride": stride or STRIDE, "device": self.device, "storage": storage}


def node(name: str) -> dict[str, str]:
    return {"node": name}


def random_step(seed: int) -> dict[str, Any]:
    return RandomStep(seed).graph()
