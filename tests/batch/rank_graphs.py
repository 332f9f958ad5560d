"""One step as several ranks see it: of other sizes, and with the inputs in another order."""
import json


def tensor(shape, storage):
    stride, below = [], 1
    for size in reversed(shape):
        stride.insert(0, below)
        below *= size
    return {"kind": "tensor", "dtype": "float32", "shape": shape, "stride": stride, "device": "cpu", "storage": storage}


def step(rows, columns, reverses_inputs=False):
    """sigmoid(add(x @ wx, wy @ y)), which the backward needs: it is made again from rows + columns values, or kept as rows x
    columns. So the minimum cut depends on the sizes."""
    nodes = []

    def add(name, op, target, arguments, shape):
        node = {"name": name, "op": op, "target": target}
        if op == "call_function":
            node["args"] = arguments
        nodes.append(dict(node, val=tensor(shape, len(nodes))))
        return {"node": name}

    def call(name, target, arguments, shape):
        return add(name, "call_function", target, arguments, shape)

    whole = [rows, columns]
    inputs = {"x": [rows, 8], "wx": [8, 1], "wy": [1, 8], "y": [8, columns], "bias": whole, "weight": [columns, 1]}
    order = list(reversed(inputs)) if reverses_inputs else list(inputs)
    primals = {name: add(f"primals_{i}", "placeholder", f"primals_{i}", None, inputs[name])
               for i, name in enumerate(order, 1)}
    mm = call("mm", "aten.mm.default", [primals["x"], primals["wx"]], [rows, 1])
    mm_1 = call("mm_1", "aten.mm.default", [primals["wy"], primals["y"]], [1, columns])
    total = call("add", "aten.add.Tensor", [mm, mm_1], whole)
    biased = call("add_1", "aten.add.Tensor", [total, primals["bias"]], whole)
    sigmoid = call("sigmoid", "aten.sigmoid.default", [total], whole)
    mm_2 = call("mm_2", "aten.mm.default", [sigmoid, primals["weight"]], [rows, 1])
    tanh = call("tanh", "aten.tanh.default", [biased], whole)
    tangents = add("tangents_1", "placeholder", "tangents_1", None, whole)
    reduced = call("all_reduce", "_c10d_functional.all_reduce.default", [tangents, "sum", "0"], whole)
    waited = call("wait_tensor", "_c10d_functional.wait_tensor.default", [reduced], whole)
    mul = call("mul", "aten.mul.Tensor", [waited, sigmoid], whole)
    gradients = [mul if name == "bias" else None for name in order]
    nodes.append({"name": "output", "op": "output", "target": "output", "args": [{"tuple": [tanh, mm_2] + gradients}]})
    return json.dumps({"format": "fx-joint-graph", "version": 1, "name": "step", "producer": "torch 2.13.0, by hand",
                       "num_fwd_outputs": 2, "static_lifetime_inputs": [], "nodes": nodes})


def write_ranks(directory, sizes):
    """Writes rankN/step.json for each (rows, columns, reverses_inputs)."""
    for rank, size in enumerate(sizes):
        path = directory / f"rank{rank}" / "step.json"
        path.parent.mkdir(parents=True)
        path.write_text(step(*size))
