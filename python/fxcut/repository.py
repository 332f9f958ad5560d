"""Which files are the user's own: those of the repository that Python runs in, except packages installed there."""

from __future__ import annotations

import functools
import os
from pathlib import Path

INSTALLED = ("site-packages", "dist-packages")


def repository_here() -> str | None:
    """The top of the repository that Python runs in; None where its folder is gone or may not be looked at."""
    try:
        return repository_around(os.getcwd())
    except OSError:
        return None


@functools.cache
def repository_around(folder: str) -> str:
    """The top of the git checkout that `folder` lies in, or the folder itself where it lies in none."""
    path = Path(folder).resolve()
    tops = [parent for parent in (path, *path.parents) if (parent / ".git").exists()]
    return str(tops[0] if tops else path)


@functools.cache
def file_in_repository(file: str, top: str) -> str | None:
    """The file as it is named from the repository's top on, with slashes; None where it is not of the repository."""
    path = Path(file).resolve()
    if not path.is_relative_to(top) or not path.is_file():  # "<string>" is not a file
        return None
    inside = path.relative_to(top)
    return None if set(INSTALLED) & set(inside.parts) else inside.as_posix()
