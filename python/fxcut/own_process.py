"""Runs a function in a process of its own, which is a fork of this one: it has everything that this one has, including models and
functions that no file could carry, and its changes to itself end with it."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

import torch
from torch._inductor import config as inductor_config

from fxcut.errors import FxcutError

Result = TypeVar("Result")


class OwnProcessFailed(FxcutError):
    """What went wrong in the other process, if its exception cannot be transferred, or it ended without one."""


class _Elsewhere(Exception):
    """Shows the traceback of the other process, as the cause of what is raised here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def in_own_process(function: Callable[[], Result]) -> Result:
    """What the function returns, or raises, in another process; pickle has to support it.

    Raises OwnProcessFailed where that process ends without an answer, or raises what pickle does not take.
    """
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    with warnings.catch_warnings():  # Python 3.12 warns of threads, of which PyTorch's do not matter to the function
        warnings.simplefilter("ignore", DeprecationWarning)
        process = fork.Process(target=_answer, args=(function, there))
        process.start()
    there.close()
    try:
        with here:
            result, error, told = pickle.loads(here.recv_bytes())
    except EOFError:
        process.join()
        raise OwnProcessFailed(f"fxcut: a process of this one ended with status {process.exitcode} and no answer") from None
    process.join()
    if error is not None:
        raise error from _Elsewhere(told)
    return result


def _answer(function: Callable[[], object], to: Connection) -> None:
    if inductor_config.cpp.threads < 1:
        inductor_config.cpp.threads = torch.get_num_threads()  # for which it generates code
    torch.set_num_threads(1)  # a fork has none of the threads that OpenMP knows of
    try:
        content = pickle.dumps((function(), None, ""))
    except BaseException as error:  # whatever it is, it is told there
        content = _told(error)
    to.send_bytes(content)


def _told(error: BaseException) -> bytes:
    text = "".join(traceback.format_exception(error))
    try:
        content = pickle.dumps((None, error, text))
        pickle.loads(content)
        return content
    except Exception:
        return pickle.dumps((None, OwnProcessFailed(f"{type(error).__name__}: {error}"), text))
