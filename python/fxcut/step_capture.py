"""Captures whole steps, for the fxcut program: traces them, and writes down the graph before it is rematerialised."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import fx

from fxcut.errors import InvalidArgument, require_callable
from fxcut.joint_graphs import NothingCaptured
from fxcut.kept_files import folder_for
from fxcut.names_in_graph import move_names_to_meta
from fxcut.step_to_json import step_to_json
from fxcut.to_json import Json
from fxcut.traced_steps import call_compiled, passing_steps_to, trace_step

TRACERS = ("inductor", "aot_eager", "make_fx")


def capture_step(function: Callable[..., Any], /, *args: Any) -> Json:
    """The graph of a whole step, as torch.compile hands it to its pass of rematerialisation, under inductor.

    function: computes a loss and calls torch.autograd.grad on it; what it does with the gradients is part of the graph.
        It is called once with the arguments, so an optimizer in it does its step. A loss that it returns has to be
        detached.
    args: its arguments, modules among them. Fake tensors (FakeTensorMode) take no memory.

    Returns a document of the format `fx-step-graph`; sizes count elements, of the tensors' shapes at this call.

    All that torch.compile has compiled so far in this process is forgotten, as by torch.compiler.reset.

    Raises NothingCaptured where the step has nothing to trace, TypeError for what cannot be called, UnsupportedTorch for a
    PyTorch older than 2.15, and whatever the compiler (which takes a graph break for an error) or the function itself raises.
    """
    return capture_step_with()(function, *args)


def capture_step_with(
    *, tracer: str = "inductor", dynamic: bool | None = None, name: str | None = None
) -> Callable[..., Json]:
    """`capture_step` under other options: `capture_step_with(tracer="make_fx")(step, model, x)`.

    tracer: "inductor": by Dynamo, after inductor's decompositions; "aot_eager": by Dynamo, without them; "make_fx":
        without Dynamo, which computes nothing and has checkpointed regions run again in the graph already. With make_fx
        all tensors that the function uses have to be among its arguments, or in modules that are.
    dynamic: as of torch.compile; True has sizes as symbols. Not for make_fx.
    name: what the graph is called; the function's name unless given.

    Raises InvalidArgument for another tracer, for dynamic sizes by make_fx, and, when called, for tensors that make_fx misses.
    """
    if tracer not in TRACERS:
        raise InvalidArgument(
            f"fxcut.capture_step_with: tracer: expected one of {', '.join(TRACERS)}, found {tracer!r}"
        )
    if tracer == "make_fx" and dynamic:
        raise InvalidArgument(
            "fxcut.capture_step_with: dynamic=True is for the tracers inductor and aot_eager, not for make_fx"
        )
    return functools.partial(_capture_step, tracer, dynamic, name)


def _capture_step(
    tracer: str, dynamic: bool | None, name: str | None, function: Callable[..., Any], /, *args: Any
) -> Json:
    require_callable(function)
    name = name or str(getattr(function, "__qualname__", type(function).__name__))
    if tracer == "make_fx":
        return _written_down(name, *trace_step(function, *args))
    steps: list[Json] = []

    def record(step: fx.GraphModule, static_lifetime_inputs: Sequence[str]) -> fx.GraphModule:
        steps.append(_written_down(name, step, static_lifetime_inputs))
        return step

    torch.compiler.reset()
    with passing_steps_to(record), torch.enable_grad():
        call_compiled(tracer, dynamic, function, *args)
    torch.compiler.reset()
    if not steps:
        raise NothingCaptured(
            f"{name}: no step: the call traced nothing, or all that it computed still has a gradient to "
            f"compute. Call torch.autograd.grad in it, and return the loss detached."
        )
    return steps[0]


def _written_down(name: str, step: fx.GraphModule, static_lifetime_inputs: Sequence[str]) -> Json:
    with folder_for(step):
        same_storage = move_names_to_meta(step)
        return step_to_json(step, static_lifetime_inputs=static_lifetime_inputs, name=name, same_storage=same_storage)
