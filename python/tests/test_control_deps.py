"""A control_deps call over values of both sides: PyTorch has split it since 2.14, and refused the graph before."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import fx
from torch._functorch.partitioners import min_cut_rematerialization_partition as PYTORCHS
from torch._subclasses import FakeTensorMode

import fxcut
from fxcut.torch_releases import SPLIT_CONTROL_DEPS

pytestmark = pytest.mark.brief

control_deps = pytest.importorskip(
    "torch._inductor.fx_passes.control_dependencies", reason="this PyTorch has no control_deps"
).control_deps

ATEN = torch.ops.aten


def calls(graph: fx.Graph, value: Any, tag: str) -> Any:
    """Adds calls whose results are tensors like `value`, or have a value of their own."""

    def call(target: Any, *args: Any, val: Any = value) -> fx.Node:
        node = graph.call_function(target, args)
        node.meta.update(val=val, partitioner_tag=tag)
        return node

    return call


def subgraph(value: Any, operation_on: int) -> fx.GraphModule:
    graph = fx.Graph()
    deps = [graph.placeholder(f"dep_{i}") for i in range(2)]
    for dep in deps:
        dep.meta["val"] = value
    result = calls(graph, value, "is_forward")(ATEN.sin.default, deps[operation_on])
    graph.output((result, *deps))
    return fx.GraphModule({}, graph)


def joint_graph(operation_on: int) -> fx.GraphModule:
    """A value of the forward and one of the backward go through one call."""
    with FakeTensorMode():
        value = torch.empty(8, 8)
    graph = fx.Graph()
    primal, weight, tangent = (graph.placeholder(name) for name in ("primals_1", "primals_2", "tangents_1"))
    for node in (primal, weight, tangent):
        node.meta.update(val=value, partitioner_tag="is_backward" if node is tangent else "is_forward")
    forward, backward = calls(graph, value, "is_forward"), calls(graph, value, "is_backward")
    exp, double = forward(ATEN.exp.default, primal), backward(ATEN.mul.Tensor, tangent, 2.0)
    attribute = graph.get_attr("region")
    attribute.meta["partitioner_tag"] = "is_forward"
    both = forward(control_deps, (exp,), attribute, exp, double, val=(value, value, value))
    product = forward(ATEN.mm.default, forward(operator.getitem, both, 1), weight)
    gradient = backward(ATEN.cos.default, backward(ATEN.mul.Tensor, backward(operator.getitem, both, 2), primal))
    graph.output((product, gradient, None))
    return fx.GraphModule({"region": subgraph(value, operation_on)}, graph)


def described(module: fx.GraphModule) -> list[Any]:
    nodes: list[Any] = []
    for node in module.graph.nodes:
        nodes.append((node.name, node.op, str(node.target), str(node.args)))
        if node.op == "get_attr":
            nodes.append(described(getattr(module, node.target)))
    return nodes


def partitioned(partition: Callable[..., Any], operation_on: int) -> list[Any]:
    return [described(side) for side in partition(joint_graph(operation_on), [], num_fwd_outputs=1)]


@pytest.mark.parametrize("operation_on", [0, 1])
def test_a_call_over_both_sides_is_split_as_pytorch_does(operation_on: int) -> None:
    if not SPLIT_CONTROL_DEPS.is_met():
        with pytest.raises(AssertionError, match="was invalid"):
            partitioned(PYTORCHS, operation_on)
        with pytest.raises(fxcut.NoPartition):
            partitioned(fxcut.Partitioner(), operation_on)
        return
    ours = partitioned(fxcut.Partitioner(), operation_on)
    assert ours == partitioned(PYTORCHS, operation_on)
    assert "subgraph_cd_extract" in str(ours)
