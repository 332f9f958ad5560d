"""What can go wrong, as one family of exceptions.

torch.compile wraps what its backend raises into its own BackendCompilerFailed, all but what is of its own kind
ShortenTraceback. As FxcutError is of that kind, `except fxcut.NoPartition` catches through torch.compile as well.
(Before 2.7, where nothing decides, there is no such kind.)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fxcut.torch_releases import ErrorThroughCompilers


class FxcutError(ErrorThroughCompilers):
    """Whatever fxcut raises.

    graph: the file with the graph that could not be partitioned; None if it is not about a graph.
    """

    graph: Path | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message, first_useful_frame=None)

    def add(self, line: str) -> None:
        """Appends to the message."""
        self.args = (f"{self.args[0]}\n{line}",)


class InvalidArgument(FxcutError, ValueError):
    """An argument of a function or a Partitioner makes no sense, or two of them contradict each other."""


class UnsupportedTorch(FxcutError):
    """The installed PyTorch lacks what is requested."""


class InternalError(FxcutError):
    """A bug in this package; the message has the cause."""


def require_callable(function: Any) -> None:
    """Raises TypeError for what cannot be called: PyTorch would say so without a word about which argument."""
    if not callable(function):
        raise TypeError(f"fxcut: expected a function or a module, found {function!r}, of type {type(function).__name__}")
