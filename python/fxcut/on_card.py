"""A function and its arguments, as fake tensors on a stand-in GPU (stand_in.py)."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from fxcut.cards import card_of
from fxcut.fake_step import FakeCopies
from fxcut.own_process import in_own_process
from fxcut.stand_in import check_stand_in, claim

Function = Callable[..., Any]
Result = TypeVar("Result")

CARD = torch.device("cuda", 0)


def on_card(device: str, function: Callable[[], Result]) -> Result:
    """What the function returns in a process of its own in which PyTorch finds that card.

    device: one of CARDS. Raises what card_of, claim and in_own_process do.
    """
    card = card_of(device)
    check_stand_in()

    def answer() -> Result:
        claim(card)
        return function()

    return in_own_process(answer)


class FakeCall:
    """A call on the card, on copies of all tensors and modules that it is known to read.

    That is its arguments; of a function also its closure, its defaults, the globals that it names, and what functions of its
    module read that it names; of a method its object.
    """

    def __init__(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        copies = FakeCopies(device=CARD)
        self.mode = copies.mode
        self.function = _Reading(copies).copy_of(function)
        self.args, self.kwargs = copies.of((tuple(args), dict(kwargs)))


class _Reading:
    """Makes functions again that read copies."""

    def __init__(self, copies: FakeCopies) -> None:
        self._copies = copies
        self._globals: dict[int, dict[str, Any]] = {}

    def copy_of(self, read: Any) -> Any:
        """Anything else is handed on unchanged."""
        if id(read) in self._copies.memo:
            return self._copies.memo[id(read)]
        if isinstance(read, (nn.Module, Tensor)):
            return self._copies.of(read)
        if isinstance(read, types.MethodType):
            return types.MethodType(read.__func__, self._copies.of(read.__self__))
        if isinstance(read, functools.partial):
            keywords = {name: self.copy_of(value) for name, value in read.keywords.items()}
            return functools.partial(self.copy_of(read.func), *map(self.copy_of, read.args), **keywords)
        return self._function(read) if isinstance(read, types.FunctionType) else read

    def _function(self, read: types.FunctionType) -> types.FunctionType:
        names = self._globals.setdefault(id(read.__globals__), dict(read.__globals__))
        closure = tuple(types.CellType() for _ in read.__closure__ or ())
        made = types.FunctionType(read.__code__, names, read.__name__, read.__defaults__, closure)
        self._copies.memo[id(read)] = made  # before what it reads, which may be itself
        made.__kwdefaults__, made.__qualname__, made.__module__ = read.__kwdefaults__, read.__qualname__, read.__module__
        for new, old in zip(closure, read.__closure__ or ()):
            with contextlib.suppress(ValueError):  # a variable that has no value yet
                new.cell_contents = self.copy_of(old.cell_contents)
        made.__defaults__ = tuple(map(self.copy_of, read.__defaults__ or ())) or None
        for name in read.__code__.co_names:
            value = read.__globals__.get(name)
            if name in names and (not isinstance(value, types.FunctionType) or value.__globals__ is read.__globals__):
                names[name] = self.copy_of(value)
        return made
