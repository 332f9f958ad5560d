"""What this release of PyTorch has otherwise than the newest, as far as recording depends on it."""

from __future__ import annotations

import contextlib
import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from fxcut.torch_releases import RELEASE
from torch import fx
from torch._decomp import decompositions_for_rng
from torch._prims_common import CUDARngStateHelper

UNKNOWN_SIZE = 4096


def checkpoint_tag(policy: str, region: int) -> dict[str, Any]:
    """What a node's meta says of an operator in a region. Until 2.4 it was one number: that of the region, or 0: do not recompute."""
    if RELEASE < (2, 5):
        return {"recompute": 0 if policy.endswith("SAVE") else region}
    from torch.utils.checkpoint import CheckpointPolicy

    return {"recompute": CheckpointPolicy[policy], "ac_graph_id": region}


def stir_memory() -> None:
    """Lets the addresses of new nodes say nothing of their order: until 2.5 sets of nodes are walked by address."""
    if RELEASE < (2, 6):
        fillers = [object.__new__(fx.Node) for _ in range(4000)]
        random.shuffle(fillers)
        while fillers:
            fillers.pop()


def accepted(function: Callable[..., Any], options: dict[str, Any]) -> dict[str, Any]:
    """Those options that it takes."""
    parameters = inspect.signature(function).parameters
    return {name: value for name, value in options.items() if name in parameters}


@contextlib.contextmanager
def random_numbers_as_on_cuda() -> Iterator[None]:
    """functionalize_rng_ops is for CUDA alone. What it makes of random operators can be traced with tensors on the CPU as well."""

    def seed_and_offset(fake_mode: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        with fake_mode or contextlib.nullcontext():
            return torch.tensor(0), torch.tensor(0)

    state = staticmethod(seed_and_offset)
    with (
        mock.patch.object(CUDARngStateHelper, "get_torch_state_as_tuple", state),
        mock.patch.object(decompositions_for_rng, "throw_on_non_cuda", lambda device: None),
    ):
        yield


@contextlib.contextmanager
def states_of_gpu() -> Iterator[None]:
    """What partitioners ask of a GPU where a graph's values are on one: its generator, and the state of that."""
    with (
        mock.patch.object(torch.cuda, "default_generators", (torch.Generator(),)),
        mock.patch.object(torch.cuda, "get_rng_state", lambda *device: torch.zeros(16, dtype=torch.uint8)),
        mock.patch.object(torch.cuda, "current_device", lambda: 0),
    ):
        yield


def settings_of_dynamo() -> dict[str, Any]:
    """Policies of regions have to be allowed in 2.4."""
    name = "_experimental_support_context_fn_in_torch_utils_checkpoint"
    return {name: True} if hasattr(torch._dynamo.config, name) else {}
