"""Whole steps, as PyTorch traces them: forward, loss, backward, perhaps the optimizer, in one graph.

Under torch.compile Dynamo traces a call of torch.autograd.grad into the graph, where its configuration
`trace_autograd_ops` says so. AOTAutograd then has a graph without a gradient, an "inference" graph to it, and applies
to that its pass of rematerialisation by tags (torch/_functorch/_activation_checkpointing/
remat_using_tags_for_fwd_loss_bwd_graph_pass.py), before the compiler gets it. What stands in the place of that pass
sees each step exactly as PyTorch's own sees it, under the same TracingContext.

make_fx traces a step too, without Dynamo. Its graphs have no tags of activation checkpointing, since a checkpointed
region then really runs again under the trace; and writes to tensors stay what they are.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from unittest import mock

import torch
from torch import fx, nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.utils.stateless import _reparametrize_module

from fxcut.errors import InvalidArgument, require_callable
from fxcut.torch_releases import WHOLE_STEPS

PASS = "remat_using_tags_for_fwd_loss_bwd_graph"
CALLER = "aot_stage2_inference"
REAL_TENSOR = "Please convert all Tensors to FakeTensors first"  # what PyTorch says

Pass = Callable[[fx.GraphModule, Sequence[str]], fx.GraphModule]


class TracedStep(NamedTuple):
    """graph: the step, which is called with the same arguments, but instead of a module with its parameters and buffers
    by name (`dict(module.named_parameters()) | dict(module.named_buffers())`), and returns what the function returned.
    static_lifetime_inputs: the names of the placeholders of these parameters and buffers.
    """

    graph: fx.GraphModule
    static_lifetime_inputs: list[str]


@contextlib.contextmanager
def passing_steps_to(rematerialize: Pass) -> Iterator[None]:
    """Within it, whatever step is compiled goes through `rematerialize` instead of PyTorch's pass.

    rematerialize: takes the step and the names of its static inputs (parameters and buffers), and returns the step
        that is compiled, with the same placeholders and outputs. PyTorch's caches are off meanwhile.

    Raises UnsupportedTorch before 2.15, whose Dynamo traces no such steps.
    """
    WHOLE_STEPS.check()
    from torch._functorch._activation_checkpointing import remat_using_tags_for_fwd_loss_bwd_graph_pass as of_pytorch
    from torch._functorch._aot_autograd import graph_compile

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
        mock.patch.object(of_pytorch, PASS, apply),
        torch._functorch.config.patch(remat_using_tags_for_fwd_loss_bwd_graph=True),
        torch._inductor.config.patch(force_disable_caches=True),
        torch._dynamo.config.patch(trace_autograd_ops=True),
    ):
        yield


def call_compiled(
    backend: str, dynamic: bool | None, function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Calls a function under torch.compile, which generates no code, and returns what it returns.

    backend: "inductor": after inductor's decompositions; "aot_eager": without. dynamic: as of torch.compile.

    Raises what the compiler raises; a graph break is an error, since a step is one graph.
    """
    return torch.compile(function, backend=_backend(backend), dynamic=dynamic, fullgraph=True)(*args, **kwargs)


def trace_step(function: Callable[..., Any], /, *args: Any) -> TracedStep:
    """The graph of a step by make_fx, on fake tensors: nothing is computed, and no tensor is written to.

    function: calls torch.autograd.grad (or backward) in it. A part of it may be marked as the backward by
        torch.fx.traceback.annotate({"phase": "backward"}).
    args: its arguments, with all tensors that it uses. A module has its parameters and buffers become inputs of the graph.

    Raises UnsupportedTorch before 2.15, which does not mark the backward, TypeError for what cannot be called, InvalidArgument
    for a step that uses tensors which are not among its arguments, and what the function raises.
    """
    WHOLE_STEPS.check()
    require_callable(function)
    own = [_tensors_of(argument) for argument in args]
    with (
        torch.compiler._non_strict_tracing_context(),
        torch.compiler._patch_engine_backward(),
        torch.fx.traceback.preserve_node_meta(),
        torch.enable_grad(),
        _tensors_missed(),
    ):
        graph = make_fx(_with_tensors_put_in(function, args), tracing_mode="fake")(*own)
    inputs = [node.name for node in graph.graph.find_nodes(op="placeholder")]
    counts = [len(torch.utils._pytree.tree_leaves(tensors)) for tensors in own]
    return TracedStep(graph, _names_of_modules(args, counts, inputs))


@contextlib.contextmanager
def _tensors_missed() -> Iterator[None]:
    try:
        yield
    except AssertionError as error:
        if REAL_TENSOR not in str(error):
            raise
        raise InvalidArgument(
            "fxcut: make_fx: the step uses a tensor that is not among its arguments: make the module that has it an argument, "
            "as in capture_step_with(tracer='make_fx')(step, model, x), or else the tensor"
        ) from error


def _tensors_of(argument: Any) -> Any:
    if isinstance(argument, nn.Module):
        return {**dict(argument.named_parameters()), **dict(argument.named_buffers())}
    return argument


def _with_tensors_put_in(function: Callable[..., Any], args: Sequence[Any]) -> Callable[..., Any]:
    """The function of what `_tensors_of` gives for each argument."""

    def call(*tensors: Any) -> Any:
        with contextlib.ExitStack() as modules:
            for argument, of_argument in zip(args, tensors, strict=True):
                if isinstance(argument, nn.Module):
                    modules.enter_context(_reparametrize_module(argument, of_argument))
            own = [a if isinstance(a, nn.Module) else t for a, t in zip(args, tensors, strict=True)]
            return function(*own)

    return call


def _names_of_modules(args: Sequence[Any], counts: Sequence[int], inputs: Sequence[str]) -> list[str]:
    """counts: how many leaves each argument has, each of which is an input."""
    names, remaining = [], iter(inputs)
    for argument, count in zip(args, counts, strict=True):
        of_argument = [next(remaining) for _ in range(count)]
        names += of_argument if isinstance(argument, nn.Module) else []
    return names


def _backend(name: str) -> Callable[..., Any]:
    if name == "aot_eager":
        from torch._dynamo.backends.common import aot_autograd
        from torch._dynamo.backends.debugging import boxed_nop

        return aot_autograd(fw_compiler=boxed_nop, keep_inference_input_mutations=True)
    from torch._inductor.compile_fx import compile_fx

    return functools.partial(compile_fx, inner_compile=_as_it_is)  # type: ignore


def _as_it_is(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
    from torch._dynamo.backends.debugging import boxed_nop

    return boxed_nop(module, inputs)
