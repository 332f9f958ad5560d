"""`fxcut policy --as torch`: eager steps with the module that it writes keep what was decided, and compute the same."""

from __future__ import annotations

import collections
import copy
import gc
import json
import runpy
import subprocess
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

import fxcut
from eager_models import MODELS, Step, written_in_place
from fxcut import torch_releases
from fxcut.binary import find_binary

Json = dict[str, Any]
Call = tuple[str, str, int]

DECISIONS = {
    "default": (),
    "less": ("--budget-solver", "frontier", "--set", "activation_memory_budget=0.4"),
    "products": ("--jax-policy", "dots_saveable"),
}


def policy_of(step: Step, folder: Path, *options: str) -> tuple[Json, dict[str, Any]]:
    """What the program says of the decision on the step's eager graph, and the module that it writes."""
    model, inputs = step
    (graph,) = fxcut.capture_with(backend="aot_eager")(copy.deepcopy(model), *inputs)
    (folder / "graph.json").write_text(json.dumps(graph))
    command = [find_binary(), "policy", "graph.json", "--as", "torch=policy.py", "--json", "--force", *options]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return json.loads(said.stdout), runpy.run_path(str(folder / "policy.py"))


class Watching(TorchDispatchMode):
    """Notes each storage that an operator makes, and which call that was, by module and count."""

    def __init__(self, model: nn.Module, inputs: tuple[Any, ...]) -> None:
        super().__init__()
        # In memory in any case; their addresses are nobody else's.
        self.known = {tensor.untyped_storage()._cdata for tensor in (*model.parameters(), *model.buffers(), *inputs)}
        self.here: list[str] = []
        self.counts: collections.Counter[tuple[str, str]] = collections.Counter()
        self.made: dict[int, tuple[Any, Call, int]] = {}
        self.hooks = []
        for name, module in model.named_modules():
            self.hooks.append(
                module.register_forward_pre_hook(lambda module, args, name=name: self.here.append(name), prepend=True)
            )
            self.hooks.append(module.register_forward_hook(self.leave, always_call=True))

    def leave(self, module: nn.Module, args: Any, result: Any) -> None:
        self.here.pop()

    def __torch_dispatch__(self, operator: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        results = operator(*args, **(kwargs or {}))
        key = (self.here[-1] if self.here else "", str(operator))
        call = (*key, self.counts[key])
        self.counts[key] += 1
        for result in torch.utils._pytree.tree_leaves(results):
            if isinstance(result, torch.Tensor):
                storage = result.untyped_storage()
                if storage._cdata in self.known:
                    continue
                known = self.made.get(storage._cdata)
                if known is None or known[0]() is not storage:  # the address may be that of one that was freed
                    self.made[storage._cdata] = (weakref.ref(storage), call, storage.nbytes())
        return results

    def alive(self) -> collections.Counter[Call]:
        """The bytes of each call that are still in memory."""
        gc.collect()
        bytes_of: collections.Counter[Call] = collections.Counter()
        for storage, call, size in self.made.values():
            if storage() is not None and size:
                bytes_of[call] += size
        return bytes_of


def kept_between(model: nn.Module, inputs: tuple[Any, ...]) -> tuple[torch.Tensor, collections.Counter[Call]]:
    """The loss of a forward, and what that keeps in memory, by the calls that made it."""
    watching = Watching(model, inputs)
    with watching:
        loss = model(*inputs)
    for hook in watching.hooks:
        hook.remove()
    loss = loss * 1  # so that the model's own result is not in memory because the test has it
    return loss, watching.alive()


def decided(said: Json) -> collections.Counter[Call]:
    return collections.Counter(
        {(row["module"], row["op"], row["call"]): row["bytes"] + row["more_bytes"] for row in said["saved"]}
    )


# What eager calls otherwise than a graph traced on the CPU.
IN_EAGER = {
    "aten._native_batch_norm_legit_functional.default": "aten.native_batch_norm.default",
    "aten.native_dropout.default": "aten.mul.Tensor",
}


def calls_that_make(values: set[str], graph: Json) -> set[Call]:
    """The calls in whose memory these values of the graph are, found as the manual tells it."""
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    made_by: dict[int, Call | None] = {}  # by storage
    calls = set()
    for node in graph["nodes"]:
        meta = node.get("meta", {})
        call = None
        if node["op"] == "call_function" and node["target"] in graph["ops"] and meta.get("partitioner_tag") == "is_forward":
            key = (meta.get("module", ""), IN_EAGER.get(node["target"], node["target"]))
            call = (*key, counts[key])
            counts[key] += 1
        value = node.get("val", {})
        for tensor in value.get("items", [value]):
            if "storage" in tensor:
                made_by.setdefault(tensor["storage"], call)
        if node["name"] in values and made_by.get(value.get("storage")):
            calls.add(made_by[value["storage"]])
    return calls


def assert_calls_make_saved_values(said: Json, folder: Path, *options: str) -> None:
    """Of all that the report lists, but for what is not said and what is in inputs."""
    command = [find_binary(), "partition", "graph.json", "--json", "--set", "memory_of=operators", *options]
    report = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=folder).stdout)
    unsaid = {value["name"] for value in said["unsaid"]}
    saved = {value["name"] for value in report["saved_values"]}
    graph = json.loads((folder / "graph.json").read_text())
    written = {node["args"][1]["node"] for node in graph["nodes"] if node.get("target") == "aten.copy_.default"}
    assert set(decided(said)) == calls_that_make(saved - unsaid - written, graph)


def state_after(model: nn.Module, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    loss.backward()
    gradients = {name: whole(parameter.grad) for name, parameter in model.named_parameters() if parameter.grad is not None}
    return {**gradients, **dict(model.named_buffers())}


def whole(gradient: torch.Tensor) -> torch.Tensor:
    """Of a sharded one, all of it."""
    return gradient.full_tensor() if hasattr(gradient, "full_tensor") else gradient


def assert_same_bits(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one and one.keys() == other.keys()
    unlike = [name for name in one if not torch.equal(one[name], other[name])]
    assert not unlike


def assert_trains_alike(model: nn.Module, plain: nn.Module, inputs: tuple[Any, ...]) -> None:
    """A step of both, from the same random numbers, has the same gradients and buffers."""
    torch.manual_seed(1)
    after = state_after(model, model(*inputs))
    torch.manual_seed(1)
    assert_same_bits(after, state_after(plain, plain(*inputs)))


def cases() -> list[Any]:
    brief = (("attention", "less"), ("convolutions", "default"))
    return [
        pytest.param(model, decision, marks=[pytest.mark.brief] if (model, decision) in brief else [])
        for model in MODELS
        for decision in DECISIONS
    ]


@pytest.mark.parametrize(("name", "decision"), cases())
def test_eager_keeps_what_was_decided(name: str, decision: str, tmp_path: Path) -> None:
    model, inputs = MODELS[name]()
    said, module = policy_of((model, inputs), tmp_path, *DECISIONS[decision])
    assert said["saved"] and said["held_bytes"] == said["said_bytes"] + said["input_bytes"] + said["unsaid_bytes"]
    assert_calls_make_saved_values(said, tmp_path, *DECISIONS[decision])
    plain = copy.deepcopy(model)
    policy = module["apply"](model)
    for seed in range(2):
        torch.manual_seed(seed)
        loss, kept = kept_between(model, inputs)
        assert not policy.unlike_graph()
        assert kept == decided(said)
        after = state_after(model, loss)
        torch.manual_seed(seed)
        assert_same_bits(after, state_after(plain, plain(*inputs)))


def test_without_a_policy_other_tensors_are_kept() -> None:
    """What the tests above measure is not what eager keeps anyway."""
    model, inputs = MODELS["attention"]()
    _, kept = kept_between(model, inputs)
    assert sum(kept.values()) > 300_000


@pytest.mark.brief
def test_regions_hold_their_inputs_as_well(tmp_path: Path) -> None:
    model, inputs = MODELS["dropout"]()
    said, module = policy_of((model, inputs), tmp_path, "--regions", "layers.*", "--jax-policy", "dots_saveable")
    (entering,) = said["entering"][:1]
    assert entering["region"] == "layers.0"
    plain = copy.deepcopy(model)
    policy = module["apply"](model)
    assert policy.regions == ["layers.0", "layers.1"]
    loss, kept = kept_between(model, inputs)
    within = {call: size for call, size in kept.items() if call[0].startswith("layers.")}
    leaving = {call: size for call, size in within.items() if call not in decided(said)}
    assert {call: size for call, size in within.items() if call not in leaving} == decided(said)
    # The next layer's input, and what the head takes.
    assert {call[0] for call in leaving} == {"layers.0", "layers.1"}
    del loss
    assert_trains_alike(model, plain, inputs)


def test_what_is_written_in_place_is_named(tmp_path: Path) -> None:
    model, inputs = written_in_place()
    _, module = policy_of((model, inputs), tmp_path)
    plain = copy.deepcopy(model)
    module["apply"](model)
    with pytest.warns(UserWarning, match=r"aten\.relu_\.default in stem\.2 writes to its argument: 28800 bytes are recomputed"):
        assert_trains_alike(model, plain, inputs)
    assert_trains_alike(model, plain, inputs)


@pytest.mark.skipif(torch_releases.RELEASE < (2, 13), reason="a policy is not shown results")
def test_what_is_kept_must_not_be_written_over(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(8, 8), nn.Hardtanh(inplace=True), nn.Linear(8, 1))
    inputs = (torch.randn(4, 8),)
    (tmp_path / "sums.json").write_text(
        json.dumps({"version": 1, "policies": [{"rules": [{"match": {"op": "aten.addmm"}, "policy": "MUST_SAVE"}]}]})
    )
    _, module = policy_of((model, inputs), tmp_path, "--policy", "sums.json")
    module["apply"](model)
    with pytest.raises(RuntimeError, match=r"aten\.hardtanh_\.default in 1 writes over the result of aten\.addmm\.default in 0"):
        model(*inputs)


def test_another_forward_is_noticed(tmp_path: Path) -> None:
    """Without dropout eager skips the copy that the graph has."""
    model, inputs = MODELS["encoder"]()
    _, module = policy_of((model, inputs), tmp_path)
    for inner in model.modules():
        if isinstance(inner, nn.Dropout):
            inner.p = 0.0
    plain = copy.deepcopy(model)
    module["apply"](model)
    with pytest.warns(UserWarning, match="aten.mul.Tensor in encoder.layers.0.dropout: 0 calls, 1 in the graph"):
        assert_trains_alike(model, plain, inputs)


def test_a_policy_is_for_its_model_alone(tmp_path: Path) -> None:
    model, inputs = MODELS["attention"]()
    _, module = policy_of((model, inputs), tmp_path)
    with pytest.raises(ValueError, match="the model has no module 'embed', which the graph has"):
        module["apply"](MODELS["convolutions"]()[0])
    with pytest.raises(ValueError, match=r"the model that was captured \(its 'outer\.0' has all modules\), or say by `name`"):
        module["apply"](nn.ModuleDict({"outer": nn.Sequential(model)}))
    with pytest.raises(ValueError, match=r"no module is named 'blocks\.\*'; names are such as embed, layers, layers\.0"):
        module["apply"](model, regions="blocks.*")


def test_a_copy_trains_with_its_own_weights(tmp_path: Path) -> None:
    model, inputs = MODELS["dropout"]()
    _, module = policy_of((model, inputs), tmp_path, *DECISIONS["less"])
    plain = copy.deepcopy(model)
    module["apply"](model, "layers.*")
    copied = copy.deepcopy(model)
    with torch.no_grad():
        for of_copy, of_plain in zip(copied.parameters(), plain.parameters()):
            of_copy.mul_(0.5)
            of_plain.mul_(0.5)
    assert_trains_alike(copied, plain, inputs)
    assert all(parameter.grad is None for parameter in model.parameters())
    kept = kept_between(copied, inputs)[1]
    assert kept == kept_between(model, inputs)[1] and sum(kept.values()) < sum(kept_between(plain, inputs)[1].values())


class InPlace(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x.add_(1.0).sin()).sin()


class ByKeyword(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.layers = nn.Linear(8, 8), nn.ModuleList([InPlace()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers[0](x=self.first(x)).sum()


def test_an_argument_that_is_written_to_is_refused(tmp_path: Path) -> None:
    model, inputs = ByKeyword(), (torch.randn(4, 8),)
    _, module = policy_of((model, inputs), tmp_path)
    module["apply"](model, "layers.*")
    loss = model(*inputs)
    with pytest.raises(RuntimeError, match=r"the argument 'x' of layers\.0 has been written to in place since the forward"):
        loss.backward()


class Counting(nn.Module):
    """Buffers of which one is written to, and another one replaced."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.register_buffer("calls", torch.ones(()))
        self.register_buffer("mean", torch.zeros(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls.add_(1)
        self.mean = self.mean * 0.5 + x.detach().mean(0)
        return torch.sin(self.linear(x - self.mean) * self.calls)


def counting() -> Step:
    return nn.Sequential(Counting(), nn.Linear(8, 1), nn.Flatten(0), nn.Softmax(0)), (torch.randn(4, 8),)


def instance_norm() -> Step:
    norm = nn.InstanceNorm2d(4, affine=True, track_running_stats=True)
    return nn.Sequential(nn.Conv2d(3, 4, 3), norm, nn.Sigmoid()), (torch.randn(3, 3, 6, 6),)


def spectral_norm() -> Step:
    layer = torch.nn.utils.parametrizations.spectral_norm(nn.Linear(8, 8))
    return nn.Sequential(layer, nn.Tanh(), nn.Linear(8, 8)), (torch.randn(4, 8),)


class OwnNorm(nn.Module):
    """Its operator writes to buffers without saying so."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(8))
        self.register_buffer("variance", torch.ones(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.batch_norm(x, self.mean, self.variance, training=True)


def own_norm() -> Step:
    return nn.Sequential(OwnNorm(), nn.Tanh(), nn.Linear(8, 8)), (torch.randn(4, 8),)


class Summed(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).square().sum()


@pytest.mark.parametrize("step", [counting, instance_norm, spectral_norm, own_norm])
@pytest.mark.parametrize("regions", [None, "model.0*", "model.*"])
def test_buffers_are_written_once(step: Callable[[], Step], regions: str | None, tmp_path: Path) -> None:
    model, inputs = step()
    model = Summed(model)
    _, module = policy_of((model, inputs), tmp_path)
    plain = copy.deepcopy(model)
    module["apply"](model, regions)
    for _ in range(2):
        assert_trains_alike(model, plain, inputs)


def test_large_buffers_must_not_be_written_to(tmp_path: Path) -> None:
    model, inputs = counting()
    _, module = policy_of((model, inputs), tmp_path)
    module["apply"].__globals__["LARGEST_COPIED"] = 2
    module["apply"](model)
    with pytest.raises(RuntimeError, match="'of the model' writes to the buffer 'calls' of a Counting, which has more"):
        model(*inputs)


def test_regions_have_a_forward_and_are_called(tmp_path: Path) -> None:
    model, inputs = MODELS["attention"]()
    _, module = policy_of((model, inputs), tmp_path)
    with pytest.raises(ValueError, match=r"named 'layers', such as 'layers', have no forward .* within them: 'layers\.\*'"):
        module["apply"](copy.deepcopy(model), "layers")
    assert module["apply"](copy.deepcopy(model), "*").regions == ["embed", "layers.0", "layers.1", "layers.2", "head"]
    model.spare = nn.Linear(2, 2)
    module["apply"](model, "spare")
    with torch.no_grad():
        model(*inputs)  # of which nothing is asked
    with pytest.warns(UserWarning, match="not the one that was decided on: the region 'spare' was not called"):
        model(*inputs)


class FromGenerator(nn.Module):
    generator = torch.Generator()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        noise = torch.rand(x.shape, generator=self.generator)
        return (x.sin() * noise).sin().sum()


def test_other_generators_are_refused(tmp_path: Path) -> None:
    model, inputs = FromGenerator(), (torch.randn(4, 8, requires_grad=True),)
    model.generator = None
    _, module = policy_of((model, inputs), tmp_path, "--jax-policy", "nothing_saveable")
    module["apply"](model)
    model.generator = torch.default_generator
    model(*inputs).backward()
    model.generator = torch.Generator()
    with pytest.raises(RuntimeError, match=r"aten\.rand\.generator in the model draws from a generator of its own"):
        model(*inputs)


def test_operators_that_write_to_another_argument_run(tmp_path: Path) -> None:
    """RReLU writes its noise, and not its input, which is saved."""
    model, inputs = nn.Sequential(nn.Linear(8, 8), nn.RReLU(), nn.Linear(8, 1)), (torch.randn(4, 8),)
    model = Summed(model)
    _, module = policy_of((model, inputs), tmp_path, *DECISIONS["products"])
    plain = copy.deepcopy(model)
    module["apply"](model)
    assert_trains_alike(model, plain, inputs)


class Draws(nn.Module):
    """Noise that is kept, and noise that is drawn again."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept = torch.bernoulli(torch.sigmoid(x).detach())
        again = torch.bernoulli(torch.sigmoid(x * 2).detach())
        return (x * kept).sin().mul(again).sum()


def draws(*policies: str) -> str:
    rules = [{"match": {"node": name}, "policy": policy} for name, policy in zip(("bernoulli", "bernoulli_1"), policies)]
    return json.dumps({"version": 1, "policies": [{"rules": rules}]})


@pytest.mark.parametrize(
    "policies", [("MUST_SAVE", "MUST_RECOMPUTE"), ("MUST_RECOMPUTE", "MUST_SAVE"), ("MUST_SAVE", "MUST_SAVE")]
)
def test_kept_draws_do_not_change_later_ones(policies: tuple[str, str], tmp_path: Path) -> None:
    model, inputs = Draws(), (torch.randn(64, requires_grad=True),)
    (tmp_path / "draws.json").write_text(draws(*policies))
    said, module = policy_of((model, inputs), tmp_path, "--policy", "draws.json")
    kept = [row["call"] for row in said["saved"] if row["op"] == "aten.bernoulli.default"]
    assert kept == [call for call, policy in enumerate(policies) if policy == "MUST_SAVE"]
    gradients = []
    for is_applied in (False, True):
        if is_applied:
            module["apply"](model)
        torch.manual_seed(0)
        gradients.append(torch.autograd.grad(model(*inputs), inputs)[0])
    assert torch.equal(*gradients)


def as_torchtitan(layer: nn.Module, listed: set[Any]) -> None:
    """The rule of torchtitan's _apply_op_sac, on one layer."""

    def contexts() -> Any:
        products = collections.Counter()

        def policy(context: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
            products[context.is_recompute] += operator == torch.ops.aten.mm.default
            is_even = operator == torch.ops.aten.mm.default and products[context.is_recompute] % 2 == 0
            is_saved = operator in listed and not is_even
            return CheckpointPolicy.MUST_SAVE if is_saved else CheckpointPolicy.PREFER_RECOMPUTE

        return create_selective_checkpoint_contexts(policy)

    forward = layer.forward
    layer.forward = lambda *args: checkpoint(forward, *args, use_reentrant=False, context_fn=contexts)


@pytest.mark.parametrize("decision", DECISIONS)
def test_torchtitans_list_saves_what_is_said(decision: str, tmp_path: Path) -> None:
    model, inputs = MODELS["attention"]()
    policy_of((model, inputs), tmp_path)
    command = [find_binary(), "policy", "graph.json", "--as", "torchtitan=list.py", "--json", *DECISIONS[decision]]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=tmp_path).stdout)
    listed = runpy.run_path(str(tmp_path / "list.py"))["op_sac_save_list"]
    assert isinstance(listed, set) and sorted(map(str, listed)) == said["listed"]
    for layer in model.layers:
        as_torchtitan(layer, listed)
    _, kept = kept_between(model, inputs)
    within = {call: size for call, size in kept.items() if call[0].startswith("layers.")}
    beyond = within.keys() - decided(said).keys()
    assert {call: size for call, size in within.items() if call not in beyond} == decided(said)
    assert {call[1] for call in beyond} <= {"aten.add.Tensor"}, "what leaves a layer"


@pytest.mark.parametrize("is_sharded_first", [False, True])
def test_sharded_layers_are_regions(is_sharded_first: bool, tmp_path: Path) -> None:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    model, inputs = MODELS["dropout"]()
    _, module = policy_of((model, inputs), tmp_path, *DECISIONS["less"])
    torch.distributed.init_process_group("gloo", rank=0, world_size=1, init_method=f"file://{tmp_path}/rendezvous")
    try:
        mesh = init_device_mesh("cpu", (1,))
        plain = copy.deepcopy(model)
        steps = [lambda: [fully_shard(layer, mesh=mesh) for layer in model.layers], lambda: module["apply"](model, "layers.*")]
        for step in steps if is_sharded_first else steps[::-1]:
            step()
        assert_trains_alike(model, plain, inputs)
        with pytest.raises(RuntimeError, match="'layers.0' is sharded by fully_shard and lies within the region 'of the model'"):
            module["apply"](model, None)
            model(*inputs)
    finally:
        torch.distributed.destroy_process_group()
