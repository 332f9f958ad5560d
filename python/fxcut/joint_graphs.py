"""Captures joint graphs: compiles a function with a backend that records instead of generating code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import fx
from torch.utils._pytree import tree_leaves

from fxcut.cards import is_card
from fxcut.errors import FxcutError, InvalidArgument, require_callable
from fxcut.missing_values import values_not_needed
from fxcut.on_card import FakeCall, on_card
from fxcut.recording import Recording
from fxcut.run_times import all_run_times
from fxcut.to_json import Json
from fxcut.torch_releases import CAPTURE, DECISIONS, Backend, inductor_partitions_by, runnable, taking_fake_inputs

RunTimes = Callable[[fx.GraphModule], dict[fx.Node, float]]
BACKENDS = ("inductor", "aot_eager")


class NothingCaptured(FxcutError):
    """No joint graph came about: the call computed nothing that has a gradient."""


def capture(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> list[Json]:
    """The joint graphs that torch.compile hands to its partitioner for one call, as inductor prepares them.

    function: a module or a function, compiled already or not. It is called once with the arguments, so that a module
        may update its buffers; a backward is not run.
    args, kwargs: its arguments. Something has to require a gradient. Fake tensors (FakeTensorMode) take no memory, so models that
        do not fit into this machine can be captured.
    device: "a100", "h100" or "b200", in addition to the other keyword arguments: the graphs are those of a machine with that GPU,
        which this one need not have; PyTorch's CUDA build and Linux are needed. In a process of its own the function is called on
        copies, of fake tensors on the GPU: of its arguments and of what else it reads, so that nothing here changes. Any other
        device, such as "cuda", is an argument of the function.

    Returns a graph for each graph of the compiled call, in the order of the calls; graph breaks give several. Each is
    a document of schemas/joint_graph.schema.json: sizes count elements, of the tensors' shapes at this call.

    Everything that torch.compile has compiled so far in this process is forgotten, as by torch.compiler.reset.

    Raises NothingCaptured if nothing has a gradient, TypeError for what cannot be called, UnsupportedTorch for a PyTorch older
    than 2.4, or one without CUDA if a device is given, and whatever the compiler or the function itself raises.
    """
    device = kwargs.pop("device") if is_card(kwargs.get("device")) else None
    return capture_with(device=device)(function, *args, **kwargs)


def profile(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> list[Json]:
    """`capture`, with the measured run time of each operator in the graphs: `runtime_ms`, in milliseconds.

    Each operator runs in isolation on generated tensors, on the device of its results, CPU or GPU: once to warm up, then until
    the median is settled. Operators with the same arguments, sizes and strides are measured once per process. Views take no
    time, nor does looking up a seed of inductor's, which the kernel does that draws by it. What one process cannot run in
    isolation has none: collectives, and operators whose arguments cannot be generated.

    fxcut decides by these times in place of its estimates of matrix products, convolutions, attention and everything else that a
    compiler does not fuse; fused operators are still estimated, since their times in isolation say nothing about a fused kernel.
    The estimator `profile` uses all of them.

    Takes, returns and raises what `capture` does, and UnsupportedTorch for a PyTorch older than 2.8.
    """
    DECISIONS.check()
    return _capture("inductor", None, None, all_run_times, function, *args, **kwargs)


def capture_with(
    *, backend: str = "inductor", dynamic: bool | None = None, name: str | None = None, device: str | None = None
) -> Callable[..., list[Json]]:
    """`capture` under other options: `capture_with(dynamic=True)(model, x)`.

    backend: "inductor": after inductor's decompositions and joint graph passes; "aot_eager": without either.
    dynamic: as of torch.compile; True has sizes as symbols.
    name: of the graphs; default: the function's name.
    device: as in `capture`.

    Raises InvalidArgument for another backend or device.
    """
    if backend not in BACKENDS:
        raise InvalidArgument(f"fxcut.capture_with: backend: expected one of {', '.join(BACKENDS)}, found {backend!r}")
    here = functools.partial(_capture, backend, dynamic, name, None)
    return here if device is None else functools.partial(_capture_on_card, device, here)


def _capture_on_card(
    device: str, capture_here: Callable[..., list[Json]], function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> list[Json]:
    CAPTURE.check()
    original = original_of(function)

    def captured() -> list[Json]:
        call = FakeCall(original, args, kwargs)
        with values_not_needed("fxcut.capture"), call.mode:
            return capture_here(call.function, *call.args, **call.kwargs)

    return on_card(device, captured)


def original_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """What torch.compile was given, of what it made.

    Raises TypeError for what cannot be called.
    """
    require_callable(function)
    function = getattr(function, "_torchdynamo_orig_callable", function)
    return getattr(function, "_orig_mod", function)


def _capture(
    backend: str,
    dynamic: bool | None,
    name: str | None,
    run_times: RunTimes | None,
    function: Callable[..., Any],
    /,
    *args: Any,
    **kwargs: Any,
) -> list[Json]:
    CAPTURE.check()
    function = original_of(function)
    called = name or str(getattr(function, "__qualname__", type(function).__name__))
    recording = Recording(called, run_times=run_times, compiler=backend)
    torch.compiler.reset()
    compiled = torch.compile(function, backend=taking_fake_inputs(backend_without_code(backend, recording)), dynamic=dynamic)
    with torch.enable_grad():
        results = compiled(*args, **kwargs)
    torch.compiler.reset()
    if not recording.graphs:
        raise nothing_captured(recording.name, results)
    return recording.graphs


def nothing_captured(name: str, results: Any) -> NothingCaptured:
    """Why a call that returned these results had no joint graph: nothing has a gradient, or Dynamo compiles none of it."""
    if any(isinstance(result, torch.Tensor) and result.requires_grad for result in tree_leaves(results)):
        return NothingCaptured(
            f"{name}: no joint graph: torch.compile leaves all that has a gradient to eager PyTorch. TORCH_LOGS=graph_breaks "
            f"says why; nn.LSTM and the like it compiles only with torch._dynamo.config.allow_rnn."
        )
    return NothingCaptured(
        f"{name}: no joint graph: no result of the call has a gradient. Let a "
        f"parameter or an argument require one (requires_grad_), and call what returns the loss."
    )


def backend_without_code(name: str, recording: Recording, compiler: Callable[..., Callable[..., Any]] | None = None) -> Backend:
    """A backend of torch.compile that has `recording` partition, and then runs the two graphs.

    name: of BACKENDS. compiler: what makes of a graph and its inputs what runs it; default: as_it_is.
    """
    compiler = compiler or as_it_is
    if name == "aot_eager":
        from torch._dynamo.backends.common import aot_autograd

        return aot_autograd(fw_compiler=compiler, partition_fn=recording, keep_inference_input_mutations=True)
    return functools.partial(_inductor_without_code, recording, compiler)


def _inductor_without_code(
    recording: Recording, compiler: Callable[..., Any], module: fx.GraphModule, inputs: list[Any], **options: Any
) -> Callable[..., Any]:
    """All that inductor does up to the partition, and then the two graphs as they are."""
    from torch._inductor.compile_fx import compile_fx

    patches = {"force_disable_caches": True}
    with inductor_partitions_by(recording):
        return compile_fx(module, inputs, inner_compile=compiler, config_patches=patches)  # type: ignore


def as_it_is(module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
    from torch._dynamo.backends.debugging import boxed_nop

    return boxed_nop(runnable(module), inputs)
