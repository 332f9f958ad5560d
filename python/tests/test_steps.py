"""Whole steps: how they are captured, and how their graph modules come back from JSON."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, fx

import fxcut
from fxcut.step_from_json import step_from_answer
from fxcut.step_to_json import step_to_json
from fxcut.torch_releases import WHOLE_STEPS

if not WHOLE_STEPS.is_met():
    pytest.skip("PyTorch 2.15 is the first to trace whole steps", allow_module_level=True)

from torch._functorch._activation_checkpointing.remat_using_tags_for_fwd_loss_bwd_graph_pass import (
    remat_using_tags_for_fwd_loss_bwd_graph as pass_of_pytorch,
)

from whole_steps import DYNAMO, REFUSED_BY_PYTORCH, STEPS, nodes_of, passed_to, plain


@pytest.mark.brief
@pytest.mark.parametrize("tracer", ["inductor", "aot_eager", "make_fx"])
def test_a_step_is_captured_with_its_backward_and_its_parameters(tracer: str) -> None:
    traced = STEPS["mlp_without_tags"]
    step = fxcut.capture_step_with(tracer=tracer, name="mlp")(traced.function, *traced.arguments())
    assert (step["format"], step["version"], step["name"]) == ("fx-step-graph", 1, "mlp")
    assert len(step["static_lifetime_inputs"]) == 8
    assert len([node for node in step["nodes"] if node["op"] == "placeholder"]) == 9
    is_backward = [node.get("meta", {}).get("autograd_backward", False) for node in step["nodes"]]
    is_product = [node["target"] in ("aten.addmm.default", "aten.mm.default") for node in step["nodes"]]
    assert [back for back, product in zip(is_backward, is_product) if product] == [False] * 4 + [True] * 7
    assert step.get("impure_random", False) == (tracer == "make_fx")


def test_under_fallback_random_unused_random_calls_stay() -> None:
    traced = STEPS["mlp_without_tags"]
    with torch._inductor.config.patch(fallback_random=True):
        assert fxcut.capture_step(traced.function, *traced.arguments())["impure_random"]


def test_a_graph_break_is_an_error() -> None:
    def broken(w: Tensor) -> Any:
        y = torch.sin(w)
        torch._dynamo.graph_break()
        return torch.autograd.grad(y.sum(), w)

    with pytest.raises(torch._dynamo.exc.Unsupported):
        fxcut.capture_step(broken, torch.randn(4, requires_grad=True))


def test_a_forward_alone_is_told() -> None:
    with pytest.raises(fxcut.NothingCaptured, match="torch.autograd.grad"):
        fxcut.capture_step(lambda w: w.sin().sum(), torch.randn(4, requires_grad=True))


def test_make_fx_has_to_be_given_all_tensors() -> None:
    model = torch.nn.Linear(4, 4)

    def step(x: Tensor) -> Any:
        return torch.autograd.grad(model(x).sum(), list(model.parameters()))

    with pytest.raises(fxcut.InvalidArgument, match="make the module that has it an argument"):
        fxcut.capture_step_with(tracer="make_fx")(step, torch.randn(2, 4))


@pytest.mark.parametrize("options", [{"tracer": "export"}, {"tracer": "make_fx", "dynamic": True}])
def test_options_that_make_no_sense_are_told(options: dict[str, Any]) -> None:
    with pytest.raises(fxcut.InvalidArgument, match="make_fx"):
        fxcut.capture_step_with(**options)
    with pytest.raises(TypeError, match="bugdet"):
        fxcut.rematerialize_step(fx.GraphModule({}, fx.Graph()), bugdet=0.5)


@pytest.mark.parametrize("name", [name for name in DYNAMO if name not in REFUSED_BY_PYTORCH])
def test_what_pytorch_makes_of_a_step_comes_back_from_json(name: str) -> None:
    """Node by node, with the meta of the nodes that it is made of, and it computes what eager does."""

    def there_and_back(step: fx.GraphModule, _: Sequence[str]) -> fx.GraphModule:
        sent = step_to_json(step)
        made = pass_of_pytorch(copy.deepcopy(step))
        rebuilt = step_from_answer(step, sent, without_values(step_to_json(made)))
        assert nodes_of(rebuilt) == nodes_of(made)
        for ours, pytorchs in zip(rebuilt.graph.nodes, made.graph.nodes):
            assert ours.meta.get("seq_nr") == pytorchs.meta.get("seq_nr")
            assert ("val" in ours.meta) == ("val" in pytorchs.meta)
        rebuilt.graph.lint()
        return rebuilt

    plain(name).assert_same_bits(passed_to(there_and_back, STEPS[name]))


def without_values(step: dict[str, Any]) -> dict[str, Any]:
    kept = ("name", "op", "target", "args", "kwargs")
    return {**step, "nodes": [{key: node[key] for key in kept if key in node} for node in step["nodes"]]}
