#!/usr/bin/env python3
"""Records what this PyTorch's partitioners decide: the joint graphs of the functions in functions.py, and its answers.

usage: record.py OUTPUT [NAME...]       OUTPUT: a folder, or an archive NAME.tar.xz. NAME: of functions; all, unless given

Needs torch, any release from 2.4 on, with networkx and numpy, and the package fxcut on PYTHONPATH. One process, on a CPU. Each function is
compiled once. What AOTAutograd, or inductor, gives its partitioner is NAME.json, and what the partitioners of this
PyTorch make of it under many settings is NAME.expected.json, both in the form of the other graphs in testdata. A graph that is
changed after the trace is NAME.EDIT.json (edits.py).

An answer counts where PyTorch gives it each time that it is asked: some releases decide ties by the addresses of nodes. Printed are
the graphs, and what is left out and why.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import logging
import random
import sys
import tarfile
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import networkx
import torch
from compatibility import (
    UNKNOWN_SIZE,
    accepted,
    random_numbers_as_on_cuda,
    settings_of_dynamo,
    states_of_gpu,
    stir_memory,
)
from edits import EDITS, edits_of, move
from functions import FUNCTIONS, Function
from functorch.compile import make_boxed_func
from fxcut.targets import target_name
from fxcut.to_json import Encoder, joint_graph_to_json
from fxcut.torch_releases import RELEASE
from settings import Case, cases_of_edited, cases_of_function
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config as functorch_config
from torch._functorch import partitioners
from torch._inductor import compile_fx

Json = dict[str, Any]
TIMES_ASKED = 6 if RELEASE < (2, 6) else 3 if RELEASE < (2, 8) else 2  # under a memory budget; else one time less
# Failures that say nothing about PyTorch's decision: Python 3.11 cannot hash a slice, some releases need a GPU or packages.
NO_ANSWERS = (
    "unhashable type: 'slice'",
    "Accelerator expected",
    "the current accelerator",
    "No module named",
    "NVIDIA driver",
    "not compiled with CUDA",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if unknown := set(options.names) - set(FUNCTIONS):
        parser.error(f"no such functions: {', '.join(sorted(unknown))}; there are {', '.join(FUNCTIONS)}")
    chosen = {name: FUNCTIONS[name] for name in options.names or FUNCTIONS}
    logging.disable(logging.WARNING)
    partitioners.visualize_min_cut_graph = lambda network: (None, None)  # a drawing of what cannot be partitioned takes minutes
    output = options.output.resolve()
    with tempfile.TemporaryDirectory() as folder:
        if output.suffix == ".xz":
            record_all(chosen, Path(folder))
            pack(Path(folder), output)
        else:
            output.mkdir(parents=True, exist_ok=True)
            record_all(chosen, output)
    return 0


def record_all(functions: dict[str, Function], output: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # where PyTorch leaves a text of what it refuses
        for name, function in functions.items():
            if RELEASE < function.since:
                print(f"{name}: left out: since {function.since[0]}.{function.since[1]}")
            else:
                record(name, function, output)


def pack(folder: Path, archive: Path) -> None:
    """The same bytes for the same files."""
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        for path in sorted(folder.iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            with path.open("rb") as file:
                packed.addfile(member, file)


def record(name: str, function: Function, output: Path) -> None:
    recorder = Recorder(name, function, output)
    try:
        with surroundings(function):
            compile_with(function, recorder)
    except Exception as error:
        if not recorder.graphs:  # else the graph is recorded, and only cannot run here
            print(f"{name}: left out: {one_line(error)}")
    if recorder.failure:
        print(f"{name}: left out: {one_line(recorder.failure)}")


def one_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)[:300]}"


@contextlib.contextmanager
def surroundings(function: Function) -> Iterator[None]:
    """All that is set while a function is made and compiled."""
    torch.manual_seed(0)
    torch.compiler.reset()
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(functorch_config.patch(**function.functorch))
        stack.enter_context(torch._dynamo.config.patch(**settings_of_dynamo(), **function.dynamo))
        if function.functorch.get("functionalize_rng_ops"):
            stack.enter_context(random_numbers_as_on_cuda())
        if function.ranks:
            stack.enter_context(fake_ranks(function.ranks))
        yield


@contextlib.contextmanager
def fake_ranks(count: int) -> Iterator[None]:
    from torch.testing._internal.distributed.fake_pg import FakeStore

    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=count)
    yield
    torch.distributed.destroy_process_group()


def compile_with(function: Function, partition: Callable[..., Any]) -> None:
    """Compiles the function, so that its joint graph reaches `partition`, and calls it once."""
    run, arguments = function.make()
    if function.backend == "inductor":
        with mock.patch.object(compile_fx, "min_cut_rematerialization_partition", partition):
            torch.compile(run, backend=inductor_without_code, dynamic=function.dynamic, fullgraph=True)(*arguments)
    else:
        as_it_is = lambda module, inputs: make_boxed_func(module.forward)  # noqa: E731
        backend = aot_autograd(fw_compiler=as_it_is, bw_compiler=as_it_is, partition_fn=partition, keep_inference_input_mutations=True)
        torch.compile(run, backend=backend, dynamic=function.dynamic, fullgraph=True)(*arguments)


def inductor_without_code(module: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    """All that inductor does up to the partition."""
    as_it_is = lambda part, inputs, **others: make_boxed_func(part.forward)  # noqa: E731
    without_cache = {"fx_graph_cache": False} if RELEASE < (2, 5) else {"force_disable_caches": True}
    return compile_fx.compile_fx(module, inputs, inner_compile=as_it_is, config_patches=without_cache)


class Recorder:
    """A partition function: writes down the graph and PyTorch's answers, and then decides as PyTorch does."""

    def __init__(self, name: str, function: Function, output: Path) -> None:
        self.name, self.function, self.output = name, function, output
        self.graphs = 0
        self.failure: Exception | None = None

    def __call__(self, joint: fx.GraphModule, inputs: Any, **options: Any) -> Any:
        decide = partitioners.min_cut_rematerialization_partition
        self.graphs += 1
        name = self.name if self.graphs == 1 else f"{self.name}_{self.graphs}"
        try:
            self.record(name, joint, inputs, options)
        except Exception as error:
            self.failure = error
        return decide(joint, inputs, **accepted(decide, options))

    def record(self, name: str, joint: fx.GraphModule, inputs: Any, options: Json) -> None:
        facts = {key: options.get(key) for key in ("num_fwd_outputs", "static_lifetime_input_indices")}
        write_with_answers(self.output, name, Question(joint, inputs, facts), cases_of_function())
        for edit in edits_of(self.function.edits):
            edited = clone(joint)
            EDITS[edit](edited, random.Random(name))
            with states_of_gpu() if edit == "on_cuda" else contextlib.nullcontext():
                write_with_answers(self.output, f"{name}.{edit}", Question(edited, inputs, facts), cases_of_edited(edit))
            if edit == "on_cuda":
                move(joint, "cpu")


class Question:
    """A joint graph, and what a partitioner is told besides."""

    def __init__(self, joint: fx.GraphModule, inputs: Any, facts: Json) -> None:
        self.joint, self.inputs, self.facts = joint, inputs, facts

    def document(self, name: str) -> Json:
        document = joint_graph_to_json(self.joint, name=name, num_fwd_outputs=self.facts["num_fwd_outputs"])
        document["static_lifetime_inputs"] = self.static_inputs()
        for node in document["nodes"]:
            meta = node.get("meta", {})
            meta.pop("source", None)  # which changes with every line of functions.py
            meta.pop("user_source", None)
        return document

    def static_inputs(self) -> list[str]:
        """As PyTorch's partitioners find them, by number among the primals; releases before 2.8 do not."""
        primals = [node for node in self.joint.graph.nodes if partitioners._is_primal(node)]
        indices = set(self.facts["static_lifetime_input_indices"] or ())
        return [node.name for place, node in enumerate(primals) if place in indices]


def clone(joint: fx.GraphModule) -> fx.GraphModule:
    stir_memory()
    return fx.GraphModule(joint, copy.deepcopy(joint.graph))


def write_with_answers(folder: Path, name: str, question: Question, cases: list[Case]) -> None:
    document = question.document(name)
    extents = extents_of_storages(document)
    answers: list[Json] = []
    for case in cases:
        answer = settled_answer(question, document, extents, case)
        if isinstance(answer, str):
            print(f"{name}: left out: {case[0]} {json.dumps(case[1])}: {answer}")
        else:
            answers.append(answer)
    leave_out_repeated_graphs(answers)
    write(folder / f"{name}.json", document)
    expected = {"graph": name, "oracle": f"torch {torch.__version__}", "flops": flops_of(question.joint), "cases": answers}
    write(folder / f"{name}.expected.json", expected)
    print(f"{name}: {len(document['nodes'])} nodes, {len(answers)} cases, {sum('error' in each for each in answers)} of them refused")


def settled_answer(question: Question, document: Json, extents: dict[int, int], case: Case) -> Json | str:
    """PyTorch's answer, or why there is none."""
    clones, answers = [], []
    for _ in range(TIMES_ASKED - (case[1].get("activation_memory_budget", 1) in (0, 1))):
        clones.append(clone(question.joint))  # all of them live, so that no two have nodes at the same addresses
        answers.append(ask(clones[-1], question, document, extents, case))
    if any(answer != answers[0] for answer in answers[1:]):
        return "PyTorch answers now so, now otherwise"
    error = answers[0].get("error", "")
    return f"no answer: {error}" if any(text in error for text in NO_ANSWERS) else answers[0]


def ask(joint: fx.GraphModule, question: Question, document: Json, extents: dict[int, int], case: Case) -> Json:
    """A case of an .expected.json file."""
    partitioner, settings = case
    decide = partitioners.default_partition if partitioner == "default" else partitioners.min_cut_rematerialization_partition
    answer: Json = {"partitioner": partitioner, "config": settings, "cuts": []}
    try:
        with watched_cuts(answer["cuts"]), watched_saved_values(answer), functorch_config.patch(**settings):
            parts = decide(joint, question.inputs, **accepted(decide, question.facts))
    except Exception as error:
        return {"partitioner": partitioner, "config": settings, "cuts": [], "error": f"{type(error).__name__}: {str(error)[:400]}"}
    answer["saved_bytes_not_static"] = storage_bytes(document, extents, answer["saved_values"])
    answer["recomputed_flops"] = recomputed_flops(question.joint, parts)
    answer["forward"], answer["backward"] = (bare_nodes(part.graph) for part in parts)
    subgraphs = {name: nodes for part in parts for name, nodes in bare_subgraphs(part).items()}
    if subgraphs:
        answer["subgraphs"] = subgraphs
    return answer


@contextlib.contextmanager
def watched_cuts(cuts: list[Json]) -> Iterator[None]:
    solver = partitioners if hasattr(partitioners, "minimum_cut") else networkx  # since 2.15 PyTorch has its own
    original = solver.minimum_cut

    def watched(network: Any, *arguments: Any, **options: Any) -> Any:
        found = original(network, *arguments, **options)
        cuts.append({"cut_value": found[0], "vertices": network.number_of_nodes(), "edges": network.number_of_edges()})
        return found

    with mock.patch.object(solver, "minimum_cut", watched):
        yield


@contextlib.contextmanager
def watched_saved_values(answer: Json) -> Iterator[None]:
    original = partitioners._extract_fwd_bwd_modules

    def watched(module: fx.GraphModule, saved_values: list[fx.Node], *arguments: Any, **options: Any) -> Any:
        symbols = options["saved_sym_nodes"] if "saved_sym_nodes" in options else arguments[0]
        parts = original(module, saved_values, *arguments, **options)  # which drops from both what the backward does not need
        answer["saved_values"] = [node.name for node in saved_values]
        answer["saved_sym_nodes"] = [node.name for node in symbols]
        answer["saved_bytes"] = int(sum(partitioners._size_of(node) for node in saved_values))
        return parts

    with mock.patch.object(partitioners, "_extract_fwd_bwd_modules", watched):
        yield


def recomputed_flops(joint: fx.GraphModule, parts: tuple[fx.GraphModule, fx.GraphModule]) -> int:
    forward, backward = ({node.name for node in part.graph.nodes if node.op == "call_function"} for part in parts)
    return sum(flops(node) for node in joint.graph.nodes if node.name in forward & backward)


def flops(node: fx.Node) -> int:
    """At least 1, and 1 where PyTorch cannot count."""
    try:
        with functorch_config.patch(activation_memory_budget_runtime_estimator="flops"):
            return max(1, int(partitioners.estimate_runtime(node)))
    except Exception:
        return 1


def flops_of(joint: fx.GraphModule) -> Json:
    counted = {node.name: flops(node) for node in joint.graph.nodes if node.op == "call_function"}
    return {name: count for name, count in counted.items() if count != 1}


def extents_of_storages(document: Json) -> dict[int, int]:
    """Bytes by storage: the largest extent of any value in it."""
    extents: dict[int, int] = {}
    for node in document["nodes"]:
        for tensor in tensors_in(node.get("val")):
            if "storage" in tensor:
                extents[tensor["storage"]] = max(extents.get(tensor["storage"], 0), extent(tensor))
    return extents


def tensors_in(value: Json | None) -> Iterator[Json]:
    if value and value["kind"] == "tensor":
        yield value
    elif value and value["kind"] == "tuple":
        for item in value["items"]:
            yield from tensors_in(item)


def extent(tensor: Json) -> int:
    sizes = [number_of(size) for size in tensor["shape"]]
    steps = [number_of(step) for step in tensor.get("stride", ())]
    item = torch.empty(0, dtype=getattr(torch, tensor["dtype"])).element_size()
    return item * (1 + sum((size - 1) * step for size, step in zip(sizes, steps))) if all(sizes) else 0


def number_of(size: Any) -> int:
    if isinstance(size, dict):
        return UNKNOWN_SIZE if size["hint"] is None else size["hint"]
    return size


def storage_bytes(document: Json, extents: dict[int, int], saved: list[str]) -> int:
    """Of the storages that saved tensors keep alive, without those of inputs that live anyway."""
    values = {node["name"]: node.get("val") or {} for node in document["nodes"]}
    resident = set(document["static_lifetime_inputs"])
    kept = {values[name].get("storage") for name in saved if name not in resident}
    return sum(extents[storage] for storage in kept - {None} - {values[name].get("storage") for name in resident})


def bare_nodes(graph: fx.Graph) -> list[Json]:
    """The nodes without their values and meta."""
    encoder = Encoder()
    nodes = []
    for node in graph.nodes:
        bare = {"name": node.name, "op": node.op, "target": target_name(node.target)}
        if node.op in ("call_function", "output"):
            bare["args"] = [encoder.argument(each) for each in node.args]
            if node.kwargs:
                bare["kwargs"] = {key: encoder.argument(each) for key, each in node.kwargs.items()}
        nodes.append(bare)
    return nodes


def bare_subgraphs(module: fx.GraphModule) -> dict[str, list[Json]]:
    names = [node.target for node in module.graph.nodes if node.op == "get_attr"]
    parts = {name: getattr(module, name, None) for name in names}
    return {name: bare_nodes(part.graph) for name, part in parts.items() if isinstance(part, fx.GraphModule)}


def leave_out_repeated_graphs(answers: list[Json]) -> None:
    """Two graphs that an earlier case has as well are not written again."""
    known: list[Any] = []
    for answer in answers:
        graphs = {key: answer[key] for key in ("forward", "backward", "subgraphs") if key in answer}
        if not graphs:
            continue
        if graphs in known:
            for key in graphs:
                del answer[key]
        known.append(graphs)


def write(path: Path, document: Json) -> None:
    """JSON with one node a line."""
    text = json.dumps(document, separators=(",", ":"))
    path.write_text(text.replace('{"name":', '\n{"name":').replace('"ops":', '\n"ops":') + "\n")


if __name__ == "__main__":
    sys.exit(main())
