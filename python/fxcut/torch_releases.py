"""What differs between the releases of PyTorch, all of it: the rest of the package takes from here what only some have.

What a release lacks has a stand-in here, or is a Need, which refuses in one sentence.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from unittest import mock

Release = tuple[int, ...]

OLDEST: Release = (2, 4)
OLDEST_THAT_DECIDES: Release = (2, 8)


def written(release: Release) -> str:
    """ "2.13" of (2, 13)."""
    return ".".join(map(str, release))


try:
    import torch
except ModuleNotFoundError as missing:
    if missing.name != "torch":
        raise
    raise ModuleNotFoundError(
        f"The package fxcut is for PyTorch, which is not installed: pip install 'torch>={written(OLDEST_THAT_DECIDES)}'. "
        f"The command fxcut works without.",
        name="torch",
    ) from None

import torch._dynamo.exc  # noqa: E402
from torch import fx  # noqa: E402
from torch._functorch import config as functorch_config  # noqa: E402
from torch._functorch._aot_autograd.schemas import AOTConfig  # noqa: E402
from torch._guards import TracingContext  # noqa: E402
from torch._inductor import compile_fx  # noqa: E402
from torch._inductor import config as inductor_config  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily  # noqa: E402
from torch.fx.experimental import symbolic_shapes  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

PartitionFunction = Callable[..., tuple[fx.GraphModule, fx.GraphModule]]
Backend = Callable[..., Callable[..., Any]]


def torch_release(version: str = torch.__version__) -> Release:
    """(2, 13) of "2.13.0+cpu"."""
    return tuple(int(part) for part in version.split("+")[0].split(".")[:2])


RELEASE = torch_release()


class Need(NamedTuple):
    """What PyTorch can do only from some release on.

    what: the subject of the refusal. instead: what the user can do.
    """

    what: str
    since: Release
    instead: str

    def is_met(self, version: str = torch.__version__) -> bool:
        return torch_release(version) >= self.since

    def check(self, version: str = torch.__version__) -> None:
        """Raises UnsupportedTorch if the PyTorch of that version lacks it. version: as in torch.__version__."""
        if not self.is_met(version):
            from fxcut.errors import UnsupportedTorch  # whose base class is taken from here

            raise UnsupportedTorch(self.refusal(version))

    def refusal(self, version: str = torch.__version__) -> str:
        return f"fxcut: {self.what} needs PyTorch {written(self.since)} or newer, and this is {version}: {self.instead}."


CAPTURE = Need("the package", OLDEST, "install a newer one")
DECISIONS = Need(
    "whatever decides or measures within Python (Partitioner, fit, profile and what builds on them)",
    OLDEST_THAT_DECIDES,
    "install a newer one, or let the command 'fxcut partition' decide on what fxcut.capture writes down",
)
WHOLE_STEPS = Need(
    "a whole step in one graph",
    (2, 15),
    "install a newer one, or compile the forward alone, with fxcut.Partitioner",
)
OFFLOADING_OPERATORS = Need(
    "offload_dialect='ao', by whose operators the answer offloads,",
    (2, 12),
    "install a newer one, or choose offload_dialect='aten'",
)
FAKE_TENSORS = Need(
    "a graph of a model or of inputs that are fake tensors",
    (2, 5),
    "install a newer one, or capture it with real tensors",
)
REPORTS_IN_CACHES = Need(
    "a report out of PyTorch's caches",
    (2, 13),
    "the graph came out of one without a report, and torch._inductor.config.force_disable_caches has it decided anew",
)
PARTS_OF_PARAMETERS = Need("telling the parts of a parameter from other inputs", (2, 9), "install a newer one")
SPLIT_CONTROL_DEPS = Need("a call of control_deps over values of both sides", (2, 14), "install a newer one")

if TYPE_CHECKING or hasattr(torch._dynamo.exc, "ShortenTraceback"):  # since 2.7
    from torch._dynamo.exc import ShortenTraceback as ErrorThroughCompilers  # is handed on by torch.compile as it is
else:

    class ErrorThroughCompilers(RuntimeError):
        """Of a kind that torch.compile wraps, as it wraps all."""

        def __init__(self, *args: Any, first_useful_frame: Any) -> None:
            super().__init__(*args)


# --- partition functions ----------------------------------------------------------------------------------------------

INDUCTOR_TAKES_PARTITION_FUNCTIONS = hasattr(inductor_config, "custom_partitioner_fn")  # since 2.9
INDUCTORS_OWN = "min_cut_rematerialization_partition"  # in compile_fx
NOT_DONATED = "fxcut_not_donated"  # in a forward module's meta: names of saved values
WHERE_PARTITION_FUNCTIONS_ARE_CALLED = "_partition_joint_graph_into_fw_bw"

if TYPE_CHECKING or INDUCTOR_TAKES_PARTITION_FUNCTIONS:
    from torch._inductor.custom_graph_pass import CustomPartitionerFn
else:

    class CustomPartitionerFn:
        """The base class of partition functions for inductor."""


@contextlib.contextmanager
def inductor_partitions_by(partition: PartitionFunction) -> Iterator[None]:
    """Within it, inductor calls this partition function: as its configuration says, or in place of its own."""
    if INDUCTOR_TAKES_PARTITION_FUNCTIONS:
        with inductor_config.patch(custom_partitioner_fn=partition):
            yield
        return
    # The key of a graph in AOTAutograd's cache, which there is since 2.5, would say nothing of the partition function.
    caches = {"enable_autograd_cache": False} if hasattr(functorch_config, "enable_autograd_cache") else {}
    with mock.patch.object(compile_fx, INDUCTORS_OWN, partition), functorch_config.patch(caches):
        yield


def is_inductors(partition: PartitionFunction) -> bool:
    """Whether it is what inductor gives to AOTAutograd: a function of its own, which calls that of `inductor_partitions_by`."""
    return getattr(partition, "__module__", "") == compile_fx.__name__ or partition is inductor_partition_function()


def inductor_partition_function() -> Any:
    """The one that is to decide for inductor now; None for its own."""
    return getattr(inductor_config, "custom_partitioner_fn", None)


def partition_functions_replaced(
    replaced: Callable[[PartitionFunction], PartitionFunction],
) -> contextlib.AbstractContextManager[Any]:
    """Within it, AOTAutograd calls `replaced` of each partition function that a backend gives it."""
    if RELEASE < (2, 13):
        return mock.patch.object(AOTConfig, "__setattr__", _setting_replaced(replaced))
    from torch._functorch._aot_autograd import graph_compile

    original = getattr(graph_compile, WHERE_PARTITION_FUNCTIONS_ARE_CALLED)
    return mock.patch.object(graph_compile, WHERE_PARTITION_FUNCTIONS_ARE_CALLED, _called_with_replaced(original, replaced))


def _called_with_replaced(
    original: Callable[..., Any], replaced: Callable[[PartitionFunction], PartitionFunction]
) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.arguments["partition_fn"] = replaced(bound.arguments["partition_fn"])
        return original(*bound.args, **bound.kwargs)

    return call


def _setting_replaced(replaced: Callable[[PartitionFunction], PartitionFunction]) -> Callable[..., None]:
    """Before 2.13 it is looked up in AOTAutograd's configuration, where it is set more than once."""
    made: list[PartitionFunction] = []

    def set_attribute(self: AOTConfig, name: str, value: Any) -> None:
        if name == "partition_fn" and value is not None and value not in made:
            made.append(value := replaced(value))
        object.__setattr__(self, name, value)

    return set_attribute


@functools.cache
def watch_donations() -> None:
    """From now on AOTAutograd does not donate saved values to a backward that its forward's meta names under NOT_DONATED."""
    where = _where_donations_are_collected()
    if where is None:
        return
    original = where.collect_bw_donated_buffer_idxs

    @functools.wraps(original)
    def collect(fw_module: fx.GraphModule, bw_module: fx.GraphModule, fw_metadata: Any) -> list[int]:
        donated = original(fw_module, bw_module, fw_metadata)
        kept = fw_module.meta.get(NOT_DONATED, ())
        saved = results_of(fw_module.graph)[fw_metadata.tensors_saved_for_backwards_slice]
        first = fw_metadata.num_symints_saved_for_bw
        return [index for index in donated if saved[index - first].name not in kept]

    where.collect_bw_donated_buffer_idxs = collect


def _where_donations_are_collected() -> Any:
    """The module that calls the function, which is another one in older releases; None where nothing is donated."""
    for name in ("graph_compile", "jit_compile_runtime_wrappers"):
        path = f"torch._functorch._aot_autograd.{name}"
        module = importlib.import_module(path) if importlib.util.find_spec(path) else None
        if hasattr(module, "collect_bw_donated_buffer_idxs"):
            return module
    return None


def taking_fake_inputs(backend: Backend) -> Backend:
    """The backend, for inputs that are fake already. Before 2.11 it is refused those of another mode than Dynamo's, and gets
    copies of that."""
    if RELEASE >= (2, 11):
        return backend

    @functools.wraps(backend)
    def compile_for_copies(module: fx.GraphModule, inputs: Sequence[Any], **options: Any) -> Callable[..., Any]:
        if any(isinstance(one, FakeTensor) for one in (*inputs, *module.parameters(), *module.buffers())):
            FAKE_TENSORS.check()
        with unset_fake_temporarily():
            return backend(module, [_in_mode_of_dynamo(given) for given in inputs], **options)

    return compile_for_copies


def _in_mode_of_dynamo(given: Any) -> Any:
    context = TracingContext.get()
    mode = context.fake_mode
    if mode is None or not isinstance(given, FakeTensor) or given.fake_mode is mode:
        return given
    symbolic = context.tensor_to_context.get(given)
    if symbolic is None:
        return mode.from_tensor(given, static_shapes=True)
    return mode.from_tensor(given, symbolic_context=symbolic, source=symbolic.tensor_source)


def runnable(module: fx.GraphModule) -> fx.GraphModule:
    """The module, to be run as it is. Before 2.7 the operator that looks up a seed refuses to return a part of the seeds."""
    if RELEASE < (2, 7):
        for node in module.graph.nodes:
            if node.target is torch.ops.prims.inductor_lookup_seed.default:
                node.target, node.args = torch.ops.aten.select.int, (node.args[0], 0, node.args[1])
        module.recompile()
    return module


def backwards_compiled_at_once() -> contextlib.AbstractContextManager[Any]:
    """Within it, a backward is compiled with its forward, where `compile_backwards` need not have it run."""
    forced = {"force_non_lazy_backward_lowering": True}
    return functorch_config.patch(forced) if _compiles_backwards_at_once() else contextlib.nullcontext()


def compile_backwards(results: Any, parameters: Sequence[torch.Tensor]) -> None:
    """Before 2.10 a backward is compiled where it first runs: runs those of a call's results, which are fake tensors.

    parameters: their gradients are afterwards what they were before.
    """
    if _compiles_backwards_at_once():
        return
    before = [parameter.grad for parameter in parameters]
    ends = [leaf for leaf in tree_leaves(results) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
    for parameter, gradient in zip(parameters, before, strict=True):
        parameter.grad = gradient


def _compiles_backwards_at_once() -> bool:
    return hasattr(functorch_config, "force_non_lazy_backward_lowering")


# --- what is known of a graph's nodes ---------------------------------------------------------------------------------


def output_node(graph: fx.Graph) -> fx.Node:
    """Before 2.6 a graph does not say so itself."""
    return next(node for node in reversed(graph.nodes) if node.op == "output")


def results_of(graph: fx.Graph) -> Sequence[Any]:
    """What the graph of a forward or a backward returns; constants stand as they are."""
    return cast(Sequence[Any], output_node(graph).args[0])


def policy_of(node: fx.Node) -> dict[str, Any]:
    """The tag of activation checkpointing, under the names that it has in the JSON form.

    Before 2.5 it is one number: 0 for saved values, and the region's number for recomputed ones.
    """
    policy = node.meta.get("recompute")
    if policy is None:
        return {}
    if isinstance(policy, int) and not isinstance(policy, enum.Enum):
        return {"recompute": "PREFER_RECOMPUTE", "ac_graph_id": policy} if policy else {"recompute": "MUST_SAVE"}
    return {"recompute": policy.name if isinstance(policy, enum.Enum) else str(policy)}


def known_numbers(shape_env: Any) -> Any:
    """The numbers that symbols stood for, by symbol."""
    return shape_env.backed_var_to_val if hasattr(shape_env, "backed_var_to_val") else shape_env.var_to_val


def hint_of(size: torch.SymInt, fallback: int) -> Any:
    """The number that a symbolic size stood for; symbols without one count as `fallback`.

    Raises what PyTorch does if it knows no number, and TypeError for what is not an integer.
    """
    if hasattr(symbolic_shapes, "optimization_hint"):  # since 2.12
        return symbolic_shapes.optimization_hint(size, fallback=fallback)
    if not isinstance(size, torch.SymInt):
        raise TypeError(f"expected a symbolic size, found {type(size).__name__}")
    if size.node.has_hint():
        return size.node.hint
    known = known_numbers(size.node.shape_env)
    return int(size.node.expr.xreplace({symbol: known.get(symbol, fallback) for symbol in size.node.expr.free_symbols}))


if TYPE_CHECKING or PARTS_OF_PARAMETERS.is_met():
    from torch._functorch._aot_autograd import descriptors
    from torch._functorch._aot_autograd.descriptors import (
        BufferAOTInput,
        InputMutationAOTOutput,
        ParamAOTInput,
        PlainAOTInput,
        SavedForBackwardsAOTOutput,
    )

    # A kind of its own since 2.11.
    SavedUncheckedAOTOutput: Callable[[int], Any] = getattr(
        descriptors, "SavedForBackwardsNoVcCheckAOTOutput", SavedForBackwardsAOTOutput
    )
else:

    class ParamAOTInput:
        """No input has a descriptor."""

    class SavedForBackwardsAOTOutput(NamedTuple):
        """The descriptor of an output is never read."""

        idx: int

    BufferAOTInput = PlainAOTInput = InputMutationAOTOutput = ParamAOTInput
    SavedUncheckedAOTOutput = SavedForBackwardsAOTOutput


def operator_of_subclass(operator: str, subclass: type[torch.Tensor]) -> Callable[[Callable[..., Any]], Any]:
    """A decorator: what the operator does on a subclass of tensors. Before 2.5 it can do nothing of its own there."""
    if hasattr(torch.library, "register_torch_dispatch"):
        return torch.library.register_torch_dispatch(operator, subclass)
    return lambda function: function


def mark_static_inputs(primals: Sequence[fx.Node], static: Collection[fx.Node]) -> None:
    """Since 2.15 inductor reads this off the backward's inputs, whose order says nothing of it."""
    if RELEASE >= (2, 15):
        for node in primals:
            node.meta["is_static_input"] = node in static


# --- settings and caches ----------------------------------------------------------------------------------------------

BANDWIDTH = "activation_offload_cpu_gpu_bw"


def moved_settings() -> dict[str, Any]:
    """Settings of partitioners that are elsewhere than in torch._functorch.config, under the names that they have now."""
    return {BANDWIDTH: inductor_config.cpu_gpu_bw} if (2, 10) <= RELEASE < (2, 12) else {}


def class_of_cache_entries() -> type[Any]:
    """Of AOTAutograd's cache; they have a method `wrap_post_compile`, by which they are used."""
    if RELEASE < (2, 10):
        from torch._functorch._aot_autograd import autograd_cache

        return autograd_cache.GenericAOTAutogradCacheEntry  # type: ignore[attr-defined]
    from torch._functorch._aot_autograd.aot_autograd_result import GenericAOTAutogradResult

    return GenericAOTAutogradResult
