"""Steps that are edited after the trace: what the passes of a trainer put into a graph before PyTorch's gets it."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import torch
import torch._functorch._activation_offloading.offload_ops  # noqa: F401  registers ao.offload and its kin
from torch import fx
from torch.utils.checkpoint import CheckpointPolicy as Policy

Edit = Callable[[fx.GraphModule], None]
aten, ao = torch.ops.aten, torch.ops.ao
CPU = torch.device("cpu")


def is_backward(node: fx.Node) -> bool:
    return bool(node.meta.get("autograd_backward", False))


def call(graph: fx.Graph, target: Any, *args: Any, like: fx.Node, backward: bool = False) -> fx.Node:
    """A new node with the value of another."""
    node = graph.call_function(target, args)
    node.meta["val"] = like.meta["val"]
    if backward:
        node.meta["autograd_backward"] = True
    return node


def calls(step: fx.GraphModule, target: Any) -> list[fx.Node]:
    return list(step.graph.find_nodes(op="call_function", target=target))


def offload_products(step: fx.GraphModule) -> None:
    """Each matrix product goes to the host and comes back before its first use in the backward."""
    for node in calls(step, aten.addmm.default):
        offload(
            step, node, next(user for user in step.graph.nodes if is_backward(user) and node in user.all_input_nodes)
        )


def offload_and_reload_late(step: fx.GraphModule) -> None:
    """The copies come back at the end of the backward: the pass has to move them up."""
    last = [node for node in step.graph.nodes if is_backward(node)][-1]
    for node in calls(step, aten.addmm.default):
        offload(step, node, last)


def offload(step: fx.GraphModule, node: fx.Node, reload_before: fx.Node) -> None:
    graph = step.graph
    readers = [user for user in node.users if is_backward(user)]
    with graph.inserting_after(node):
        host = call(graph, ao.offload.default, node, like=node)
    with graph.inserting_after(host):
        landed = call(graph, ao.wait_tensor.default, host, node, like=node)
    with graph.inserting_before(reload_before):
        back = call(graph, ao.reload.default, landed, CPU, like=node, backward=True)
        ready = call(graph, ao.wait_tensor.default, back, like=node, backward=True)
    order = {step_node: place for place, step_node in enumerate(graph.nodes)}
    for reader in readers:
        if order[reader] > order[ready]:
            reader.replace_input_with(node, ready)
    node.meta["cpu_offload_reload_node"] = ready
    node.meta["recompute"] = Policy.MUST_CPU_OFFLOAD


def write_state_in_forward_too(step: fx.GraphModule) -> None:
    """What the forward writes to an input that the backward writes to as well must not be computed twice."""
    state = calls(step, aten.copy_.default)[0]
    source = next(
        node for node in step.graph.nodes if node.meta.get("recompute") is not None and node.target == aten.mul.Tensor
    )
    with step.graph.inserting_before(state):
        forward = call(step.graph, aten.copy_.default, state.args[0], source, like=source)
    forward.meta["partitioner_tag"] = "must_be_in_forward"


def add_dead_code(step: fx.GraphModule) -> None:
    """Nothing uses it; one is of the forward, one of a region, one of the backward, one random, one a check."""
    first = next(node for node in step.graph.nodes if node.meta.get("recompute") is not None)
    last = [node for node in step.graph.nodes if is_backward(node)][-1]
    with step.graph.inserting_after(first):
        call(step.graph, aten.sin.default, first, like=first)
        call(step.graph, aten.cos.default, first, like=first).meta.update(first.meta)
        call(step.graph, aten.rand_like.default, first, like=first)
    with step.graph.inserting_after(last):
        call(step.graph, aten.neg.default, last, like=last, backward=True)


def add_dead_code_without_tags(step: fx.GraphModule) -> None:
    """Without a tag the graph stays as it is, dead code too."""
    first = next(node for node in step.graph.nodes if node.op == "call_function")
    with step.graph.inserting_after(first):
        call(step.graph, aten.sin.default, first, like=first)


def dead_code_in_tagged_forward(step: fx.GraphModule) -> None:
    recompute_all_but_inputs(step)
    add_dead_code(step)


def hook_on_region_outputs(step: fx.GraphModule) -> None:
    """As FSDP leaves it: what a region returns has a hook on its gradient."""
    for node in calls(step, aten.addmm.default):
        node.meta["has_backward_hook"] = True


def regions_without_number(step: fx.GraphModule) -> None:
    """Tags by a trainer's own pass, which numbers no regions."""
    for node in step.graph.nodes:
        node.meta.pop("ac_graph_id", None)


def one_region(step: fx.GraphModule) -> None:
    for node in step.graph.nodes:
        if "ac_graph_id" in node.meta:
            node.meta["ac_graph_id"] = 0


def regions_backwards(step: fx.GraphModule) -> None:
    """The later region has the lower number."""
    for node in step.graph.nodes:
        if "ac_graph_id" in node.meta:
            node.meta["ac_graph_id"] = -node.meta["ac_graph_id"]


def tag_noted_regions(step: fx.GraphModule) -> None:
    """As a trainer does after make_fx; no node of the backward is noted."""
    for node in step.graph.nodes:
        number = node.meta.get("custom", {}).get("region")
        if number is not None:
            node.meta["ac_graph_id"] = number
            node.meta["recompute"] = Policy.PREFER_RECOMPUTE


def recompute_all_but_inputs(step: fx.GraphModule) -> None:
    """Tags on all of the forward, the loss too."""
    for node in step.graph.nodes:
        if node.op == "call_function" and not is_backward(node) and node.target != aten.copy_.default:
            node.meta["recompute"] = Policy.MUST_RECOMPUTE


def recompute_tags_in_backward(step: fx.GraphModule) -> None:
    """Tags on nodes of the backward as well."""
    for node in step.graph.nodes:
        if is_backward(node) and node.target in (aten.t.default, aten.view.default):
            node.meta["recompute"] = Policy.PREFER_RECOMPUTE


def phase_by_hand(step: fx.GraphModule) -> None:
    """The user's phase, which is narrower than what autograd marks, goes before it."""
    backward = [node for node in step.graph.nodes if is_backward(node)]
    for node in backward[len(backward) // 2 :]:
        node.meta["custom"] = {"phase": "backward"}


def backward_in_two_pieces(step: fx.GraphModule) -> None:
    """One node in the middle of the backward is not marked as of it."""
    backward = [node for node in step.graph.nodes if is_backward(node)]
    del backward[len(backward) // 2].meta["autograd_backward"]


def at_random(seed: int) -> Edit:
    """Tags, regions, hooks and dead code set at random, and a backward that begins and ends elsewhere."""

    def edit(step: fx.GraphModule) -> None:
        draw = random.Random(seed)
        computed = [node for node in step.graph.nodes if node.op == "call_function"]
        for node in computed:
            if draw.random() < 0.5:
                node.meta["recompute"] = draw.choice(list(Policy))
            node.meta.pop("ac_graph_id", None)
            if draw.random() < 0.6:
                node.meta["ac_graph_id"] = draw.randrange(4)
            if draw.random() < 0.1:
                node.meta["has_backward_hook"] = True
        move_bounds(computed, draw)
        for node in draw.sample([node for node in computed if node.target != aten.copy_.default], 3):
            unused = draw.choice([aten.sin.default, aten.rand_like.default])
            with step.graph.inserting_after(node):
                call(step.graph, unused, node, like=node, backward=is_backward(node))

    return edit


def move_bounds(computed: list[fx.Node], draw: random.Random) -> None:
    """The backward begins or ends a few nodes earlier or later."""
    backward = [place for place, node in enumerate(computed) if is_backward(node)]
    begin, end = backward[0] + draw.randrange(-3, 4), backward[-1] + draw.randrange(-3, 4)
    for place, node in enumerate(computed):
        node.meta.pop("autograd_backward", None)
        if begin <= place <= end:
            node.meta["autograd_backward"] = True


EDITED: dict[str, tuple[str, Edit]] = {
    "offloaded_products": ("sac_must_cpu_offload", offload_products),
    "offloaded_products_reloaded_late": ("sac_must_cpu_offload", offload_and_reload_late),
    "offloaded_among_every_policy": ("attention_every_policy", offload_and_reload_late),
    "mutation_in_forward_and_backward": ("state_written_in_forward_and_backward", write_state_in_forward_too),
    "dead_code": ("mlp", add_dead_code),
    "dead_code_without_tags": ("mlp_without_tags", add_dead_code_without_tags),
    "hook_on_region_outputs": ("mlp", hook_on_region_outputs),
    "regions_without_number": ("every_other_layer", regions_without_number),
    "regions_of_one_number": ("mlp", one_region),
    "regions_numbered_backwards": ("mlp", regions_backwards),
    "whole_forward_recomputed": ("mlp", recompute_all_but_inputs),
    "tags_in_backward": ("mlp", recompute_tags_in_backward),
    "phase_by_hand": ("mlp", phase_by_hand),
    "backward_in_two_pieces": ("mlp", backward_in_two_pieces),
    "make_fx_tagged": ("make_fx", recompute_all_but_inputs),
    "make_fx_tagged_regions": ("make_fx_noted_regions", tag_noted_regions),
    "make_fx_dead_code": ("make_fx_phase_annotated", dead_code_in_tagged_forward),
    "getitems_without_number": ("attention", regions_without_number),
    **{
        f"random_tags_{of}_{seed}": (of, at_random(seed))
        for of in ("mlp", "batch_norm_in_region", "sgd")
        for seed in range(4)
    },
}


def edited(step: fx.GraphModule, edit: Edit) -> fx.GraphModule:
    step = copy.deepcopy(step)
    edit(step)
    step.graph.lint()
    return step
