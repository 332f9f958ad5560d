"""Whole steps, as PyTorch traces them: forward, loss, backward, perhaps the optimizer, in one graph.

Under torch.compile Dynamo traces a call of torch.autograd.grad into the graph, where its configuration
`trace_autograd_ops` says so. AOTAutograd then has a graph without a gradient, an "inference" graph to it, and applies
to that its pass of rematerialisation by tags (torch/_functorch/_activation_checkpointing/
remat_using_tags_for_fwd_loss_bwd_graph_pass.py), before the compiler gets it. What stands in the place of that pass
sees each step exactly as PyTorch's own sees it, under the same TracingContext.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

import torch
from torch import fx
from torch._functorch._activation_checkpointing import remat_using_tags_for_fwd_loss_bwd_graph_pass as pass_of_pytorch
from torch._functorch._aot_autograd import graph_compile

PASS = "remat_using_tags_for_fwd_loss_bwd_graph"
CALLER = "aot_stage2_inference"

Pass = Callable[[fx.GraphModule, Sequence[str]], fx.GraphModule]


@contextlib.contextmanager
def passing_steps_to(rematerialize: Pass) -> Iterator[None]:
    """Within it, whatever step is compiled goes through `rematerialize` instead of PyTorch's pass.

    rematerialize: takes the step and the names of its static inputs (parameters and buffers), and returns the step
        that is compiled, with the same placeholders and outputs.
    """
    static: list[int] = []
    original = getattr(graph_compile, CALLER)

    @functools.wraps(original)
    def call(aot_state: Any, *args: Any, **kwargs: Any) -> Any:
        static[:] = aot_state.fw_metadata.static_input_indices or ()
        return original(aot_state, *args, **kwargs)

    def apply(step: fx.GraphModule) -> fx.GraphModule:
        inputs = [node.name for node in step.graph.find_nodes(op="placeholder")]
        return rematerialize(step, [inputs[index] for index in static if index < len(inputs)])

    with (
        mock.patch.object(graph_compile, CALLER, call),
        mock.patch.object(pass_of_pytorch, PASS, apply),
        torch._functorch.config.patch(remat_using_tags_for_fwd_loss_bwd_graph=True),
        torch._inductor.config.patch(force_disable_caches=True),
        torch._dynamo.config.patch(trace_autograd_ops=True),
    ):
        yield


def trace_with(backend: str, dynamic: bool | None, function: Callable[..., Any], /, *args: Any) -> Any:
    """Calls a function under torch.compile, which generates no code, and returns what it returns.

    backend: "inductor": after inductor's decompositions; "aot_eager": without.

    Raises what the compiler raises; a graph break is an error, since a step is one graph.
    """
    compiled = torch.compile(function, backend=_backend(backend), dynamic=dynamic, fullgraph=True)
    return compiled(*args)


def _backend(name: str) -> Callable[..., Any]:
    if name == "aot_eager":
        from torch._dynamo.backends.common import aot_autograd
        from torch._dynamo.backends.debugging import boxed_nop

        return aot_autograd(fw_compiler=boxed_nop, keep_inference_input_mutations=True)
    from torch._inductor.compile_fx import compile_fx

    return functools.partial(compile_fx, inner_compile=_as_it_is)


def _as_it_is(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
    from torch._dynamo.backends.debugging import boxed_nop

    return boxed_nop(module, inputs)
