"""Which PyTorch this is, and whether the package knows it."""

from __future__ import annotations

OLDEST = (2, 13)
NEWEST = (2, 15)

try:
    import torch
except ModuleNotFoundError as missing:
    if missing.name != "torch":
        raise
    raise ModuleNotFoundError(
        f"The package fxcut is for PyTorch, which is not installed: pip install 'torch>={OLDEST[0]}.{OLDEST[1]}'. "
        f"The command fxcut works without.",
        name="torch",
    ) from None

from fxcut.errors import FxcutError  # noqa: E402  it imports torch


class UnsupportedTorch(FxcutError):
    """The installed PyTorch has joint graphs or partition functions of another shape than this package knows."""


def torch_release(version: str = torch.__version__) -> tuple[int, ...]:
    """(2, 13) of "2.13.0+cpu"."""
    return tuple(int(part) for part in version.split("+")[0].split(".")[:2])


def check_torch_version(version: str = torch.__version__) -> None:
    """Raises UnsupportedTorch for a PyTorch older than 2.13; newer ones than 2.15 are tried as they are.

    version: as in torch.__version__, such as "2.13.0+cpu".
    """
    if torch_release(version) < OLDEST:
        raise UnsupportedTorch(
            f"fxcut works with PyTorch {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}, and this is {version}. "
            f"Install a newer one."
        )
