"""Refuses what goes on from the values of tensors, where all tensors are fake and have none."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

from fxcut.errors import InvalidArgument

NOT_THE_USERS = tuple(str(Path(file).parent) for file in (torch.__file__, __file__))


@contextlib.contextmanager
def values_not_needed(caller: str) -> Iterator[None]:
    """Within it, what needs a value raises InvalidArgument, which names the user's line. caller: the function that was called."""
    try:
        yield
    except (DataDependentOutputException, DynamicOutputShapeException) as error:
        raise InvalidArgument(
            f"{caller}: {_users_line(error.__traceback__)}{error.func} needs the values of a tensor, and all tensors are fake "
            f"here: they have sizes alone. Leave that out of the model, or pass what it finds as an input."
        ) from error


def _users_line(where: TracebackType | None) -> str:
    """The innermost line outside PyTorch and this package; nothing where there is none, as in a graph of PyTorch's own."""
    frames = [one for one in traceback.extract_tb(where) if not one.filename.startswith((*NOT_THE_USERS, "<"))]
    return f"{frames[-1].filename}:{frames[-1].lineno}: `{frames[-1].line}`: " if frames else ""
