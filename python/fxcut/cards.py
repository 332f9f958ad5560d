"""GPUs that can be named on a machine without one (stand_in.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from fxcut.errors import InvalidArgument, UnsupportedTorch


class Card(NamedTuple):
    """The CUDA runtime's description of a GPU (cudaDeviceProp, cudaDeviceAttr), in bytes, bits and kHz.

    usable_bytes: what a step may take by default: the memory that the card is sold with. It has more, some of which PyTorch's
        context and kernels take.
    """

    name: str
    usable_bytes: int
    memory: int
    capability: tuple[int, int]
    multiprocessors: int
    shared_memory_per_multiprocessor: int
    shared_memory_per_block_opt_in: int
    l2_cache: int
    memory_bus_bits: int
    memory_clock_khz: int
    clock_khz: int


GB, MIB, KIB = 10**9, 2**20, 2**10
# Shared memory: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". Memory, clocks and caches: what
# torch.cuda.get_device_properties and nvidia-smi say of the cards; of memory this differs by some MiB from driver to driver.
CARDS = {
    "a100": Card(
        "NVIDIA A100-SXM4-80GB", 80 * GB, 81050 * MIB, (8, 0), 108, 164 * KIB, 163 * KIB, 40 * MIB, 5120, 1593000, 1410000
    ),
    "h100": Card(
        "NVIDIA H100 80GB HBM3", 80 * GB, 81082 * MIB, (9, 0), 132, 228 * KIB, 227 * KIB, 50 * MIB, 5120, 2619000, 1980000
    ),
    "b200": Card(
        "NVIDIA B200", 180 * GB, 182642 * MIB, (10, 0), 148, 228 * KIB, 227 * KIB, 129536 * KIB, 7680, 3996000, 1965000
    ),
}
OF_ROCM = ("mi300x", "mi325x", "mi355x")


def card_of(device: Any) -> Card:
    """The card of a name, as in CARDS.

    Raises UnsupportedTorch for AMD's, for which there is no stand-in, and InvalidArgument for anything else.
    """
    if device in OF_ROCM:
        raise UnsupportedTorch(
            f"fxcut: device={device!r}: there is no stand-in for PyTorch's ROCm build, which alone knows what is chosen for that "
            f"card: name one of {', '.join(CARDS)}, or run this where such a card is, without device."
        )
    if device not in CARDS:
        raise InvalidArgument(f"fxcut: device: expected one of {', '.join(CARDS)}, found {device!r}")
    return CARDS[device]


def is_card(device: Any) -> bool:
    """Whether it is meant as a card's name: any text that is not a PyTorch device such as "cuda"."""
    if not isinstance(device, str):
        return False
    try:
        torch.device(device)
    except RuntimeError:
        return True
    return False
