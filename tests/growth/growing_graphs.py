"""Joint graphs of any size, each of one shape that made some stage take more than its share of time or memory."""
import json


def tensor(storage, shape=(64,)):
    return {"kind": "tensor", "dtype": "float32", "shape": list(shape), "stride": [1] * len(shape), "device": "cpu",
            "storage": storage}


def placeholder(name, storage):
    return {"name": name, "op": "placeholder", "target": name, "val": tensor(storage)}


def call(name, target, arguments, value, **meta):
    args = [{"node": argument} if isinstance(argument, str) else argument for argument in arguments]
    return {"name": name, "op": "call_function", "target": target, "args": args, "val": value, "meta": meta}


def joint_graph(nodes, outputs, forward_outputs=1):
    output = {"name": "output", "op": "output", "target": "output", "args": [[{"node": name} for name in outputs]]}
    return {"format": "fx-joint-graph", "version": 1, "name": "growing", "num_fwd_outputs": forward_outputs,
            "nodes": [*nodes, output]}


def items_of_one_tuple(size):
    """One call that returns `size` tensors, each taken out of it and used by the backward."""
    values = [tensor(10 + i) for i in range(size)]
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1),
             call("all", "aten.unbind.int", ["primals_1"], {"kind": "tuple", "items": values})]
    nodes += [call(f"item_{i}", "operator.getitem", ["all", i], values[i]) for i in range(size)]
    nodes.append(call("loss", "aten.sin.default", ["item_0"], tensor(2)))
    last = "tangents_1"
    for i in range(size):
        nodes.append(call(f"grad_{i}", "aten.mul.Tensor", [last, f"item_{i}"], tensor(10 + size + i)))
        last = f"grad_{i}"
    return joint_graph(nodes, ["loss", last])


def many_tuples(size):
    """Calls of two results each, one of which the next call takes and the other the backward."""
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1)]
    last, storage = "primals_1", 10
    for i in range(size // 3):
        values = [tensor(storage), tensor(storage + 1)]
        storage += 2
        nodes += [call(f"pair_{i}", "aten.sort.default", [last], {"kind": "tuple", "items": values}),
                  call(f"sorted_{i}", "operator.getitem", [f"pair_{i}", 0], values[0]),
                  call(f"order_{i}", "operator.getitem", [f"pair_{i}", 1], values[1])]
        last = f"sorted_{i}"
    grad = "tangents_1"
    for i in reversed(range(size // 3)):
        nodes.append(call(f"grad_{i}", "aten.mul.Tensor", [grad, f"order_{i}"], tensor(storage)))
        storage += 1
        grad = f"grad_{i}"
    return joint_graph(nodes, [last, grad])


def chain(size):
    """Layers one behind the other, each of which the backward takes."""
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1)]
    last, storage = "primals_1", 10
    for i in range(size // 2):
        target = "aten.mm.default" if i % 4 == 0 else "aten.sin.default"
        arguments = [last, last] if i % 4 == 0 else [last]
        nodes.append(call(f"layer_{i}", target, arguments, tensor(storage, (64 + i % 7, 64))))
        last, storage = f"layer_{i}", storage + 1
    grad = "tangents_1"
    for i in reversed(range(size // 2)):
        nodes.append(call(f"grad_{i}", "aten.mul.Tensor", [grad, f"layer_{i}"], tensor(storage, (64, 64))))
        grad, storage = f"grad_{i}", storage + 1
    return joint_graph(nodes, [last, grad])


def names(size):
    """A chain in which every fourth value has a name of its own."""
    graph = chain(size)
    for i, node in enumerate(node for node in graph["nodes"] if node["name"].startswith("layer_")):
        if i % 4 == 0:
            node["meta"]["checkpoint_name"] = f"name_{i}"
    return graph


def policies(count):
    """That many policies, each of which speaks of one name."""
    return {"version": 1, "policies": [
        {"rules": [{"match": {"name": f"name_{4 * i}"}, "policy": "MUST_SAVE"}]} for i in range(count)]}


def write(graph, path):
    path.write_text(json.dumps(graph), encoding="utf-8")
