"""Makes PyTorch find a GPU in this process that does not exist, so that it traces as for that GPU.

What PyTorch decides for a GPU, which attention kernel it takes and which layouts, is up to the code of its CUDA build, which asks
the CUDA runtime what the card is like. The library libfxcut-card.so, of the repository's `python/card`, answers in its place.
Kernels are not run: all tensors are fake. What PyTorch said of GPUs before is forgotten, and there is no way back: this
is for a process of its own (own_process.py).
"""

from __future__ import annotations

import ctypes
import functools
import sys
from pathlib import Path

import torch

from fxcut.binary import find_binary
from fxcut.cards import Card
from fxcut.compiling_without_card import without_running_on_card
from fxcut.errors import FxcutError, UnsupportedTorch
from fxcut.torch_releases import FAKE_TENSORS, RELEASE, written

LIBRARY = "libfxcut-card.so"  # next to the program
REFUSAL = "nothing runs on fxcut's stand-in for a GPU"  # the start of the sentence in python/card/runtime.cpp


class StandInNotFound(FxcutError):
    """The library that stands for a GPU is not next to the program."""


class _Card(ctypes.Structure):
    """FxcutCard of python/card/card.h."""

    _fields_ = [
        ("name", ctypes.c_char * 64),
        ("memory", ctypes.c_size_t),
        ("capability_major", ctypes.c_int),
        ("capability_minor", ctypes.c_int),
        ("multiprocessors", ctypes.c_int),
        ("shared_memory_per_multiprocessor", ctypes.c_int),
        ("shared_memory_per_block_opt_in", ctypes.c_int),
        ("l2_cache", ctypes.c_int),
        ("memory_bus_bits", ctypes.c_int),
        ("memory_clock_khz", ctypes.c_int),
        ("clock_khz", ctypes.c_int),
    ]


def check_stand_in() -> None:
    """Raises UnsupportedTorch if this PyTorch cannot use a stand-in, and StandInNotFound if there is none."""
    FAKE_TENSORS.check()
    if not sys.platform.startswith("linux"):
        raise UnsupportedTorch("fxcut: device: the stand-in for a GPU is for Linux: run this in a container of it.")
    if torch.version.cuda is None:
        raise UnsupportedTorch(
            f"fxcut: device needs PyTorch's CUDA build, no GPU, and this is {torch.__version__}: "
            f"PyPI has it: pip install --force-reinstall 'torch=={written(RELEASE)}.*'"
        )
    if torch.cuda.is_initialized():
        raise UnsupportedTorch(
            "fxcut: device: this process uses a GPU already, and another one cannot stand in for it: ask before it is used, or "
            "in another process."
        )
    if not _library().is_file():
        raise StandInNotFound(
            f"fxcut: device: {_library()} is not there, the stand-in for a GPU, which is built with the program: install the "
            f"package with pip, or build the target fxcut_card."
        )


def claim(card: Card) -> None:
    """From now on PyTorch finds this card in this process, as its only one. Raises what check_stand_in does."""
    check_stand_in()
    of_c = _Card(card.name.encode(), card.memory, *card.capability, *card[4:])
    major, minor = (int(part) for part in str(torch.version.cuda).split(".")[:2])
    if ctypes.CDLL(str(_library())).fxcut_claim_card(ctypes.byref(of_c), major * 1000 + minor * 10) <= 0:
        raise UnsupportedTorch(
            f"fxcut: device: there is no stand-in for a GPU of CUDA {torch.version.cuda}, for which this PyTorch is built: "
            f"install one that is built for CUDA 12 or 13; it needs no GPU."
        )
    without_running_on_card()
    torch._C._set_multithreading_enabled(False)  # of gradients: the library has no threads started for the card
    _forget_machine()
    torch.cuda._device_count_nvml = lambda: -1  # type: ignore[assignment]  # asks a driver past the runtime
    if torch._C._cuda_isInBadFork():  # type: ignore[attr-defined]  # before 2.8, which the library cannot answer for
        raise UnsupportedTorch(
            f"fxcut: device: with PyTorch {torch.__version__} no GPU can stand in once this process has looked for one "
            f"(torch.cuda.is_available): ask before, or in another process."
        )


# Modules whose functions keep what they find out of the machine; patterns of graphs, which inductor keeps too, are for any.
OF_MACHINE = (
    "torch.cuda",
    "torch.utils._triton",
    "torch._inductor.utils",
    "torch._inductor.runtime.",
    "torch._dynamo.device_interface",
)


def _forget_machine() -> None:
    torch.cuda._cached_device_count = None
    for name, module in list(sys.modules.items()):
        if name.startswith(OF_MACHINE):
            for kept in list(vars(module).values()):
                if isinstance(kept, functools._lru_cache_wrapper):
                    kept.cache_clear()


def _library() -> Path:
    return find_binary().resolve().parent / LIBRARY
