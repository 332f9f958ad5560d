"""`fxcut policy --as torch`: eager steps with the module that it writes keep what was decided, and compute the same."""

from __future__ import annotations

import collections
import copy
import gc
import json
import runpy
import subprocess
import weakref
from pathlib import Path
from typing import Any

import pytest
import torch
from eager_models import MODELS, Step, written_in_place
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

import fxcut
from fxcut.binary import find_binary

Json = dict[str, Any]
Call = tuple[str, str, int]

DECISIONS = {
    "default": (),
    "less": ("--budget-solver", "frontier", "--set", "activation_memory_budget=0.4"),
    "products": ("--jax-policy", "dots_saveable"),
}
BRIEF = ("attention", "convolutions")
SAME = {"aten.native_batch_norm.default": "aten._native_batch_norm_legit.default"}


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
            self.hooks.append(module.register_forward_pre_hook(lambda module, args, name=name: self.here.append(name), prepend=True))
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


def state_after(model: nn.Module, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    loss.backward()
    gradients = {name: parameter.grad for name, parameter in model.named_parameters() if parameter.grad is not None}
    return {**gradients, **dict(model.named_buffers())}


def assert_same_bits(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    unlike = [name for name in one if not torch.equal(one[name], other[name])]
    assert not unlike


def cases() -> list[Any]:
    return [
        pytest.param(model, decision, marks=[pytest.mark.brief] if (model, decision) in ((BRIEF[0], "less"), (BRIEF[1], "default")) else [])
        for model in MODELS
        for decision in DECISIONS
    ]


@pytest.mark.parametrize(("name", "decision"), cases())
def test_eager_keeps_what_was_decided(name: str, decision: str, tmp_path: Path) -> None:
    model, inputs = MODELS[name]()
    said, module = policy_of((model, inputs), tmp_path, *DECISIONS[decision])
    plain = copy.deepcopy(model)
    policy = module["apply"](model)
    for seed in range(2):
        torch.manual_seed(seed)
        loss, kept = kept_between(model, inputs)
        assert not policy.unlike_graph()
        print(said["said_bytes"], said["unsaid_bytes"], [(r["name"], r["reason"]) for r in said["unsaid"]])
        assert kept == decided(said)
        after = state_after(model, loss)
        torch.manual_seed(seed)
        assert_same_bits(after, state_after(plain, plain(*inputs)))
