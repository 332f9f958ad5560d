"""The capture gives the graphs of the corpus, where this PyTorch has one, and graphs that the schema accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode

import fxcut
from functions import EXAMPLES
from fxcut.torch_releases import DECISIONS, FAKE_TENSORS, RELEASE
from models import CORPUS_MODELS, OLDEST_FOR_TRANSFORMERS
from same_graph import differences, read

BRIEF_MODELS = ("llama_4layer", "resnet18")


@pytest.fixture(autouse=True)
def sizes_that_depend_on_data():
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        yield


@pytest.mark.brief
@pytest.mark.parametrize("name", EXAMPLES)
def test_functions_are_captured_as_in_the_corpus(name: str, corpus: Path | None, schema: Path) -> None:
    example = EXAMPLES[name]
    capture = fxcut.capture_with(backend=example.backend, dynamic=example.dynamic)
    graph, *others = capture(example.function, *example.arguments())
    jsonschema.validate(graph, read(schema))
    assert not others
    if corpus is not None:
        assert differences(graph, read(corpus / f"{name}.json")) == []


def every_model() -> Iterator[Any]:
    for name in CORPUS_MODELS:
        yield pytest.param(name, marks=[pytest.mark.brief] if name in BRIEF_MODELS else [])


@pytest.mark.parametrize("name", list(every_model()))
def test_models_are_captured_as_in_the_corpus(name: str, corpus: Path | None, schema: Path) -> None:
    if RELEASE < OLDEST_FOR_TRANSFORMERS:
        pytest.skip("transformers asks for a newer PyTorch")
    model, inputs = CORPUS_MODELS[name]()
    graph, *_ = fxcut.capture(model, **inputs)
    jsonschema.validate(graph, read(schema))
    if corpus is not None:
        assert differences(graph, read(corpus / f"{name}.json")) == []


@pytest.mark.brief
@pytest.mark.parametrize(("backend", "threads", "said"), [("inductor", 1, True), ("inductor", 2, None), ("aot_eager", 1, None)])
def test_a_graph_says_that_inductor_has_one_thread(backend: str, threads: int, said: bool | None, schema: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        graph, *_ = fxcut.capture_with(backend=backend)(lambda x: x.sin().sum(), torch.randn(4, requires_grad=True))
    finally:
        torch.set_num_threads(before)
    jsonschema.validate(graph, read(schema))
    assert graph.get("single_threaded") is said


@pytest.mark.brief
@pytest.mark.parametrize(("precision", "said"), [("highest", None), ("high", "high")])
def test_a_graph_says_that_products_may_use_tf32(precision: str, said: str | None, schema: Path) -> None:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        graph, *_ = fxcut.capture(lambda x: (x @ x).sum(), torch.randn(4, 4, requires_grad=True))
    finally:
        torch.set_float32_matmul_precision(before)
    jsonschema.validate(graph, read(schema))
    assert graph.get("float32_matmul_precision") == said


@pytest.mark.brief
def test_a_graph_break_gives_two_graphs() -> None:
    def broken(x: Tensor) -> Tensor:
        y = torch.sin(x)
        torch._dynamo.graph_break()
        return torch.cos(y).sum()

    graphs = fxcut.capture(broken, torch.randn(4, requires_grad=True))
    called = [[n["target"] for n in graph["nodes"] if n["op"] == "call_function"][0] for graph in graphs]
    assert called == ["aten.sin.default", "aten.cos.default"]
    assert [graph["name"].split(".")[-1] for graph in graphs] == ["broken", "broken_1"]


@pytest.mark.brief
def test_nothing_with_a_gradient_is_told() -> None:
    with pytest.raises(fxcut.NothingCaptured, match="no result of the call has a gradient"):
        fxcut.capture(torch.sin, torch.randn(4))


@pytest.mark.brief
def test_what_dynamo_leaves_to_eager_is_told() -> None:
    @torch._dynamo.disable
    def left(x: torch.Tensor) -> torch.Tensor:
        return torch.sin(x).sum()

    def whole(x: torch.Tensor) -> torch.Tensor:
        return left(x)

    with pytest.raises(fxcut.NothingCaptured, match="leaves all that has a gradient to eager PyTorch"):
        fxcut.capture(whole, torch.randn(4, requires_grad=True))


@pytest.mark.brief
def test_a_model_that_fits_into_no_memory() -> None:
    if not FAKE_TENSORS.is_met():
        with FakeTensorMode(), pytest.raises(Exception, match="needs PyTorch 2.5 or newer"):
            fxcut.capture(lambda x: x.sin().sum(), torch.empty(4, requires_grad=True))
        return
    with FakeTensorMode():
        model = nn.Sequential(*[nn.Linear(1 << 18, 1 << 18, bias=False) for _ in range(3)])
        (graph,) = fxcut.capture(lambda x: model(x).sum(), torch.empty(64, 1 << 18))
    weight_bytes = sum(
        4 * n["val"]["shape"][0] * n["val"]["shape"][1]
        for n in graph["nodes"]
        if n["op"] == "placeholder" and n["name"] in graph["static_lifetime_inputs"]
    )
    # Before 2.8 a partition function is not told which inputs are parameters.
    assert weight_bytes == (3 << 38 if DECISIONS.is_met() else 0)


@pytest.mark.brief
def test_a_name_is_in_the_meta_of_what_it_names() -> None:
    def named(x: Tensor, w: Tensor) -> Tensor:
        return torch.sin(fxcut.checkpoint_name(x @ w, "product")).sum()

    def unnamed(x: Tensor, w: Tensor) -> Tensor:
        return torch.sin(x @ w).sum()

    arguments = [torch.randn(4, 4, requires_grad=True) for _ in range(2)]
    (graph,) = fxcut.capture(named, *arguments)
    names = {n["name"]: n["meta"]["checkpoint_name"] for n in graph["nodes"] if "checkpoint_name" in n.get("meta", {})}
    assert names == {"mm": "product"}
    (plain,) = fxcut.capture(unnamed, *arguments)
    assert [n["name"] for n in graph["nodes"]] == [n["name"] for n in plain["nodes"]]
    assert [n.get("val") for n in graph["nodes"]] == [n.get("val") for n in plain["nodes"]]


@pytest.mark.brief
def test_a_symbol_that_another_replaced_is_kept() -> None:
    if not hasattr(torch.fx.experimental._config, "use_duck_shape"):
        pytest.skip("in this PyTorch equal sizes always have one symbol")
    with torch.fx.experimental._config.patch(use_duck_shape=False):
        arguments = [torch.randn(4, requires_grad=True) for _ in range(2)]
        (graph,) = fxcut.capture_with(dynamic=True)(lambda x, y: torch.sin(x * y).sum(), *arguments)
    inputs = [n["val"] for n in graph["nodes"] if n["op"] == "placeholder" and n["val"].get("shape")]
    assert inputs[0]["shape"] == inputs[1]["shape"]
    (symbol,) = inputs[0]["shape"][0]["symbols"]
    (replaced,) = {name for value in inputs for name in value.get("unreplaced", {}).get("symbols", [])}
    assert symbol != replaced and graph["symbols"][replaced] == {"hint": 4, "backed": True}


@pytest.mark.brief
def test_a_graph_is_json() -> None:
    (graph,) = fxcut.capture(lambda x: torch.where(x > 0, x, float("-inf")).sum(), torch.randn(4, requires_grad=True))
    assert json.loads(json.dumps(graph, allow_nan=False)) == graph
