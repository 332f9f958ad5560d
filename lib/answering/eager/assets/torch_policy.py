@HEAD@
from __future__ import annotations

import collections
import contextlib
import fnmatch
import functools
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

# By module and operator: how many calls the forward has, and of those that are saved, counted from 0, the bytes decided on.
CALLS: dict[str, dict[str, tuple[int, dict[int, int]]]] = @CALLS@

# The modules whose calls are regions, one of which at a time is run again; None: the whole call of the model.
REGIONS: str | None = @REGIONS@

# Operators that stand for one of CALLS, whichever kernel a device has.
ALSO_CALLED = {
    "aten.cudnn_batch_norm.default": "aten.native_batch_norm.default",
    "aten.miopen_batch_norm.default": "aten.native_batch_norm.default",
    "aten._native_batch_norm_legit.default": "aten.native_batch_norm.default",
    "aten._batch_norm_with_update.default": "aten.native_batch_norm.default",
}

# Operators that write to running statistics, arguments 3 and 4, which their schemas do not tell.
WRITING_STATISTICS = ("aten.native_batch_norm.default", "aten.cudnn_batch_norm.default", "aten.miopen_batch_norm.default")

# Of a batch norm, which _running_statistics_kept() is for.
NORMS_BUFFERS = ("running_mean", "running_var", "num_batches_tracked")

# Each call of a region begins with copies of its buffers, which it may write to, but not of those with more bytes.
LARGEST_COPIED = 2**20


def apply(model: torch.nn.Module, regions: str | None = REGIONS, name: str = "") -> EagerPolicy:
    """From now on the model saves what CALLS says, and recomputes the rest in the backward.

    regions: None has each call of the model be one region: between forward and backward no more is in memory than was decided,
        but the backward begins by running the forward again, and then has all of that in memory. A pattern of modules' names,
        such as "layers.*", has each call of such a module be a region, one of which at a time is run again: for a low peak, and
        for FSDP, whose sharded modules have to be regions, or to contain them. Then the inputs of each region are in memory as
        well, and what is outside of them is saved as ever. `--regions` of `fxcut policy` lists both.
    name: the path that CALLS has for the model, where a larger one was captured: "encoder".
    """
    if torch.__version__ < (2, 13):  # with 2.8 a kept draw changes later ones; releases between are untried
        raise RuntimeError(f"this policy needs PyTorch 2.13 or newer; this is {torch.__version__}")
    policy = EagerPolicy(model, name)
    for module in [model] if regions is None else _outermost(model, regions):
        policy.make_region(module)
    return policy


def _outermost(model: torch.nn.Module, pattern: str) -> list[torch.nn.Module]:
    """The modules of such names that are not within another one: "layers.*" matches "layers.0.attention" as well.

    Modules without a forward, such as nn.ModuleList, are never called, so that those within them are matched.
    """
    matching = [(name, module) for name, module in model.named_modules() if name and fnmatch.fnmatchcase(name, pattern)]
    names = [name for name, module in matching if _has_forward(module)]
    if matching and not names:
        raise ValueError(
            f"regions: the modules named {pattern!r}, such as {matching[0][0]!r}, have no forward that could be a region; match "
            f"those within them: {matching[0][0] + '.*'!r}"
        )
    if not names:
        some = [name for name, _ in model.named_modules() if name][:3]
        raise ValueError(f"regions: no module is named {pattern!r}; names are such as {', '.join(some) or 'none'}")
    return [model.get_submodule(name) for name in names if not any(_is_within(name, other) and name != other for other in names)]


def _has_forward(module: torch.nn.Module) -> bool:
    return type(module).forward is not torch.nn.Module.forward or "forward" in vars(module)


class EagerPolicy:
    """Knows at each operator which call of the graph it is: by the module that runs, and by counting."""

    def __init__(self, model: torch.nn.Module, name: str = "") -> None:
        self.model = model
        self.names = {module: _joined(name, path) for path, module in model.named_modules()}
        self.here: list[str] = []
        self.counts: collections.Counter[tuple[str, str]] = collections.Counter()
        self.written: list[str] = []
        self.regions: list[str] = []
        self.called: set[str] = set()  # of the regions, in the last forward
        self.is_recomputing = self.has_warned = self.was_asked = False
        known = {path and _joined(name, path) or name for path, _ in model.named_modules(remove_duplicate=False)}
        unknown = [module for module in CALLS if module not in known and _is_within(module, name)]
        if unknown:
            raise ValueError(
                f"the model has no module {unknown[0]!r}, which the graph has (of such there are {len(unknown)}); its names are "
                f"such as {self.some_names()}. Apply the policy to the model that was captured{_part_with_all(model)}, or say by "
                "`name` which part of that this is."
            )
        for module in self.names:
            module.register_forward_pre_hook(self._enter, prepend=True)
            module.register_forward_hook(self._leave, always_call=True)

    def some_names(self) -> str:
        return ", ".join([repr(name) for name in self.names.values() if name][:3]) or "none"

    def make_region(self, module: torch.nn.Module) -> None:
        """From now on each call of the module is a region; hooks of the module, such as FSDP's, stay outside of it."""
        self.regions.append(self.names[module])
        module.forward = _Region(self, module)

    def unlike_graph(self) -> list[str]:
        """In what the last forward differs from the graph's, so that other tensors may be saved than were decided on."""
        unlike = list(self.written) + [f"the region {name!r} was not called" for name in self.uncalled()]
        for module, operators in CALLS.items():
            if not any(_is_within(module, region) for region in self.regions):
                continue
            for operator, (count, _) in operators.items():
                seen = self.counts[module, operator]
                if seen != count:
                    unlike.append(f"{operator} in {module or 'the model'}: {seen} calls, {count} in the graph")
        return unlike

    def uncalled(self) -> list[str]:
        return [name for name in self.regions if name not in self.called]

    def contexts(self, again: _Recomputing):
        """Of a region's forward, and of its running again."""

        def policy(context, operator, *args, **kwargs):
            if context.is_recompute:  # before PyTorch 2.13
                return again.next_answer()
            again.note_written(operator, args, kwargs, self.where())
            self.was_asked = True
            is_saved = self._is_saved(operator)
            if not is_saved:
                _refuse_own_generator(operator, kwargs, self.where())
            again.note(is_saved, operator, args, kwargs)
            if is_saved:
                again.note_results(getattr(context, "op_output", None), f"{operator} in {self.where()}")
            return CheckpointPolicy.MUST_SAVE if is_saved else CheckpointPolicy.PREFER_RECOMPUTE

        forward, again.cached = create_selective_checkpoint_contexts(policy)
        return forward, again

    def where(self) -> str:
        return self.here[-1] if self.here and self.here[-1] else "the model"

    def _is_saved(self, operator) -> bool:
        """Of an operator of the forward that has just run."""
        module = self.here[-1] if self.here else ""
        called = _name_in_graph(operator)
        count, saved = CALLS.get(module, {}).get(called, (0, {}))
        if not count:
            return False
        number = self.counts[module, called]
        self.counts[module, called] += 1
        if number not in saved or not operator._schema.is_mutable:
            return number in saved
        # Where its result is kept it does not run again, and then does not write either.
        lost = f"{saved[number]} bytes are recomputed, not saved"
        self.written.append(f"{operator} in {self.where()} writes to its argument: {lost}")
        return False

    def _enter(self, module, args) -> None:
        if self.is_recomputing:
            return
        if module is self.model:
            self.here.clear()
        if not self.here:
            self.counts.clear()
            self.written.clear()
            self.called.clear()
            self.was_asked = False
        self.here.append(self.names[module])

    def _leave(self, module, args, result) -> None:
        if self.is_recomputing or not self.here:
            return
        self.here.pop()
        is_done = result is not None  # and no exception ends the call
        is_training = self.was_asked or (torch.is_grad_enabled() and self.uncalled())
        if module is self.model and is_done and is_training and not self.has_warned:
            self.has_warned = True
            if unlike := self.unlike_graph():
                warnings.warn("this forward is not the one that was decided on: " + "; ".join(unlike), stacklevel=2)


class _Region:
    """Takes the place of a module's forward. A deepcopy of the module has another, with the copy and a policy of that."""

    def __init__(self, policy: EagerPolicy, module: torch.nn.Module) -> None:
        functools.update_wrapper(self, module.forward)
        self.policy, self.module, self.forward = policy, module, module.forward

    def __call__(self, *args, **kwargs):
        name = self.policy.names[self.module]
        _refuse_sharded_within(self.module, name)
        self.policy.called.add(name)
        again = _Recomputing(self.policy, self.module)
        if torch.is_grad_enabled():
            again.note_entry(args, kwargs)
        call = functools.partial(self.forward, **kwargs) if kwargs else self.forward
        contexts = functools.partial(self.policy.contexts, again)
        result = checkpoint(call, *args, use_reentrant=False, context_fn=contexts)
        again.buffers.forget_unwritten(name)
        return result


class _Buffers:
    """Those that a region writes to: it has to find in them again what it has found, and must not write twice."""

    def __init__(self, module: torch.nn.Module | None = None) -> None:
        """Without a module there are none."""
        self.found = []
        self.written: set[int] = set()  # storages
        for owner in () if module is None else module.modules():
            kept = NORMS_BUFFERS if isinstance(owner, torch.nn.modules.batchnorm._BatchNorm) else ()
            for name, buffer in owner._buffers.items():
                if buffer is not None and name not in kept:
                    is_small = buffer.numel() * buffer.element_size() <= LARGEST_COPIED
                    copy = buffer.detach().clone() if is_small else None
                    self.found.append((owner, name, buffer, _version(buffer), copy))

    def forget_unwritten(self, region: str) -> None:
        """When the region's forward is over."""
        found, self.found = self.found, []
        for owner, name, buffer, version, copy in found:
            is_written = _version(buffer) != version or _storage(buffer) in self.written
            if is_written and copy is None:
                raise RuntimeError(
                    f"the region {region or 'of the model'!r} writes to the buffer {name!r} of a {type(owner).__name__}, which "
                    f"has more than {LARGEST_COPIED} bytes: running again for the backward it would write twice. Write to that "
                    "buffer outside of the regions, or raise LARGEST_COPIED of this module, for a copy of it in each call."
                )
            if is_written or owner._buffers.get(name) is not buffer:
                self.found.append((owner, name, buffer, version, buffer if copy is None else copy))

    @contextlib.contextmanager
    def as_found(self):
        now = [(owner, name, owner._buffers.get(name)) for owner, name, *_ in self.found]
        for owner, name, _, _, copy in self.found:
            owner._buffers[name] = copy.clone()
        try:
            yield
        finally:
            for owner, name, buffer in now:
                owner._buffers[name] = buffer


class _Recomputing:
    """The context in which a region runs again, and what the forward has to tell it."""

    def __init__(self, policy: EagerPolicy, module: torch.nn.Module) -> None:
        self.policy, self.module = policy, module
        self.cached: contextlib.AbstractContextManager = contextlib.nullcontext()
        self.entered = contextlib.ExitStack()
        self.answers: list[CheckpointPolicy] = []
        self.asked = self.draws = 0
        self.states_after: dict[int, tuple[torch.device, torch.Tensor]] = {}
        self.saved: dict[int, str] = {}  # by storage, whose results are in it
        self.inputs: list[tuple[str | int, torch.Tensor, int]] = []
        self.buffers = _Buffers()

    def note_entry(self, args, kwargs) -> None:
        """Of tensors that are arguments by position PyTorch notices by itself that they are written to."""
        inner = {number: value for number, value in enumerate(args) if not isinstance(value, torch.Tensor)}
        for argument, value in {**inner, **kwargs}.items():
            tensors = [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]
            self.inputs += [(argument, tensor, _version(tensor)) for tensor in tensors]
        self.buffers = _Buffers(self.module)

    def refuse_written_inputs(self) -> None:
        for argument, tensor, version in self.inputs:
            if _version(tensor) != version:
                raise RuntimeError(
                    f"the argument {argument!r} of {self.policy.names[self.module] or 'the model'} has been written to in place "
                    "since the forward took it, so that running it again for the backward would compute something else. Write "
                    "to a copy of it (clone())."
                )

    def note_results(self, results, call: str) -> None:
        for result in tree_leaves(results):
            if isinstance(result, torch.Tensor):
                self.saved[_storage(result)] = call

    def note_written(self, operator, args, kwargs, module: str) -> None:
        """Of a saved result PyTorch would refuse it in the backward, and not know what it is about."""
        for tensor in _written(operator, args, kwargs):
            self.buffers.written.add(_storage(tensor))
            if call := self.saved.get(_storage(tensor)):
                raise RuntimeError(
                    f"{operator} in {module} writes over the result of {call}, which the policy saves. Have it not write in "
                    "place (inplace=False), or decide on a policy that recomputes that result."
                )

    def note(self, is_saved: bool, operator, args, kwargs) -> None:
        """Of each operator of the forward. A draw that is saved is not drawn again: where the next one begins has to be known."""
        self.answers.append(CheckpointPolicy.MUST_SAVE if is_saved else CheckpointPolicy.PREFER_RECOMPUTE)
        if _draws(operator):
            if is_saved:
                device = _device_of(args, kwargs)
                self.states_after[self.draws] = device, _generator(device).get_state()
            self.draws += 1

    def next_answer(self) -> CheckpointPolicy:
        self.asked += 1
        return self.answers[self.asked - 1]

    def __enter__(self):
        self.refuse_written_inputs()
        self.policy.is_recomputing, self.asked = True, 0
        self.entered.enter_context(_running_statistics_kept(self.module))
        self.entered.enter_context(self.buffers.as_found())
        self.entered.enter_context(self.cached)
        if self.states_after:
            self.entered.enter_context(_SkippingDraws(self.states_after))

    def __exit__(self, *exception):
        self.policy.is_recomputing = False
        return self.entered.__exit__(*exception)


class _SkippingDraws(TorchDispatchMode):
    """After each draw that is not repeated, the generator goes on from where it was in the forward."""

    def __init__(self, states_after: dict[int, tuple[torch.device, torch.Tensor]]) -> None:
        super().__init__()
        self.states_after, self.draws = states_after, 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = operator(*args, **kwargs)
        if _draws(operator):
            if self.draws in self.states_after:
                device, state = self.states_after[self.draws]
                _generator(device).set_state(state)
            self.draws += 1
        return result


def _storage(tensor: torch.Tensor) -> int:
    try:
        return tensor.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):  # it has none
        return 0


def _version(tensor: torch.Tensor) -> int:
    """Each operator that writes to the tensor increases it."""
    return 0 if tensor.is_inference() else tensor._version


def _written(operator, args, kwargs) -> list[torch.Tensor]:
    """The tensors that the operator writes to."""
    if str(operator) in WRITING_STATISTICS:
        return [tensor for tensor in args[3:5] if tensor is not None and args[5]]
    schema = getattr(operator, "_schema", None)
    if schema is None or not schema.is_mutable:
        return []
    written = []
    for number, argument in enumerate(schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            written += tree_leaves(args[number] if number < len(args) else kwargs.get(argument.name))
    return [tensor for tensor in written if isinstance(tensor, torch.Tensor)]


def _refuse_own_generator(operator, kwargs, module: str) -> None:
    """Of an operator that runs again: only the default generators are set back for that."""
    generator = kwargs.get("generator")
    if generator is None or not _draws(operator) or generator._cdata == _generator(generator.device)._cdata:
        return
    raise RuntimeError(
        f"{operator} in {module} draws from a generator of its own (generator=), and would draw other numbers when it runs again "
        "for the backward. Draw from the default generator, draw outside of the regions, or decide on a policy that saves its "
        "result."
    )


def _draws(operator) -> bool:
    return torch.Tag.nondeterministic_seeded in getattr(operator, "tags", ())


def _device_of(args, kwargs) -> torch.device:
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
    return tensors[0].device if tensors else torch.device(kwargs.get("device") or "cpu")


def _generator(device: torch.device) -> torch.Generator:
    """Its state is read and set without an operator that a mode would see."""
    if device.type == "cpu":
        return torch.default_generator
    module = torch.get_device_module(device)
    return module.default_generators[module.current_device() if device.index is None else device.index]


def _refuse_sharded_within(module: torch.nn.Module, name: str) -> None:
    """What FSDP does in its hooks is not the same when a region runs again, so that none may be within one."""
    if not hasattr(torch.distributed, "fsdp"):
        return
    sharded = getattr(torch.distributed.fsdp, "FSDPModule", ())
    for path, inner in module.named_modules():
        if inner is not module and isinstance(inner, sharded):
            raise RuntimeError(
                f"{_joined(name, path)!r} is sharded by fully_shard and lies within the region {name or 'of the model'!r}: "
                "regions have to be the sharded modules, or within them. Their names are for apply(model, regions=...)."
            )


def _part_with_all(model: torch.nn.Module) -> str:
    """Behind a graph break, or where a wrapper is not compiled, a graph is of a part of the model."""
    for path, part in model.named_modules():
        names = {name for name, _ in part.named_modules(remove_duplicate=False)}
        if all(module in names for module in CALLS):
            return f" (its {path!r} has all modules)"
    return ""


def _joined(name: str, path: str) -> str:
    return f"{name}.{path}" if name and path else name or path


def _is_within(module: str, region: str) -> bool:
    return not region or module == region or module.startswith(region + ".")


def _name_in_graph(operator) -> str:
    """A graph has no operators that write: aten.relu_.default is aten.relu.default there."""
    called = str(operator)
    parts = called.split(".")
    if len(parts) == 3 and parts[1].endswith("_") and not parts[1].endswith("__"):
        called = f"{parts[0]}.{parts[1][:-1]}.{parts[2]}"
    return ALSO_CALLED.get(called, called)


@contextlib.contextmanager
def _running_statistics_kept(module):
    """Within it batch norms that run again do not count their batch a second time."""
    norms = [m for m in module.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm) and m.track_running_stats]
    kept = [(m, m.momentum, None if m.num_batches_tracked is None else m.num_batches_tracked.clone()) for m in norms]
    for norm in norms:
        norm.momentum = 0.0
    try:
        yield
    finally:
        for norm, momentum, batches in kept:
            norm.momentum = momentum
            if batches is not None:
                norm.num_batches_tracked.copy_(batches)
