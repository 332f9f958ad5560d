"""The package's version: that of the program, as pip knows it."""

from __future__ import annotations

from importlib import metadata

NOT_INSTALLED = "0+not.installed"  # the sources, where they are run as they lie there

try:
    __version__ = metadata.version("fxcut")
except metadata.PackageNotFoundError:
    __version__ = NOT_INSTALLED
