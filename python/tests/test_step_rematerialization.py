"""The result of rematerialize_step computes what eager does, bit for bit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_flatten, tree_map_only

import fxcut
from fxcut.torch_releases import WHOLE_STEPS

if not WHOLE_STEPS.is_met():
    pytest.skip("PyTorch 2.15 is the first to trace whole steps", allow_module_level=True)

from whole_steps import (
    DYNAMO,
    STEPS,
    Computed,
    Traced,
    compiled,
    plain,
    plain_step,
    region,
)

OPTIONS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "budget 0": {"budget": 0.0},
    "budget 0.5": {"budget": 0.5},
    "least saved": {"saved_bytes": "least", "time_limit": 1},
    "least peak": {"peak_bytes": "least", "time_limit": 1},
    "tags ignored": {"ignore_tags": True},
    "nothing saveable": {"jax_policy": "nothing_saveable"},
}
ALWAYS_RECOMPUTING = ("budget 0", "budget 0.5", "least saved", "nothing saveable")
WITHOUT_TAGS = ("batch_norm_outside", "mlp_without_tags", "region_without_backward", "sac_save_all")
QUICK = ("nothing", "budget 0.5", "least peak")
BRIEF = ("mlp", "dropout_in_region", "chunked_cross_entropy_in_regions")


def mark_as_full_unless_quick(option: str) -> Any:
    return pytest.param(option, marks=[] if option in QUICK else [pytest.mark.full])


def every_option() -> Iterator[Any]:
    for name, option in itertools.product(DYNAMO, OPTIONS):
        marks = [] if option in QUICK else [pytest.mark.full]
        if option in QUICK and name in BRIEF:
            marks.append(pytest.mark.brief)
        yield pytest.param(name, option, marks=marks)


@pytest.mark.parametrize(("name", "option"), every_option())
def test_a_step_computes_what_eager_does(name: str, option: str) -> None:
    with fxcut.rematerializing_steps(**OPTIONS[option]) as reports:
        ours = Computed(STEPS[name], compiled(STEPS[name]))
    assert len(reports) == 1
    assert_recomputes(reports[0], option, has_tags=name not in WITHOUT_TAGS)
    plain(name).assert_same_bits(ours)


def assert_recomputes(report: fxcut.Report, option: str, *, has_tags: bool) -> None:
    """Else equal bits would show nothing."""
    is_to = option in ALWAYS_RECOMPUTING or (has_tags and option in ("nothing", "least peak"))
    if is_to and report["step"]["backward_regions"] > 0:
        assert report["totals"]["recomputed_operators"] > 0


@pytest.mark.parametrize("option", OPTIONS)
def test_a_step_of_make_fx_computes_what_eager_does(option: str) -> None:
    traced = STEPS["mlp_without_tags"]
    model, x = traced.arguments()
    graph, static = fxcut.trace_step(plain_step, model, x)
    ours = fxcut.rematerialize_step(graph, static_lifetime_inputs=static, **OPTIONS[option])
    assert_recomputes(ours.meta["fxcut_report"], option, has_tags=False)
    inputs = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    returned, structure = tree_flatten(ours(tree_map_only(Tensor, torch.Tensor.detach, inputs), x))
    expected, of_eager = tree_flatten(plain_step(model, x))
    assert structure == of_eager
    assert all(torch.equal(a, b) for a, b in zip(returned, expected, strict=True))


def masked_step(model: nn.Module, x: Tensor) -> Tensor:
    """A step of training: the masks of relu and dropout may cross as bits."""
    loss = model(x).square().mean()
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    with torch.no_grad():
        for parameter, gradient in zip(model.parameters(), gradients, strict=True):
            parameter.sub_(0.1 * gradient)
    return loss.detach()


def masked_model() -> tuple[nn.Module, Tensor]:
    torch.manual_seed(0)
    layers = [part for _ in range(3) for part in (nn.Linear(32, 32), nn.ReLU(), nn.Dropout(0.2))]
    return nn.Sequential(*layers), torch.randn(16, 32)


MASKED = Traced(masked_step, masked_model)


def compressed(report: fxcut.Report) -> set[str]:
    return {row["compressed"]["how"] for row in report["saved_values"] if "compressed" in row}


def held_by(**options: Any) -> tuple[fxcut.Report, Computed]:
    with fxcut.rematerializing_steps(**options) as reports:
        computed = Computed(MASKED, compiled(MASKED))
    return reports[0], computed


@pytest.mark.brief
def test_a_step_with_masks_as_bits_trains_to_the_same_bits() -> None:
    """The signs of the ReLUs alone, a byte each, would need 0.71 of what is held without."""
    whole, of_whole = held_by(saved_bytes="1GB")
    exact, ours = held_by(saved_bytes=int(whole.held_bytes * 0.6), settings={"compress": "exact"})
    assert compressed(exact) == {"bits"}
    assert exact.held_bytes <= whole.held_bytes * 0.6
    Computed(MASKED, lambda function, *args: function(*args)).assert_same_bits(ours)
    of_whole.assert_same_bits(ours)


def test_a_step_with_rounded_values_trains_to_near_ones() -> None:
    whole, of_whole = held_by(saved_bytes="1GB")
    rounded, ours = held_by(saved_bytes=whole.held_bytes // 2, settings={"compress": "auto"})
    assert "scaled" in compressed(rounded)
    assert not all(torch.equal(a, b) for a, b in zip(of_whole.tensors, ours.tensors, strict=True))
    for one, other in zip(of_whole.tensors, ours.tensors, strict=True):
        assert torch.allclose(one, other, atol=1e-2)


@pytest.mark.brief
@pytest.mark.parametrize("name", ["mlp_without_tags", "sgd"])
def test_a_budget_has_operators_run_again(name: str) -> None:
    with fxcut.rematerializing_steps(budget=0.0) as reports:
        Computed(STEPS[name], compiled(STEPS[name]))
    assert reports[0]["totals"]["recomputed_operators"] > 0


def dropped_twice(x: Tensor) -> Tensor:
    return nn.functional.dropout(nn.functional.dropout(x * 2, 0.5) * x, 0.5)


def step_that_drops(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    """One element of the gradients is 0 where one of the results is: their values are never 0."""
    of_x, of_y = region(dropped_twice, x), region(dropped_twice, y)
    return of_x.detach(), of_y.detach(), *torch.autograd.grad(of_x.sum() + of_y.sum(), (x, y))


@pytest.mark.parametrize("fallback_random", [False, True])
@pytest.mark.parametrize("option", [mark_as_full_unless_quick(option) for option in OPTIONS])
def test_inductor_drops_the_same_in_a_region_that_runs_again(option: str, fallback_random: bool) -> None:
    arguments = [torch.rand(8, 16).add(1).requires_grad_() for _ in range(2)]
    torch.manual_seed(1)
    of_eager, state = step_that_drops(*arguments), torch.get_rng_state()
    torch.manual_seed(1)
    with fxcut.rematerializing_steps(**OPTIONS[option]) as reports:
        with torch._inductor.config.patch(fallback_random=fallback_random):
            ours = torch.compile(step_that_drops, fullgraph=True)(*arguments)
    assert_recomputes(reports[0], option, has_tags=True)
    for dropped, gradient in zip(ours[:2], ours[2:]):
        assert torch.equal(dropped == 0, gradient == 0)
        assert 0 < torch.count_nonzero(dropped) < dropped.numel()
    if fallback_random:
        assert all(torch.equal(a, b) for a, b in zip(ours, of_eager, strict=True))
        assert torch.equal(torch.get_rng_state(), state)
