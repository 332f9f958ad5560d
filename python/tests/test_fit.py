"""fxcut.fit: the code that it reads is the code that runs, its lines add up, and it says when nothing fits."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._higher_order_ops import while_loop
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensorMode

import fxcut
from fxcut.allocations import taken
from fxcut.binary import NoPartition
from fxcut.fake_step import FakeStep, fake_mode
from fxcut.fitting import _warnings
from fxcut.generated_code import memory_of_code
from fxcut.prediction import LEAST, Limit, Predicted, limited, unlimited
from fxcut.resident import resident_memory
from fxcut.rounds import Round, Rounds, _best, search
from fxcut.sizes import bytes_of
from fxcut.step_memory import Moment, StepMemory, peak_of_graphs

LAYERS, ROWS, WIDTH = 4, 512, 16


class Layers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))
        self.register_buffer("scale", torch.ones(WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.tanh(layer(x)) * torch.sigmoid(x)
        return (x * self.scale).square().mean()


PARAMETER_BYTES = LAYERS * (WIDTH * WIDTH + WIDTH) * 4


@pytest.fixture(scope="module")
def free() -> fxcut.Fit:
    return fxcut.fit(Layers(), torch.randn(ROWS, WIDTH), peak_bytes="1GB")


def share_of(free: fxcut.Fit, share: float) -> int:
    """A limit that leaves that share of its code to forward and backward."""
    return free.promised_bytes - free.code_bytes + int(share * free.code_bytes)


@pytest.mark.brief
def test_options_of_a_search_are_left_out_where_none_is_made() -> None:
    settings = {"compress": "exact", "budget_gap": 0.05}
    options = {"gap": "5%", "recompute_again": True, "save_names": "a", "settings": settings}
    assert unlimited(options) == {"save_names": "a", "settings": {"budget_gap": 0.05}}
    assert unlimited({"time_limit": 5, "settings": {"offload": "auto"}}) == {}
    budget = {"budget": 0.5, "budget_solver": "frontier", "gap": "5%"}
    assert unlimited(budget) == budget, "within a budget"
    assert limited(options, 4096)["gap"] == "5%"
    found = fxcut.fit(Layers(), torch.randn(ROWS, WIDTH), peak_bytes="1GB", gap="5%")
    assert "gap" not in repr(found.partitioner), "nothing had to be decided"


@pytest.fixture(scope="module")
def bound(free: fxcut.Fit) -> fxcut.Fit:
    return fxcut.fit(Layers(), torch.randn(ROWS, WIDTH), peak_bytes=share_of(free, 0.8))


@pytest.mark.brief
def test_without_need_nothing_is_decided_otherwise(free: fxcut.Fit) -> None:
    assert len(free.rounds) == 1 and free.chosen.limit is None
    assert repr(free.partitioner) == "fxcut.Partitioner()"


def test_lines_add_up(free: fxcut.Fit) -> None:
    assert free.lines["parameters"] == PARAMETER_BYTES
    assert free.lines["buffers"] == WIDTH * 4
    assert free.lines["inputs"] == ROWS * WIDTH * 4
    assert free.promised_bytes == sum(free.lines.values())
    parts = ("gradients that the backward has made", "activations and other buffers", "workspaces of kernels")
    assert free.code_bytes == sum(free.lines[name] for name in parts)


def test_a_limit_that_binds_is_kept_and_used(free: fxcut.Fit, bound: fxcut.Fit) -> None:
    assert 1 < len(bound.rounds) <= 5
    assert bound.promised_bytes <= bound.limit_bytes < free.promised_bytes
    assert bound.chosen.saved_bytes < free.chosen.saved_bytes
    assert str(bound).startswith("fits into ") and str(bound).count("limit ") == len(bound.rounds)


@pytest.fixture
def generated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The code of all that inductor generates for the time."""
    texts: list[str] = []
    for name in ("codegen", "codegen_with_cpp_wrapper"):
        original = getattr(GraphLowering, name)

        def watched(self: Any, original: Any = original) -> Any:
            code = original(self)
            texts.append(code[0].value)
            return code

        monkeypatch.setattr(GraphLowering, name, watched)
    yield texts


def wrapper_of(text: str) -> str:
    """Its function `call`, without the numbers that inductor gives kernels of one process."""
    found = re.search(r"\n *def call\(.*?\n *return .*?\n", text, re.DOTALL)
    assert found is not None
    return re.sub(r"# kernel path: .*", "", found[0])


@pytest.mark.full
def test_the_code_that_was_read_is_the_code_that_runs(bound: fxcut.Fit, generated: list[str]) -> None:
    memory_of_code(FakeStep(Layers(), torch.randn(ROWS, WIDTH)), bound.partitioner)
    read = list(map(wrapper_of, generated))
    generated.clear()
    with fxcut.partitioning_by(bound.partitioner), torch._inductor.config.patch(force_disable_caches=True):
        torch.compile(Layers())(torch.randn(ROWS, WIDTH)).backward()
    assert len(read) == 2 and read == list(map(wrapper_of, generated))


def test_a_model_is_neither_run_nor_changed() -> None:
    model = Layers()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    fxcut.fit(model, torch.randn(ROWS, WIDTH), peak_bytes="1GB", optimizer="adam")
    assert all(parameter.grad is None for parameter in model.parameters())
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


def test_what_does_not_fit_is_refused_with_the_lowest(free: fxcut.Fit) -> None:
    with pytest.raises(fxcut.DoesNotFit, match="does not fit into .*: the lowest that was found is ") as caught:
        fxcut.fit(Layers(), torch.randn(ROWS, WIDTH), peak_bytes=share_of(free, 0.1))
    error = caught.value
    assert error.rounds[-1].limit == "least"
    assert share_of(free, 0.1) < error.lowest_bytes < free.promised_bytes


def test_an_optimizer_whose_step_is_too_large_is_named() -> None:
    with pytest.raises(fxcut.DoesNotFit, match="the optimizer's step takes"):
        fxcut.fit(nn.Linear(512, 512), torch.randn(1, 512), peak_bytes="4MB", optimizer="adamw")


def test_operator_by_operator_it_is_the_reports_peak(free: fxcut.Fit) -> None:
    found = fxcut.fit(Layers(), torch.randn(ROWS, WIDTH), peak_bytes="1GB", compiled=False)
    assert found.code_bytes == found.report["memory"]["peak_bytes"] > free.code_bytes


def test_a_model_of_fake_tensors_takes_no_memory(free: fxcut.Fit) -> None:
    with FakeTensorMode():
        model, x = Layers(), torch.randn(ROWS, WIDTH)
    assert fxcut.fit(model, {"x": x}, peak_bytes="1GB").lines == free.lines


def test_the_largest_batch(free: fxcut.Fit) -> None:
    sizes = fxcut.largest_batch(
        Layers(), lambda n: torch.randn(n, WIDTH), peak_bytes=free.promised_bytes, sizes=[64, ROWS, 4 * ROWS]
    )
    assert sizes.largest == ROWS and isinstance(sizes.answers[4 * ROWS], fxcut.DoesNotFit)
    assert sizes.fit.promised_bytes <= free.promised_bytes
    assert re.search(r"2048  does not fit", str(sizes))


def test_the_search_for_a_batch_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fit(model: nn.Module, inputs: Any, *_: Any) -> fxcut.Fit:
        asked.append(len(inputs))
        if len(inputs) > 11:
            raise fxcut.DoesNotFit("", 0, [])
        return object.__new__(fxcut.Fit)

    monkeypatch.setattr("fxcut.batch_sizes.fit_asked", fit)
    assert fxcut.largest_batch(nn.Linear(1, 1), torch.empty, peak_bytes=1).largest == 11
    assert asked == [1, 2, 4, 8, 16, 12, 10, 11]


STATES = {"sgd": 0, "sgd+momentum": 1, "adam": 2, "adamw": 2}


@pytest.mark.parametrize("name", STATES)
def test_optimizers_states(name: str) -> None:
    model = Layers()
    memory = resident_memory(FakeStep(model, torch.randn(1, WIDTH)), "cpu", name).optimizer
    scalars = 4 * 2 * LAYERS if "adam" in name else 0  # how many steps each parameter has had
    assert memory.state_bytes == STATES[name] * PARAMETER_BYTES + scalars
    assert (memory.working_bytes > 0) == ("adam" in name)


def test_an_optimizer_is_measured_and_stays_as_it_is() -> None:
    model = Layers()
    optimizer = torch.optim.Adafactor(model.parameters())
    memory = resident_memory(FakeStep(model, torch.randn(1, WIDTH), optimizer), "cpu", optimizer).optimizer
    model(torch.randn(1, WIDTH)).backward()
    optimizer.step()
    states = [leaf for state in optimizer.state.values() for leaf in state.values() if isinstance(leaf, Tensor)]
    assert memory.state_bytes == sum(leaf.untyped_storage().nbytes() for leaf in states)


def test_bytes_of_states_and_gradients_of_earlier_steps_count(free: fxcut.Fit) -> None:
    found = fxcut.fit(
        Layers(), torch.randn(ROWS, WIDTH), peak_bytes="1GB", optimizer=1000, accumulate=True, allowance="1kB"
    )
    assert found.promised_bytes == free.promised_bytes + 1000 + PARAMETER_BYTES + 1000


@pytest.mark.parametrize("amount", [-1, True, 1.5, "80", "80 gigs", None])
def test_what_is_no_amount_is_refused(amount: Any) -> None:
    with pytest.raises(fxcut.InvalidArgument, match="peak_bytes: expected a number of bytes"):
        fxcut.fit(Layers(), torch.randn(1, WIDTH), peak_bytes=amount)


def test_amounts() -> None:
    assert [bytes_of("", one) for one in (0, "12B", "1.5 kB", "2GiB", "80GB")] == [0, 12, 1500, 2 * 2**30, 80 * 10**9]


def test_other_optimizers_and_models_are_refused() -> None:
    with pytest.raises(fxcut.InvalidArgument, match="optimizer: sgd, .*found 'lion'"):
        fxcut.fit(Layers(), torch.randn(1, WIDTH), peak_bytes="1GB", optimizer="lion")
    with pytest.raises(fxcut.InvalidArgument, match="model: expected a torch.nn.Module"):
        fxcut.fit(torch.sin, torch.randn(1, WIDTH), peak_bytes="1GB")  # type: ignore[arg-type]
    with pytest.raises(fxcut.NothingCaptured):
        fxcut.fit(nn.Identity(), torch.randn(1, WIDTH), peak_bytes="1GB")


# How the search goes, with functions in place of inductor and of predictions.


def a_round(limit: Limit, saved: int, predicted: int, code: int, cost: int = 0) -> Round:
    report: Any = {
        "memory": {"peak_bytes": 2 * predicted, "compiled": {"peak_bytes": predicted}},
        "totals": {"saved_bytes_not_static": saved},
        "frontier": {"recompute_cost": cost},
    }
    return Round(limit, StepMemory(code, 0, "cpu", []), [report])


def searched(code: Callable[[int], int], share: int, decision: Callable[[int], int] = lambda limit: limit) -> Rounds:
    """Decisions go down to 100 bytes, as predicted; the fewer bytes, the more is recomputed."""

    def predicted(limit: Limit) -> int:
        if isinstance(limit, int) and limit < 100:
            raise NoPartition(1, "too low", None)
        return decision(100 if limit == LEAST else min(limit, 1000) if isinstance(limit, int) else 1000)

    def decide(limit: Limit) -> Round:
        return a_round(limit, predicted(limit), predicted(limit), code(predicted(limit)), 1000 - predicted(limit))

    def predict(limit: Limit) -> Predicted:
        return Predicted(predicted(limit), 1000 - predicted(limit))

    return search(decide(None), decide, share, lambda: predict)


def test_where_predictions_are_right_the_first_limit_is() -> None:
    found = searched(lambda predicted: predicted, 400)
    assert [one.limit for one in found.tried] == [None, 400] and found.best is found.tried[1]
    assert found.next_bytes is None, "nothing is asked for where the limit is used"


@pytest.mark.parametrize(
    "code",
    [
        lambda predicted: predicted + 50,
        lambda predicted: predicted - 50,
        lambda predicted: predicted // 2 + 100,
        lambda predicted: predicted * 3 // 2,
        lambda predicted: predicted + (60 if predicted < 450 else 0),
    ],
)
def test_what_predictions_lack_is_corrected(code: Callable[[int], int]) -> None:
    found = searched(code, 400)
    assert len(found.tried) <= 5 and found.best is not None
    assert 0.98 * 400 <= found.best.memory.peak_bytes <= 400


def in_steps(limit: int) -> int:
    return max(one for one in (100, 380, 450, 1000) if one <= limit)


def test_where_no_decision_is_near_the_limit_the_next_one_is_told() -> None:
    found = searched(lambda predicted: predicted - 3, 415, in_steps)
    assert [one.memory.peak_bytes for one in found.tried] == [997, 377]
    assert found.next_bytes == 447


def test_no_limit_is_tried_that_is_known_to_take_too_much() -> None:
    found = searched(lambda predicted: predicted + (0 if predicted < 390 else 30), 400)
    limits = [one.limit for one in found.tried[1:]]
    assert found.best is not None and len(set(limits)) == len(limits) <= 4
    assert found.best.memory.peak_bytes >= 370


def test_what_does_not_fit_is_not_generated_again_and_what_does_at_most_once() -> None:
    found = searched(lambda predicted: predicted + (40 if predicted >= 450 else -3), 480, in_steps)
    assert sorted(one.predicted_bytes for one in found.tried) == [380, 380, 450, 1000]
    found = searched(lambda predicted: {1000: 3000, 450: 400}.get(predicted, 390), 2500, in_steps)
    assert [one.predicted_bytes for one in found.tried].count(1000) == 1


def test_of_those_that_fit_the_one_is_taken_that_recomputes_least() -> None:
    rounds = [a_round(None, 1000, 1000, 600), a_round(LEAST, 100, 100, 380, 10), a_round(500, 500, 500, 350, 5)]
    assert _best(rounds, 400) is rounds[2]


def test_the_search_ends_with_the_lowest() -> None:
    found = searched(lambda predicted: predicted + 500, 400)
    assert found.best is None and found.tried[-1].limit == LEAST and len(found.tried) <= 5


def test_a_round_that_saves_less_and_takes_more_is_told() -> None:
    rounds = [a_round(None, 1000, 1000, 600), a_round(900, 900, 900, 650), a_round(500, 500, 500, 300)]
    (warning,) = _warnings(rounds, rounds[2])
    assert "with a limit of 900 bytes 900 B are saved, less than the 1.000 kB" in warning


class Branching(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        x = self.linear(x)
        return torch.cond(x.sum() > 0, lambda x: x.sin().exp(), lambda x: x.cos(), (x,)).sum()


@pytest.mark.brief
def test_branches_that_are_not_counted_are_told() -> None:
    warnings = fxcut.fit(Branching(), torch.randn(ROWS, WIDTH), peak_bytes="1GB").warnings
    assert any("not counted: not understood: if " in one and "may take more than is promised" in one for one in warnings)
    assert len(set(warnings)) == len(warnings)


class Selecting(Layers):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x[(x[:, 0] > 0).nonzero().squeeze(1)])


class Choosing(Layers):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x if x.sum().item() > 0 else x * 2)


@pytest.mark.brief
@pytest.mark.parametrize(("model", "line"), [(Selecting, "nonzero()"), (Choosing, ".item() > 0")])
def test_a_model_that_needs_values_is_refused_with_the_line(model: type[nn.Module], line: str) -> None:
    with pytest.raises(fxcut.InvalidArgument, match=rf"test_fit\.py:\d+: `.*{re.escape(line)}.*needs the values of a tensor"):
        fxcut.fit(model(), torch.randn(ROWS, WIDTH), peak_bytes="1GB")


class Looping(Layers):
    def forward(self, x: Tensor) -> Tensor:
        def halve(i: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
            return i + 1, x / 2

        _, halved = while_loop(lambda i, x: i < 3, halve, (torch.tensor(0), x.detach().clone()))
        return super().forward(x * halved)


@pytest.mark.brief
@pytest.mark.parametrize("device", [None, "fake"])
def test_a_step_with_a_loop_is_read(device: str | None) -> None:
    with fake_mode() if device else contextlib.nullcontext():
        x = torch.randn(ROWS, WIDTH)
    assert fxcut.fit(Looping(), x, peak_bytes="1GB").code_bytes > 0


def test_graphs_run_one_after_the_other_and_back() -> None:
    gradient = {"bytes": 4, "counted": True, "freed_at": None, "kind": "buffer", "shape": [1]}
    call = {"side": "backward", "line": 1, "bytes": 45}
    step = {
        "device": "cpu",
        "has_backward": True,
        "forward_peak_bytes": 30,
        "between_bytes": 20,
        "backward_peak_bytes": 50,
        "blocks": [{**gradient, "made_at": {"side": "backward", "line": line}} for line in (1, 2)],
        "at_peak": [0, 1],
        "curve": [{"bytes_after": 8}],
        "calls": [call],
    }
    assert peak_of_graphs([step], lambda _: 0) == Moment(50, 8, 0)
    assert peak_of_graphs([step, step], lambda _: 0) == Moment(20 + 50, 8, 0)
    assert peak_of_graphs([step], lambda given: 6 if given is call else 0) == Moment(51, 4, 6), "one gradient is not made yet"
    on_gpu = {**step, "device": "cuda"}
    assert peak_of_graphs([on_gpu], lambda _: 0) == Moment(50, 1024, 0), "as blocks, as the curve is"


class OnGpu(nn.Module):
    """Without a GPU, on fake tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(128, 2, device="cuda"))  # 1,024 bytes
        self.bias = nn.Parameter(torch.empty(3, device="cuda"))  # 12
        self.register_buffer("scale", torch.empty(129, device="cuda"))  # 516


def test_a_gpu_takes_a_block_for_each_storage() -> None:
    with FakeTensorMode():
        step = FakeStep(OnGpu(), torch.empty(1, device="cuda"))
    found = resident_memory(step, "cuda", "sgd+momentum")
    assert (found.parameters, found.buffers, found.inputs) == (1536, 1024, 512)
    assert (found.optimizer.state_bytes, found.gradient_bytes) == (1536, 1536)
    assert resident_memory(step, "cpu", None).parameters == 0


def test_blocks() -> None:
    assert [taken(size, "cuda") for size in (0, 1, 512, 513)] == [0, 512, 512, 1024]
    assert taken(513, "cpu") == 513
