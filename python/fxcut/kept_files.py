"""The folder in which the program finds and leaves its files. It is gone once all went well, and stays otherwise."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch import fx

from fxcut.errors import FxcutError, InternalError

GRAPH = "graph.json"
AS_TEXT = "graph.txt"


@contextlib.contextmanager
def folder_for(joint: fx.GraphModule) -> Iterator[Path]:
    """A new folder. What fails within, fails as an FxcutError that names the file of the graph.

    joint: the graph, of which a text is kept where it had not become GRAPH yet.
    """
    folder = Path(tempfile.mkdtemp(prefix="fxcut-"))
    try:
        yield folder
    except FxcutError as error:
        _cite(error, folder, joint)
        raise
    except Exception as error:
        internal = InternalError(f"fxcut: a bug in the Python package: {type(error).__name__}: {error}")
        _cite(internal, folder, joint)
        raise internal from error
    except BaseException:
        shutil.rmtree(folder)
        raise
    shutil.rmtree(folder)


def _cite(error: FxcutError, folder: Path, joint: fx.GraphModule) -> None:
    graph = folder / GRAPH
    if not graph.exists():
        graph = folder / AS_TEXT
        graph.write_text(joint.print_readable(print_output=False))
    error.graph = graph
    error.add(f"  the graph is kept: {graph}")


def write_json(path: Path, content: Any) -> str:
    """Writes it and returns the file's name within its folder."""
    path.write_text(json.dumps(content, separators=(",", ":")))
    return path.name
