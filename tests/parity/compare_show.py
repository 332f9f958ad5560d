#!/usr/bin/env python3
"""Compares `fxcut show` with what PyTorch itself prints for the same graphs.

usage: compare_show.py --tool FXCUT [--record DIR] PATH...

Needs torch (2.13 or 2.15) and tabulate. Each PATH is a graph in JSON or a directory of them. A graph is rebuilt in
torch.fx, and so are the forward and backward graphs that an .expected.json beside it holds; then the tool has to print

    --as code                what GraphModule.code is, and a line end
    --as code --readable     what GraphModule.print_readable prints, but for the lines of the program ("code: ...")
    --as code --as-traced    the same of a joint graph whose inputs and outputs are trees, with and without --readable
    --as table               what Graph.print_tabular prints, but for addresses

byte for byte. With --record PyTorch's texts of the graphs go to DIR as well (NAME.code, NAME.readable, ...); testdata/show
has those that the tests compare with. Graphs of another release than torch are left out. Exit status 0 where all is the
same, 1 where not, 2 where nothing was compared.
"""
import argparse
import contextlib
import difflib
import importlib
import io
import json
import pathlib
import re
import subprocess
import sys
import unittest.mock

import torch
import torch._inductor.inductor_prims
import torch.distributed._functional_collectives
import torch.fx as fx
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.passes.shape_prop import TensorMetadata
from torch.utils.checkpoint import CheckpointPolicy

with contextlib.suppress(ImportError):
    from torch._functorch._activation_offloading import offload_ops

OWN_OPERATORS = ("xla::name_tensor(Tensor t, str name) -> Tensor", "mylib::scaled_tanh(Tensor x, float s) -> Tensor",
                 "mylib::add_in_place(Tensor(a!) x, Tensor y) -> ()",
                 "mylib::mul_inplace(Tensor(a!) x, Tensor y) -> ()")
for declared in OWN_OPERATORS:
    name, schema = declared.split("(", 1)
    torch.library.define(name, "(" + schema)


class Unknown(Exception):
    """The graph has what this PyTorch lacks."""


class Text:
    """Prints as that text, wherever PyTorch prints a size that is symbolic."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    str = _graph_repr = __repr__


class ShownTensor(FakeTensor):
    """Has the dtype and shape of a tensor, and is none."""

    def __new__(cls, dtype, shape):
        tensor = torch.Tensor._make_subclass(cls, torch.empty(0, dtype=dtype))
        tensor.shown_shape = shape
        return tensor

    def __init__(self, dtype, shape):
        pass

    shape = property(lambda self: self.shown_shape)
    layout = torch.strided
    device = torch.device("cpu")
    __torch_function__ = torch._C._disabled_torch_function_impl


def attribute(root, path):
    try:
        for part in path.split("."):
            root = getattr(root, part)
    except AttributeError as error:
        raise Unknown(path) from error
    return root


def function_of(target):
    space, _, rest = target.partition(".")
    if space == "higher_order":
        return attribute(torch.ops.higher_order, rest)
    if space == "torch":
        return attribute(torch, rest)
    if space in ("operator", "math", "builtins"):
        return attribute(importlib.import_module(space), rest)
    return attribute(torch.ops, target)


def size(json_size):
    return Text(json_size["expr"]) if isinstance(json_size, dict) else json_size


def value(val):
    """What stands in meta["val"]: the type that PyTorch looks at, and text."""
    if val["kind"] == "tensor":
        return ShownTensor(getattr(torch, val["dtype"]), [size(s) for s in val["shape"]])
    if val["kind"] in ("symint", "symfloat", "symbool"):
        kind = {"symint": torch.SymInt, "symfloat": torch.SymFloat, "symbool": torch.SymBool}[val["kind"]]
        return kind(Text(val["expr"]))
    return None


class Rebuilt:
    """A GraphModule of the graph in `doc`."""

    def __init__(self, doc):
        self.nodes, self.graph = {}, fx.Graph()
        for node in doc["nodes"]:
            self.add(node)
        root = torch.nn.Module()
        for node in doc["nodes"]:
            if node["op"] != "get_attr":
                continue
            inner = doc.get("subgraphs", {}).get(node["target"])
            *path, last = node["target"].split(".")
            owner = root
            for part in path:
                if not hasattr(owner, part):
                    owner.add_module(part, torch.nn.Module())
                owner = getattr(owner, part)
            setattr(owner, last, Rebuilt(inner).module if inner else torch.nn.Buffer(torch.zeros(1)))
        self.module = fx.GraphModule(root, self.graph)

    def argument(self, json_argument):
        if isinstance(json_argument, list):
            return [self.argument(item) for item in json_argument]
        if not isinstance(json_argument, dict):
            return json_argument
        (kind, content), = json_argument.items()
        if kind == "node":
            return self.nodes[content]
        if kind == "tuple":
            return tuple(self.argument(item) for item in content)
        if kind == "slice":
            return slice(*(self.argument(item) for item in content))
        if kind == "dict":
            return {key: self.argument(item) for key, item in content.items()}
        if kind in ("dtype", "layout", "memory_format"):
            return attribute(torch, content)
        if kind == "device":
            return torch.device(content)
        if kind == "float":
            return float(content)
        if kind == "complex":
            return complex(*(self.argument(part) for part in content))
        if kind == "op":
            return function_of(content)
        if kind == "sym":
            return torch.SymInt(Text(content["expr"])) if isinstance(content, dict) else content
        raise Unknown(kind)

    def add(self, node):
        arguments = tuple(self.argument(a) for a in node.get("args", []))
        keywords = {key: self.argument(a) for key, a in node.get("kwargs", {}).items()}
        target = function_of(node["target"]) if node["op"] == "call_function" else node["target"]
        added = self.graph.create_node(node["op"], target, arguments, keywords, name=node["name"])
        assert added.name == node["name"], (added.name, node["name"])
        self.nodes[node["name"]] = added
        if "val" in node:
            added.meta["val"] = value(node["val"])
        if "tensor_meta" in node:
            known = node["tensor_meta"]
            shape = [size(s) for s in known["shape"]]
            dtype = getattr(torch, known["dtype"])
            added.meta["tensor_meta"] = TensorMetadata(shape, dtype, False, (), None, False, {})
        meta = node.get("meta", {})
        if "source" in meta:
            place = meta["source"]
            line = f'File "{place["file"]}", line {place["line"]}, in {place["function"]}'
            added.meta["stack_trace"] = line + "\n    CODE\n"
        for key in ("ac_graph_id", "custom"):
            if key in meta:
                added.meta[key] = meta[key]
        if "recompute" in meta:
            added.meta["recompute"] = CheckpointPolicy[meta["recompute"]]


def readable_text(module):
    return re.sub(r", code: .*", "", module.print_readable(print_output=False))


def table_text(graph):
    """What it prints, no function with its address."""
    import tabulate  # which other scripts that import this one do without

    make_table = tabulate.tabulate

    def without_addresses(rows, **options):
        rows = [[re.sub(r" at 0x[0-9a-f]+", "", str(cell)) for cell in row] for row in rows]
        return make_table(rows, **options)

    with contextlib.redirect_stdout(io.StringIO()) as out, unittest.mock.patch("tabulate.tabulate", without_addresses):
        graph.print_tabular()
    return out.getvalue()


def as_traced(module):
    """The same as the tracer of a joint graph hands it over."""
    graph = module.graph
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    lists = list(dict.fromkeys(re.sub(r"[\d_]+$", "", node.target) for node in inputs))
    tree = lambda leaves: pytree.tree_structure([0] * leaves)
    counts = [sum(re.sub(r"[\d_]+$", "", node.target) == name for node in inputs) for name in lists]
    spec = pytree.tree_structure(tuple([0] * count for count in counts))
    graph.set_codegen(fx.graph._PyTreeCodeGen(fx.graph._PyTreeInfo(lists, spec, tree(len(inputs)))))
    module.recompile()
    return module


def texts_of(doc):
    """By the suffix of its file, PyTorch's text; and how to ask the tool for it."""
    module = Rebuilt(doc).module
    texts = {"code": (module.code + "\n", ["--as", "code"]),
             "readable": (readable_text(module) + "\n", ["--as", "code", "--readable"]),
             "table": (table_text(module.graph), ["--as", "table"])}
    if doc["format"] == "fx-joint-graph":
        traced = as_traced(module)
        texts["traced"] = (traced.code + "\n", ["--as", "code", "--as-traced"])
        texts["traced.readable"] = (readable_text(traced) + "\n", ["--as", "code", "--as-traced", "--readable"])
    return texts


def sides_of(graph_path, doc):
    """The forward and backward graphs that PyTorch has made of it."""
    answers = graph_path.with_suffix(".expected.json")
    if not answers.exists():
        return
    shared = {key: doc[key] for key in ("producer", "ops", "subgraphs", "attributes") if key in doc}
    shared.update({"format": "fx-graph", "version": 1, "num_fwd_outputs": 0})
    for number, case in enumerate(json.loads(answers.read_text())["cases"]):
        for side in ("forward", "backward"):
            if side in case:
                yield f"{graph_path.stem}.{number}.{side}", {**shared, "side": side, "nodes": case[side]}


def graphs_in(paths, with_sides):
    for path in map(pathlib.Path, paths):
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            if file.name.endswith(".expected.json"):
                continue
            doc = json.loads(file.read_text())
            if isinstance(doc, dict) and doc.get("format") in ("fx-joint-graph", "fx-graph"):
                yield file.stem, doc
                yield from sides_of(file, doc) if with_sides else ()


def shown(tool, doc, options):
    run = subprocess.run([tool, "show", "-", *options], input=json.dumps(doc), capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else f"exit {run.returncode}: {run.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--record", metavar="DIR", type=pathlib.Path)
    parser.add_argument("paths", metavar="PATH", nargs="+")
    options = parser.parse_args()
    release = ".".join(torch.__version__.split(".")[:2])
    graphs = compared = 0
    differing, left_out = [], []
    for name, doc in graphs_in(options.paths, not options.record):
        made_by = re.search(r"torch (\d+\.\d+)", doc.get("producer", ""))
        if made_by and made_by[1] != release:
            left_out.append(name)
            continue
        try:
            texts = texts_of(doc)
        except Unknown as error:
            print(f"{name}: this PyTorch lacks {error}")
            left_out.append(name)
            continue
        graphs += 1
        for kind, (expected, arguments) in texts.items():
            compared += 1
            if options.record:
                (options.record / f"{name}.{kind}").write_text(expected)
            found = shown(options.tool, doc, arguments)
            if found != expected:
                differing.append(f"{name} {kind}")
                pair = (expected.splitlines(True), found.splitlines(True))
                difference = difflib.unified_diff(*pair, "PyTorch", "fxcut", n=0)
                sys.stdout.writelines([f"{name}: {kind} differs\n", *list(difference)[:12]])
    print(f"torch {torch.__version__}: {compared} texts of {graphs} graphs compared, {len(differing)} differ; "
          f"{len(left_out)} graphs left out")
    sys.exit(2 if not compared else 1 if differing else 0)


if __name__ == "__main__":
    main()
