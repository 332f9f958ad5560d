"""Under the estimator "profile" the package measures what a memory budget needs to know."""

from __future__ import annotations

import collections
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, fx, nn

import fxcut
from fxcut import run_alone, run_times
from options import named_block
from steps import Step, assert_close, assert_same_bits, compiled_step, eager_step

BACKENDS = ("aot_eager", "inductor")
PROFILE = {"activation_memory_budget_runtime_estimator": "profile"}


class Layers(nn.Module):
    """Layers that are alike, whose products a budget chooses among, and random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = nn.functional.dropout(torch.tanh(layer(x)), 0.1)
        return x.pow(2).mean()


def layers() -> Step:
    return Layers(), {"x": torch.randn(64, 32)}


def profiled(**options: Any) -> fxcut.Partitioner:
    return fxcut.Partitioner(**{"budget": 0.5, "budget_solver": "dp", "settings": PROFILE, **options})


def times_in(report: fxcut.Report) -> dict[str, float]:
    graph = json.loads(zlib.decompress(report._graph))
    return {node["name"]: node["meta"]["runtime_ms"] for node in graph["nodes"] if "runtime_ms" in node.get("meta", {})}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Iterator[collections.Counter[str]]:
    """How often each call was measured, in a process that knows none yet."""
    counted: collections.Counter[str] = collections.Counter()
    original = run_times.milliseconds

    def count(node: fx.Node) -> float | None:
        counted[f"{node.target} {run_alone.description((node.args, node.kwargs))}"] += 1
        return original(node)

    monkeypatch.setattr(run_times, "_known", {})
    monkeypatch.setattr(run_times, "milliseconds", count)
    yield counted


def brief_without_inductor() -> list[Any]:
    return [pytest.param(backend, marks=[pytest.mark.brief] if backend == "aot_eager" else []) for backend in BACKENDS]


@pytest.mark.parametrize("backend", brief_without_inductor())
@pytest.mark.parametrize("solver", ["dp", "frontier"])
def test_all_that_a_budget_chooses_among_has_a_time(backend: str, solver: str) -> None:
    limit = {"time_limit": 1} if solver == "frontier" else {}
    with torch._inductor.config.patch(fallback_random=True):
        partitioner = profiled(budget_solver=solver, **limit)
        step = named_block()
        assert_close(compiled_step(step, partitioner, backend=backend), eager_step(step))
    assert partitioner.report["memory_budget"] == 0.5
    times = times_in(partitioner.report)
    products = [name for name in times if name.startswith(("mm", "bmm", "addmm"))]
    assert products and all(times[name] > 0 for name in products)


@pytest.mark.parametrize("backend", brief_without_inductor())
def test_each_call_is_measured_once_and_equal_graphs_get_equal_answers(
    backend: str, measured: collections.Counter[str]
) -> None:
    step, partitioner = layers(), profiled()
    answers = [compiled_step(step, partitioner, backend=backend).sides for _ in range(2)]
    assert answers[0] == answers[1]
    assert times_in(partitioner.reports[0]) == times_in(partitioner.reports[1])
    assert set(measured.values()) == {1}
    products = [name for name in times_in(partitioner.report) if name.startswith(("mm", "addmm"))]
    assert len(products) == 4
    assert len([call for call in measured if call.startswith(("aten.mm.", "aten.addmm."))]) == 1


@pytest.mark.brief
def test_pytorchs_own_setting_has_them_measured(measured: collections.Counter[str]) -> None:
    with torch._functorch.config.patch(activation_memory_budget=0.5, **PROFILE):
        compiled_step(layers(), fxcut.Partitioner())
    assert measured


@pytest.mark.brief
@pytest.mark.parametrize("options", [{"budget": 1.0}, {"budget": 0.0}, {"settings": {}}])
def test_nothing_is_measured_where_no_time_counts(options: dict[str, Any], measured: collections.Counter[str]) -> None:
    compiled_step(layers(), profiled(**options))
    assert not measured


@pytest.mark.brief
@pytest.mark.parametrize("dynamic", [None, True])
def test_a_step_computes_the_same_with_measured_times(dynamic: bool | None, measured: collections.Counter[str]) -> None:
    step = layers()
    assert_same_bits(compiled_step(step, dynamic=dynamic), compiled_step(step, profiled(), dynamic=dynamic))
    assert measured


def joint_graph(*targets: Callable[..., Any]) -> fx.GraphModule:
    """The forward calls one operator after the other on a matrix; the backward takes each value."""
    graph = fx.Graph()
    primal, gradient = graph.placeholder("primals_1"), graph.placeholder("tangents_1")
    last = primal
    for target in targets:
        last = graph.call_function(target, (last,))
        gradient = graph.call_function(torch.ops.aten.mul.Tensor, (gradient, last))
    graph.output((last, gradient))
    with torch._subclasses.FakeTensorMode():
        for node in graph.nodes:
            node.meta["val"] = torch.empty(8, 8)
    return fx.GraphModule({}, graph)


ATEN = torch.ops.aten
SETTINGS = {**PROFILE, "activation_memory_budget": 0.5}


@pytest.mark.brief
def test_a_time_of_the_users_own_stays(measured: collections.Counter[str]) -> None:
    joint = joint_graph(ATEN.sin.default, ATEN.cos.default)
    joint.graph.find_nodes(op="call_function", target=ATEN.sin.default)[0].meta["runtime_ms"] = 7.0
    partitioner = profiled()
    partitioner(joint, [], num_fwd_outputs=1)
    times = times_in(partitioner.report)
    assert times["sin_default"] == 7.0 and times["cos_default"] > 0
    assert len(measured) == 1 and "aten.cos" in next(iter(measured))
    assert [node.name for node in joint.graph.nodes if "runtime_ms" in node.meta] == ["sin_default"]


@pytest.mark.brief
def test_what_cannot_be_run_has_no_time(measured: collections.Counter[str]) -> None:
    """The dimension to unsqueeze is missing."""
    joint = joint_graph(ATEN.sin.default, ATEN.unsqueeze.default)
    (timed,) = run_times.run_times(joint, SETTINGS)
    assert timed.target == ATEN.sin.default and len(measured) == 2


@pytest.mark.brief
def test_measuring_draws_no_random_numbers(measured: collections.Counter[str]) -> None:
    state = torch.get_rng_state()
    assert run_times.run_times(joint_graph(ATEN.bernoulli.default), SETTINGS)
    assert torch.equal(torch.get_rng_state(), state) and len(measured) == 1


@pytest.mark.brief
def test_a_view_takes_no_time(measured: collections.Counter[str]) -> None:
    joint = joint_graph(ATEN.sin.default, ATEN.t.default)
    sine, view = (node for node in joint.graph.nodes if node.target in (ATEN.sin.default, ATEN.t.default))
    view.meta["val"] = sine.meta["val"].t()
    times = run_times.run_times(joint, SETTINGS)
    assert times[view] == 0 and times[sine] > 0 and len(measured) == 1


@pytest.mark.brief
def test_the_program_says_what_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_times, "_known", {})
    monkeypatch.setattr(run_times, "milliseconds", lambda node: None)
    with pytest.raises(fxcut.NoPartition, match="needs meta.runtime_ms of all .* have none: "):
        compiled_step(layers(), profiled())
