#!/usr/bin/env python3
"""Makes the graphs of this folder, and PyTorch's own answers to them.

usage: make.py [--suffix _2_15] [NAME...]

Needs torch, networkx and the package fxcut; one process, on a CPU. Each model of models.py is compiled once; what AOTAutograd gives
its partitioner is NAME.json, and what min_cut_rematerialization_partition makes of it NAME.expected.json. Of the models that gather
parameters there is a second graph, NAME_resharded: the same, with the nodes marked that torchtitan's pass for
reshard_after_forward marks (annotate_fsdp_all_gather), and PyTorch's answer to that.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import networkx
import torch
from functorch.compile import make_boxed_func
from models import MODELS
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config as functorch_config
from torch._functorch import partitioners
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils.checkpoint import CheckpointPolicy

from fxcut.to_json import joint_graph_to_json

Json = dict[str, Any]
GATHER = torch.ops._c10d_functional.all_gather_into_tensor.default
WAIT = torch.ops._c10d_functional.wait_tensor.default
REGION = 100000  # torchtitan's ac_graph_id of what it marks: after all regions of a model's own


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suffix", default="", help="of the names, for a release of PyTorch that is not 2.13")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name, (make, ranks) in MODELS.items():
        if options.names and name not in options.names:
            continue
        with world_of(ranks):
            capture(name + options.suffix, *make())
            if name.startswith("fsdp"):
                capture(f"{name}_resharded{options.suffix}", *make(), mark=mark_gathered)
    return 0


@contextlib.contextmanager
def world_of(ranks: int) -> Iterator[None]:
    torch.manual_seed(0)
    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=ranks)
    yield
    torch.distributed.destroy_process_group()


def capture(
    name: str, model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], mark: Callable[[fx.Graph], None] = lambda graph: None
) -> None:
    graphs = 0

    def partition(joint: fx.GraphModule, joint_inputs: Any, *, num_fwd_outputs: int, **others: Any) -> Any:
        nonlocal graphs
        graphs += 1
        mark(joint.graph)
        facts = {
            "num_fwd_outputs": num_fwd_outputs,
            "static_lifetime_input_indices": others.get("static_lifetime_input_indices"),
        }
        document = joint_graph_to_json(joint, name=name, **facts)
        for node in document["nodes"]:
            for place in ("source", "user_source"):  # which change with every line of models.py
                node.get("meta", {}).pop(place, None)
        write(f"{name}.json", document)  # before the partitioner changes the graph
        case, parts = answer(joint, joint_inputs, facts)
        write(f"{name}.expected.json", {"graph": name, "oracle": f"torch {torch.__version__}", "flops": None, "cases": [case]})
        print(name, len(document["nodes"]), case["saved_values"])
        return parts

    torch.compiler.reset()
    run = lambda module, inputs: make_boxed_func(module.forward)
    backend = aot_autograd(fw_compiler=run, bw_compiler=run, partition_fn=partition, keep_inference_input_mutations=True)
    torch.compile(model, backend=backend, fullgraph=True)(*inputs)
    if graphs != 1:
        sys.exit(f"{name}: {graphs} graphs instead of one")


def mark_gathered(graph: fx.Graph) -> None:
    """Marks the gathers of parameters to be recomputed: a gather whose source is computed from one input alone, its wait, the casts
    before it, and the slices after it."""
    for wait in graph.find_nodes(op="call_function", target=WAIT):
        (gather,) = wait.all_input_nodes
        if gather.target is not GATHER or not is_of_one_input(gather):
            continue
        cast = gather.args[0]
        slices = [user for user in wait.users if user.target is torch.ops.aten.slice.Tensor]
        casts = [cast] if cast.target is torch.ops.prims.convert_element_type.default else []
        casts += [cast] if cast.target is torch.ops.aten._to_copy.default else []
        for node in (gather, wait, *slices, *casts):
            node.meta["recompute"] = CheckpointPolicy.MUST_RECOMPUTE
            node.meta["ac_graph_id"] = REGION


def is_of_one_input(node: fx.Node) -> bool:
    while len(node.all_input_nodes) == 1:
        (node,) = node.all_input_nodes
    return node.op == "placeholder"


def answer(joint: fx.GraphModule, joint_inputs: Any, facts: Json) -> tuple[Json, tuple[fx.GraphModule, fx.GraphModule]]:
    """What PyTorch's partitioner decides, as a case of an .expected.json file."""
    case: Json = {"partitioner": "min_cut", "config": {}, "cuts": []}
    solver, name = (partitioners, "minimum_cut") if hasattr(partitioners, "minimum_cut") else (networkx, "minimum_cut")
    cut, extract = getattr(solver, name), partitioners._extract_fwd_bwd_modules

    def watched_cut(network: Any, *args: Any, **kwargs: Any) -> Any:
        found = cut(network, *args, **kwargs)
        sizes = {"vertices": network.number_of_nodes(), "edges": network.number_of_edges()}
        case["cuts"].append({"cut_value": found[0], **sizes})
        return found

    def watched_extract(module: fx.GraphModule, values: list[fx.Node], saved_sym_nodes: list[fx.Node], **others: Any) -> Any:
        symbols = saved_sym_nodes
        case.update(totals(module, values, facts["static_lifetime_input_indices"] or ()))
        case.update(saved_values=[value.name for value in values], saved_sym_nodes=[symbol.name for symbol in symbols])
        return extract(module, values, saved_sym_nodes=symbols, **others)

    with (
        mock.patch.object(solver, name, watched_cut),
        mock.patch.object(partitioners, "_extract_fwd_bwd_modules", watched_extract),
    ):
        parts = partitioners.min_cut_rematerialization_partition(joint, joint_inputs, **facts)
    names = [{node.name for node in part.graph.nodes if node.op == "call_function"} for part in parts]
    with functorch_config.patch(activation_memory_budget_runtime_estimator="flops"):
        twice = [node for node in joint.graph.nodes if node.name in names[0] & names[1]]
        case["recomputed_flops"] = int(sum(partitioners.estimate_runtime(node) for node in twice))
    for part, module in zip(("forward", "backward"), parts):
        case[part] = [bare(node) for node in joint_graph_to_json(module, name=part, num_fwd_outputs=1)["nodes"]]
    return case, parts


def totals(joint: fx.GraphModule, values: list[fx.Node], static: tuple[int, ...]) -> Json:
    placeholders = [node for node in joint.graph.nodes if node.op == "placeholder"]
    resident = {placeholders[position] for position in static}
    by_storage: dict[int, int] = {}
    for value in values:
        if value not in resident:
            storage = value.meta["val"].untyped_storage()._cdata
            by_storage[storage] = max(by_storage.get(storage, 0), partitioners._size_of(value))
    return {
        "saved_bytes": sum(partitioners._size_of(value) for value in values),
        "saved_bytes_not_static": sum(by_storage.values()),
    }


def bare(node: Json) -> Json:
    return {key: value for key, value in node.items() if key not in ("val", "tensor_meta", "meta")}


def write(name: str, document: Json) -> None:
    """JSON with one node a line."""
    dumped = json.dumps({key: value for key, value in document.items() if value is not None}, separators=(",", ":"))
    (Path(__file__).parent / name).write_text(dumped.replace('{"name":', '\n{"name":').replace('"ops":', '\n"ops":') + "\n")


if __name__ == "__main__":
    sys.exit(main())
