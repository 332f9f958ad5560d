"""A whole step (forward, loss and backward in one graph) to the JSON form that the fxcut program reads.

It is the joint graph's (to_json), with two differences. A step has no outputs of its own for the forward and the
backward, so none are counted. And its nodes say where the backward is, which a joint graph says by its tangents:
`autograd_backward`, which Dynamo and the hooks of autograd set, or the user's own `custom: {"phase": "backward"}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import fx

from fxcut.to_json import Encoder

Json = dict[str, Any]

RELOAD = "cpu_offload_reload_node"


def step_to_json(
    step: fx.GraphModule,
    *,
    static_lifetime_inputs: Sequence[str] = (),
    name: str = "step",
    same_storage: dict[int, int] | None = None,
) -> Json:
    """The JSON form of a step, a document of the format `fx-step-graph`; json.dumps takes it as it is.

    static_lifetime_inputs: the names of the placeholders that live before and after the step: parameters, buffers.
    name: free text, which the report calls the graph by.
    same_storage: storage to storage, by address, where a value's memory counts as that of another.
    """
    encoder = Encoder(same_storage)
    content = encoder.graph_module(step)
    for node, encoded in zip(step.graph.nodes, content["nodes"], strict=True):
        meta = {**encoded.get("meta", {}), **_meta_of_step(node)}
        if meta:
            encoded["meta"] = meta
    return {
        "format": "fx-step-graph",
        "version": 1,
        "name": name,
        "producer": f"torch {torch.__version__}",
        "static_lifetime_inputs": list(static_lifetime_inputs),
        **({"impure_random": True} if _keeps_unused_random_calls() else {}),
        "symbols": encoder.symbols,
        "ops": encoder.operators,
        **content,
    }


def _keeps_unused_random_calls() -> bool:
    """As PyTorch's pass decides it: outside of torch.compile, and under inductor's fallback_random."""
    return torch._guards.TracingContext.try_get() is None or torch._inductor.config.fallback_random


def _meta_of_step(node: fx.Node) -> Json:
    """What only the rematerialisation of a step looks at."""
    meta: Json = {}
    if node.meta.get("autograd_backward", False):
        meta["autograd_backward"] = True
    if node.meta.get(RELOAD) is not None:
        meta[RELOAD] = node.meta[RELOAD].name
    return meta
