"""Joint graphs of any size, each of one shape that made some pass take more than its share of time or memory."""
import json
import re


def tensor(storage, shape=(64,)):
    return {"kind": "tensor", "dtype": "float32", "shape": list(shape), "stride": [1] * len(shape), "device": "cpu",
            "storage": storage}


def placeholder(name, storage):
    return {"name": name, "op": "placeholder", "target": name, "val": tensor(storage)}


class Text(str):
    """An argument that is text, not a node's name."""


def call(name, target, arguments, value, **meta):
    args = [{"node": argument} if type(argument) is str else argument for argument in arguments]
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


def items_in_one_storage(size):
    """The same in one storage, with a value made from each, which the backward uses."""
    value = tensor(2)
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1),
             call("all", "aten.unbind.int", ["primals_1"], {"kind": "tuple", "items": [value] * size}),
             call("loss", "aten.exp.default", ["primals_1"], tensor(3))]
    for i in range(size):
        nodes += [call(f"item_{i}", "operator.getitem", ["all", i], value),
                  call(f"sin_{i}", "aten.sin.default", [f"item_{i}"], tensor(10 + i))]
    last = "tangents_1"
    for i in range(size):
        nodes.append(call(f"grad_{i}", "aten.mul.Tensor", [last, f"sin_{i}"], tensor(10 + size + i)))
        last = f"grad_{i}"
    return joint_graph(nodes, ["loss", last])


def stale_copies(size):
    """Views that were traced with strides other than their bases', and copies of them that the forward returns."""
    def matrix(storage, stride):
        return {**tensor(storage, (8, 8)), "stride": stride}

    nodes = [{**placeholder("primals_1", 0), "val": matrix(0, [8, 1])}, {**placeholder("tangents_1", 1), "val": matrix(1, [8, 1])}]
    last = "primals_1"
    for i in range(size):
        nodes += [call(f"sin_{i}", "aten.sin.default", [last], matrix(10 + i, [8, 1])),
                  call(f"permute_{i}", "aten.permute.default", [f"sin_{i}", [1, 0]], matrix(10 + i, [8, 1])),
                  call(f"clone_{i}", "aten.clone.default", [f"permute_{i}"], matrix(10 + size + i, [1, 8]))]
        last = f"sin_{i}"
    nodes.append(call("grad", "aten.mul.Tensor", ["tangents_1", "sin_0"], matrix(2, [8, 1])))
    return joint_graph(nodes, [*(f"clone_{i}" for i in range(size)), "grad"], size)


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
    """Layers one after the other, all of which the backward takes."""
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


def fan(size):
    """Values made from one value, all of which the backward takes."""
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1),
             call("root", "aten.exp.default", ["primals_1"], tensor(2))]
    total, grad, storage = "root", "tangents_1", 10
    for i in range(size // 4):
        nodes += [call(f"part_{i}", "aten.mul.Tensor", ["root", i + 1.0], tensor(storage)),
                  call(f"total_{i}", "aten.add.Tensor", [total, f"part_{i}"], tensor(storage + 1))]
        total, storage = f"total_{i}", storage + 2
    for i in range(size // 4):
        nodes += [call(f"grad_{i}", "aten.mul.Tensor", ["tangents_1", f"part_{i}"], tensor(storage)),
                  call(f"sum_{i}", "aten.add.Tensor", [grad, f"grad_{i}"], tensor(storage + 1))]
        grad, storage = f"sum_{i}", storage + 2
    return joint_graph(nodes, [total, grad])


def layers(size, width=10):
    """Layers of `width` values, each made from two of the layer before."""
    values = [f"primals_{i}" for i in range(width)]
    nodes = [placeholder(name, i) for i, name in enumerate(values)] + [placeholder("tangents_1", width)]
    before, storage = [], width + 1
    for layer in range(size // (2 * width)):
        before.append(values)
        for i in range(width):
            target = ["aten.mul.Tensor", "aten.add.Tensor", "aten.mm.default"][(layer + i) % 3]
            operands = [values[i], values[(7 * i + layer) % width]]
            nodes.append(call(f"layer_{layer}_{i}", target, operands, tensor(storage, (64, 64))))
            storage += 1
        values = [f"layer_{layer}_{i}" for i in range(width)]
    grads = ["tangents_1"] * width
    for layer in reversed(range(len(before))):
        for i in range(width):
            operands = [grads[(3 * i + 1) % width], before[layer][i]]
            nodes.append(call(f"grad_{layer}_{i}", "aten.mul.Tensor", operands, tensor(storage, (64, 64))))
            storage += 1
        grads = [f"grad_{layer}_{i}" for i in range(width)]
    return joint_graph(nodes, [values[0], *grads])


def one_memory(size, of_view):
    """Values in the memory of one product: each a view of the one before (`of_view`), or all of the product."""
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1),
             call("product", "aten.mm.default", ["primals_1", "primals_1"], tensor(2, (64, 64)))]
    last, grad = "product", "tangents_1"
    for i in range(size // 2):
        target, rest = ("aten.view.default", [[64, 64]]) if i % 2 else ("aten.t.default" if of_view else "aten.alias.default", [])
        nodes.append(call(f"view_{i}", target, [last if of_view else "product", *rest], tensor(2, (64, 64))))
        last = f"view_{i}"
    nodes.append(call("loss", "aten.sin.default", [last], tensor(3, (64, 64))))
    for i in range(size // 2):
        nodes.append(call(f"grad_{i}", "aten.mul.Tensor", [grad, f"view_{i}"], tensor(10 + i, (64, 64))))
        grad = f"grad_{i}"
    return joint_graph(nodes, ["loss", grad])


def views(size):
    return one_memory(size, of_view=True)


def aliases(size):
    return one_memory(size, of_view=False)


def symbols(size):
    """Values of sizes that are symbols, each of its own."""
    count = size // 6
    def sized(storage, i):
        rows = {"expr": f"s{i}", "hint": 8 + i % 5, "symbols": [f"s{i}"]}
        return {**tensor(storage, (64, 64)), "shape": [rows, 64], "stride": [64, 1]}
    sizes = [{"name": f"size_{i}", "op": "placeholder", "target": f"size_{i}",
              "val": {"kind": "symint", "expr": f"s{i}", "hint": 8 + i % 5, "symbols": [f"s{i}"]}} for i in range(count)]
    nodes = [placeholder("primals_1", 0), *sizes, placeholder("tangents_1", 1)]
    grad, storage = "tangents_1", 10
    for i in range(count):
        nodes += [call(f"rows_{i}", "aten.expand.default", ["primals_1", [{"node": f"size_{i}"}, 64]], sized(storage, i)),
                  call(f"sin_{i}", "aten.sin.default", [f"rows_{i}"], sized(storage + 1, i))]
        storage += 2
    nodes.append(call("loss", "aten.exp.default", ["primals_1"], tensor(storage)))
    for i in range(count):
        nodes += [call(f"grad_{i}", "aten.mul.Tensor", [grad, f"sin_{i}"], tensor(storage + 1)),
                  call(f"sum_{i}", "aten.add.Tensor", [f"grad_{i}", f"size_{i}"], tensor(storage + 2))]
        grad, storage = f"sum_{i}", storage + 2
    graph = joint_graph(nodes, ["loss", grad])
    graph["nodes"][-1]["args"][0] += [None] * count
    return {**graph, "symbols": {f"s{i}": {"hint": 8 + i % 5, "backed": True} for i in range(count)}}


def long_names(size):
    """A chain of values whose names have 2,000 letters."""
    text = json.dumps(chain(size // 10))
    return json.loads(re.sub(r'"((?:layer|grad)_\d+)"', lambda name: f'"{name.group(1)}{"x" * 2000}"', text))


def regions(size):
    """A chain whose layers, eight at a time, are checkpointed regions."""
    graph = chain(size)
    for i, node in enumerate(node for node in graph["nodes"] if node["name"].startswith("layer_")):
        node["meta"].update(recompute="PREFER_RECOMPUTE", ac_graph_id=i // 8)
    return graph


def steps_back(size, calls):
    """What `calls` makes of the value before, again and again, and a gradient of each, last first."""
    nodes = [placeholder("primals_1", 0), placeholder("tangents_1", 1)]
    last, used, storage = "primals_1", [], 10
    for i in range(size // 4):
        made, last, to_use = calls(i, last, storage)
        nodes += made
        used.append(to_use)
        storage += 4
    grad = "tangents_1"
    for i in reversed(range(len(used))):
        nodes += [call(f"cos_{i}", "aten.cos.default", [used[i]], tensor(storage)),
                  call(f"grad_{i}", "aten.mul.Tensor", [grad, f"cos_{i}"], tensor(storage + 1))]
        grad, storage = f"grad_{i}", storage + 2
    return joint_graph(nodes, [last, grad])


def slow_chain(size):
    """A chain whose products need not the value before them in the backward: it is recomputed over long ways."""
    def calls(i, last, storage):
        if i % 8 == 0:
            return [call(f"layer_{i}", "aten.mm.default", [last, "weight"], tensor(storage))], f"layer_{i}", "weight"
        return [call(f"layer_{i}", "aten.sin.default", [last], tensor(storage))], f"layer_{i}", last
    graph = steps_back(size, calls)
    return {**graph, "nodes": [graph["nodes"][0], placeholder("weight", 2), *graph["nodes"][1:]]}


def collectives(size):
    """Values summed over all ranks."""
    def calls(i, last, storage):
        return [call(f"sum_{i}", "_c10d_functional.all_reduce.default", [last, Text("sum"), Text("0")], tensor(storage)),
                call(f"wait_{i}", "_c10d_functional.wait_tensor.default", [f"sum_{i}"], tensor(storage)),
                call(f"sin_{i}", "aten.sin.default", [f"wait_{i}"], tensor(storage + 1))], f"sin_{i}", f"wait_{i}"
    return steps_back(size, calls)


def writes(size):
    """Values that are overwritten once they are made."""
    def calls(i, last, storage):
        return [call(f"sin_{i}", "aten.sin.default", [last], tensor(storage)),
                call(f"add__{i}", "aten.add_.Tensor", [f"sin_{i}", 1.0], tensor(storage))], f"sin_{i}", f"sin_{i}"
    return steps_back(size, calls)


def one_buffer(size):
    """A buffer that is written and read again and again."""
    def calls(i, last, storage):
        first = [call("buffer", "aten.exp.default", ["primals_1"], tensor(2))] if i == 0 else []
        return [*first, call(f"view_{i}", "aten.alias.default", ["buffer"], tensor(2)),
                call(f"add__{i}", "aten.add_.Tensor", ["buffer", 1.0], tensor(2)),
                call(f"sin_{i}", "aten.sin.default", [f"view_{i}"], tensor(storage))], f"sin_{i}", f"sin_{i}"
    return steps_back(size, calls)


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
