#!/usr/bin/env python3
"""Write what inductor makes of each operator that it lowers, for make_lowering_table.py.

usage: dump_lowerings.py > lowerings-2.N.json, run by the Python of a PyTorch from 2.13 on; no GPU is needed.

Each operator is lowered by itself, a few times: with the arguments with which the samples of PyTorch's own tests call it, or else
with some that are made up from its schema. The IR that comes out says what it is.
"""
import collections
import contextlib
import itertools
import json
import logging
import sys
import types
import unittest
import warnings

sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase))  # PyTorch's tests ask for it

import sympy  # noqa: E402
import torch  # noqa: E402
import torch._inductor.inductor_prims  # noqa: E402
import torch._inductor.lowering as inductor  # noqa: E402
from torch._inductor import config, ir  # noqa: E402
from torch._inductor.graph import GraphLowering  # noqa: E402
from torch._inductor.ops_handler import MockHandler  # noqa: E402
from torch._inductor.virtualized import V  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.fx.experimental.symbolic_shapes import ShapeEnv  # noqa: E402
from torch.fx.passes.fake_tensor_prop import FakeTensorProp  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

MOST_CALLS = 8  # of an operator
SPACES = ("aten", "prims", "_c10d_functional", "quantized_decomposed", "inductor")


class Calls(TorchDispatchMode):
    """The arguments with which operators are called."""

    def __init__(self):
        super().__init__()
        self.of = collections.defaultdict(list)

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        if len(self.of[operator]) < MOST_CALLS:
            self.of[operator].append((args, kwargs or {}))
        return operator(*args, **(kwargs or {}))


def tensors_in(*values):
    return [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def run_with_gradients(op, sample):
    out = op(sample.input, *sample.args, **sample.kwargs)
    differentiable = [t for t in tensors_in(out) if t.requires_grad and t.is_floating_point()]
    if differentiable:
        inputs = [t for t in tensors_in(sample.input, sample.args, sample.kwargs) if t.requires_grad]
        torch.autograd.grad(sum(t.sum() for t in differentiable), inputs, allow_unused=True)


def sampled_calls():
    calls = Calls()
    for op in op_db:
        for dtype in (torch.float32, torch.int64, torch.bool):
            needs_grad = op.supports_autograd and dtype.is_floating_point
            samples = []
            with contextlib.suppress(Exception):  # the operator does not have this dtype
                samples = list(itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=needs_grad), 5))
            for sample in samples:
                with contextlib.suppress(Exception), calls:
                    run_with_gradients(op, sample)
            if samples:
                break
    return calls.of


def made_up_argument(argument):
    values = {"Tensor": torch.rand(4, 8), "List[Tensor]": [torch.rand(4, 8), torch.rand(4, 8)], "number": 0.5, "float": 0.5,
              "int": 1, "bool": False, "List[int]": [0, 1], "device": torch.device("cpu")}
    kind = str(argument.type)
    return None if kind.startswith("Optional") else values[kind]


def made_up_calls(operator):
    """With tensors of one shape: of floating point, and if that fails of integers and of booleans."""
    with contextlib.suppress(KeyError):
        given = [a for a in operator._schema.arguments if not a.has_default_value()]
        values = [made_up_argument(a) for a in given]
        for convert in (lambda t: t, lambda t: (4 * t).long(), lambda t: t.gt(0.5)):
            converted = pytree.tree_map_only(torch.Tensor, convert, values)
            yield ([v for a, v in zip(given, converted) if not a.kwarg_only],
                   {a.name: v for a, v in zip(given, converted) if a.kwarg_only})


class Loads(MockHandler):
    """Notes from where an expression loads."""

    def __init__(self):
        self.found = []

    def load(self, name, index):
        self.found.append((name, index))
        return f"{name}[{index}]"

    def indirect_indexing(self, index, size, check=True, wrap_neg=True):
        return sympy.Symbol("computed")


def reads_where_it_writes(expression, graph):
    """Whether each load is of the element at the loops' own place, but for dimensions of size 1 and missing ones."""
    loops = [sympy.Symbol(f"i{d}", integer=True) if size != 1 else sympy.S.Zero for d, size in enumerate(expression.get_size())]
    loads = Loads()
    with V.set_ops_handler(loads):
        expression.inner_fn(loops)
    for name, index in loads.found:
        buffer = graph.try_get_buffer(name) or graph.graph_inputs[name]
        sizes, strides = buffer.get_size(), buffer.get_layout().stride
        if len(sizes) > len(loops):
            return False
        own = sum((i * s for i, s, n in zip(loops[len(loops) - len(sizes):], strides, sizes) if n != 1), sympy.S.Zero)
        if sympy.expand(sympy.sympify(index) - own) != 0:
            return False
    return True


def is_reduction(node):
    return isinstance(node, ir.ComputedBuffer) and isinstance(node.data, ir.Reduction)


def kind_of(value, graph, before):
    """`before`: how many buffers the graph had before the call. None for what says nothing: a number, one of the inputs."""
    if isinstance(value, (list, tuple)):
        kinds = [kind_of(item, graph, before) for item in value if isinstance(item, ir.IRNode)]
        return kinds[0] if kinds else None
    if not isinstance(value, ir.IRNode):
        return None
    node = value.data if isinstance(value, ir.MutableBox) else value
    if isinstance(node, ir.BaseView):
        return "View"
    node = node.data if isinstance(node, ir.StorageBox) else node
    if isinstance(node, ir.ConcatKernel):
        return "Stored"
    if isinstance(node, (ir.ExternKernel, ir.MultiOutput)):
        return "Extern"
    if isinstance(node, ir.Reduction) or is_reduction(node) or any(map(is_reduction, graph.buffers[before:])):
        return "Reduction"
    if isinstance(node, ir.ComputedBuffer):
        return "Stored"
    if isinstance(node, ir.Pointwise):
        return "Pointwise" if reads_where_it_writes(node, graph) else "Indirect"
    return None if isinstance(node, (ir.InputBuffer, ir.ConstantBuffer)) else "Extern"


class Lowering(GraphLowering):
    def call_function(self, target, args, kwargs):
        before = len(self.buffers)
        value = super().call_function(target, args, kwargs)
        self.kind = kind_of(value, self, before)
        return value


def lowered(operator, args, kwargs):
    graph, inputs = torch.fx.Graph(), tensors_in(args, kwargs)
    nodes = {id(t): graph.placeholder(f"arg{i}_1") for i, t in enumerate(inputs)}
    given = pytree.tree_map_only(torch.Tensor, lambda t: nodes[id(t)], (args, kwargs))
    call = graph.call_function(operator, tuple(given[0]), given[1])
    graph.output((nodes[id(inputs[0])],) if inputs else (call,))
    module, shapes = torch.fx.GraphModule({}, graph), ShapeEnv()
    fake = FakeTensorMode(shape_env=shapes, static_shapes=True)
    fakes = [fake.from_tensor(t.detach()) for t in inputs]
    FakeTensorProp(module, fake).propagate_dont_convert_inputs(*fakes)
    lowering = Lowering(module, example_inputs=fakes, shape_env=shapes)
    with V.set_graph_handler(lowering), V.set_fake_mode(fake):
        lowering.run(*fakes)
    return lowering.kind


def operators():
    """Those that are lowered and may be in a functional graph."""
    for operator in inductor.lowerings:
        if not isinstance(operator, torch._ops.OpOverload) or operator.namespace not in SPACES:
            continue
        schema = operator._schema
        has_tensors = any("Tensor" in str(a.type) for a in [*schema.arguments, *schema.returns])
        if has_tensors and not schema.is_mutable:
            yield operator


def kinds():
    """By packet how often which kind came out."""
    found, samples = collections.defaultdict(collections.Counter), sampled_calls()
    for operator in operators():
        counts = found[str(operator.overloadpacket)]
        tried = collections.Counter()
        for args, kwargs in samples.get(operator) or made_up_calls(operator):
            with contextlib.suppress(Exception):  # made-up arguments need not suit it
                tried[str(lowered(operator, args, kwargs))] += 1
        counts.update(tried or ({"Extern": 1} if operator in inductor.fallbacks else {}))
    return {packet: dict(sorted(found[packet].items())) for packet in sorted(found)}


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    config.unroll_reductions_threshold = 1  # the samples are small
    release = ".".join(torch.__version__.split(".")[:2])
    json.dump({"release": release, "packets": kinds()}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
