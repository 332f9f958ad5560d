"""Changes to a joint graph after it was traced: what users and their passes may write into its nodes' meta."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from compatibility import checkpoint_tag
from fxcut.torch_releases import RELEASE
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._pytree import tree_leaves

POLICIES = ("MUST_RECOMPUTE", "MUST_RECOMPUTE", "PREFER_RECOMPUTE", "MUST_SAVE", "PREFER_SAVE")


def forward_calls(joint: fx.GraphModule) -> list[fx.Node]:
    """Those before the first node that depends on a gradient."""
    of_gradients: set[fx.Node] = set()
    calls = []
    for node in joint.graph.nodes:
        if (node.op == "placeholder" and "tangents" in node.target) or of_gradients & set(node.all_input_nodes):
            of_gradients.add(node)
        elif node.op == "call_function" and node.meta.get("partitioner_tag") != "is_backward":
            calls.append(node)
    return calls


def tagged(joint: fx.GraphModule, chance: random.Random) -> None:
    """Policies of checkpoints at random, in regions that follow each other, and marks that go with them."""
    calls = forward_calls(joint)
    for place, node in enumerate(calls):
        region = 1 + 3 * place // len(calls)
        if chance.random() < 0.6:
            node.meta.update(checkpoint_tag(chance.choice(POLICIES), region))
        if chance.random() < 0.1:
            node.meta["has_backward_hook"] = True
        if chance.random() < 0.1:
            node.meta["saved_tensor_with_no_vc_check"] = True


def hooked(joint: fx.GraphModule, chance: random.Random) -> None:
    """A region whose last values have hooks."""
    for node in forward_calls(joint):
        node.meta.update(checkpoint_tag("PREFER_RECOMPUTE", 1))
        if chance.random() < 0.4:
            node.meta["has_backward_hook"] = True


def offloaded(joint: fx.GraphModule, chance: random.Random) -> None:
    """Some of the values that the backward uses may go to the host."""
    calls = forward_calls(joint)
    for node in calls:
        is_tensor = isinstance(node.meta.get("val"), torch.Tensor)
        if is_tensor and set(node.users) - set(calls) and chance.random() < 0.7:
            node.meta["should_offload"] = True


def budgeted(joint: fx.GraphModule, chance: random.Random) -> None:
    """A region of the forward says how much memory it may take, and its first nodes say so in the older way as well."""
    calls = forward_calls(joint)
    for place, node in enumerate(calls):
        node.meta["custom"] = {"_region_activation_memory_budget": 0.3}
        if place < 2:
            node.meta["memory_budget"] = 0.6


def marked(joint: fx.GraphModule, chance: random.Random) -> None:
    """Some nodes say on which side they must be."""
    calls = set(forward_calls(joint))
    for node in joint.graph.nodes:
        is_tensor = isinstance(node.meta.get("val"), torch.Tensor)
        if node.op == "call_function" and is_tensor and chance.random() < 0.08:
            node.meta["partitioner_tag"] = "must_be_in_forward" if node in calls else "must_be_in_backward"


def on_cuda(joint: fx.GraphModule, chance: random.Random) -> None:
    """All values are on a GPU, where random numbers are kept the same by generators."""
    move(joint, "cuda:0")


def move(joint: fx.GraphModule, device: str) -> None:
    """Changes the values themselves, which are those of all copies of the graph."""
    for node in joint.graph.nodes:
        for value in tree_leaves(node.meta.get("val")):
            if isinstance(value, FakeTensor):
                value.fake_device = torch.device(device)
        if "device" in node.kwargs:
            node.kwargs = {**node.kwargs, "device": torch.device(device)}


EDITS: dict[str, Callable[[fx.GraphModule, random.Random], None]] = {
    "tagged": tagged,
    "hooked": hooked,
    "offloaded": offloaded,
    "budgeted": budgeted,
    "marked": marked,
    "on_cuda": on_cuda,
}
SINCE = {"offloaded": (2, 10)}


def edits_of(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if RELEASE >= SINCE.get(name, (2, 4))]
