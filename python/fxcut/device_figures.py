"""The figures of a device profile (schemas/device_profile.schema.json), a function each.

Operations and bytes are counted as in lib/deciding/cost/library_time.cpp and fused_roofline.h, so that their estimates of what
runs here equal the times measured here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch._inductor import config as inductor_config

from fxcut.device_timing import Call, seconds, seconds_in_cuda_graph
from fxcut.errors import FxcutError

ATEN = torch.ops.aten
HALF = torch.float16  # every GPU has it; if there is bfloat16 as well, kernels of both are equally fast
HEAD = 128  # features of a head of attention
CAUSAL = 0.52  # of the operations of attention, where it is causal: kCausal in library_time.cpp
LAUNCHES = 1000  # of a tiny kernel, in one CUDA graph
PROBE_SECONDS = 0.1  # to find how large a product may be
SOFTMAX_ROW, SOFTMAX_OPERATIONS = 256, 5  # maximum, difference, exponential, sum, quotient
ADDING_BYTES = 8  # that x + 1 in float32 reads and writes for an element
TENTH = -1.2816  # a tenth of normally distributed numbers are below it


class NotMeasured(FxcutError):
    """A figure that cannot be measured here; the message says why."""


class Figure(NamedTuple):
    """A number of the profile. origin: how it came about, for its `source`."""

    value: float
    origin: str


class Sizes(NamedTuple):
    """How large the things are that run.

    products: sides of square matrices, ascending; none is taken that would run for longer than `longest_seconds`.
    copies: bytes of a tensor that is copied, likewise. attention: batch, heads, positions.
    scores: batch, positions, features of small products in a batch. images: batch, channels, side of a convolution's input.
    elements: of a tensor in inductor's code.
    """

    products: Sequence[int] = (256, 512, 1024, 2048, 4096, 8192)
    copies: Sequence[int] = (2**26, 2**27, 2**28, 2**29)
    attention: tuple[int, int, int] = (4, 16, 4096)
    scores: tuple[int, int, int] = (16, 256, 64)
    images: tuple[int, int, int] = (64, 256, 64)
    elements: int = 2**22
    longest_seconds: float = 0.05


SIZES = {"cuda": Sizes(), "cpu": Sizes(copies=(2**26, 2**28), attention=(1, 8, 1024), longest_seconds=0.5)}


class Bench:
    """A device, and what has been measured of it so far, by the name of the figure."""

    def __init__(self, device: torch.device, sizes: Sizes) -> None:
        self.device, self.sizes = device, sizes
        self.figures: dict[str, Figure] = {}

    def known(self, name: str) -> float:
        if name not in self.figures:
            raise NotMeasured(f"it needs {name}, which is not known")
        return self.figures[name].value

    def random(self, *shape: int, dtype: torch.dtype) -> Tensor:
        return torch.randn(shape, device=self.device).to(dtype)

    @functools.cached_property
    def seconds_of_adding(self) -> float:
        """The time of x + 1 in inductor's code, which takes no longer than its memory traffic."""
        return _seconds_compiled(lambda x, mask: x + 1, self)


Measure = Callable[[Bench], Figure]
Prepare = Callable[[Bench, int], Call]


def fastest(*measures: Measure) -> Measure:
    """The highest of these figures; those that cannot be measured do not count, unless none can."""

    def measure(bench: Bench) -> Figure:
        found: list[Figure] = []
        failures: list[RuntimeError] = []
        for one in measures:
            try:
                found.append(one(bench))
            except RuntimeError as error:
                failures.append(error)
        if not found:
            raise failures[0]
        return max(found)

    return measure


# --- products ---------------------------------------------------------------------------------------------------------


def product(dtype: torch.dtype) -> Measure:
    """10^12 operations a second of a product of dense matrices, the largest that runs."""

    def prepare(bench: Bench, size: int) -> Call:
        left, right, result = (bench.random(size, size, dtype=dtype) for _ in range(3))
        return lambda: torch.mm(left, right, out=result)

    return _tflops(prepare, str(dtype).removeprefix("torch."))


def float32_product(bench: Bench) -> Figure:
    rate, origin = product(torch.float32)(bench)
    return Figure(rate, f"{origin} at the precision '{torch.get_float32_matmul_precision()}'")


def float8_product(bench: Bench) -> Figure:
    def prepare(bench: Bench, size: int) -> Call:
        left, right = (bench.random(size, size, dtype=torch.float8_e4m3fn) for _ in range(2))
        scale = torch.ones((), device=bench.device)
        return lambda: torch._scaled_mm(left, right.t(), scale_a=scale, scale_b=scale, out_dtype=torch.bfloat16)

    return _tflops(prepare, "float8_e4m3fn")(bench)


def exposed_traffic(bench: Bench) -> Figure:
    """The share of its memory time by which a batch of small products in float32, as in attention, exceeds its arithmetic."""
    batch, positions, features = bench.sizes.scores
    left = bench.random(batch, positions, features, dtype=torch.float32)
    right = bench.random(batch, features, positions, dtype=torch.float32)
    taken = seconds(lambda: torch.bmm(left, right), bench.device)
    arithmetic = 2 * batch * positions**2 * features / (bench.known("peak_tflops.float32") * 1e12)
    moved_bytes = 4 * (left.numel() + right.numel() + batch * positions**2)
    traffic = moved_bytes / (bench.known("memory_gb_per_second") * 1e9)
    share = (taken - max(arithmetic, traffic)) / min(arithmetic, traffic)
    origin = f"products of {batch} x {positions} x {features} and {batch} x {features} x {positions} took {_ms(taken)}"
    return Figure(min(max(share, 0.0), 1.0), f"{origin}, their operations alone {_ms(arithmetic)}, their bytes {_ms(traffic)}")


def _tflops(prepare: Prepare, dtype: str) -> Measure:
    def measure(bench: Bench) -> Figure:
        size, call = _largest(bench, bench.sizes.products, 3, prepare)
        taken = seconds(call, bench.device)
        return Figure(2 * size**3 / taken / 1e12, f"{size} x {size} x {size} in {dtype} took {_ms(taken)}")

    return measure


def _largest(bench: Bench, sizes: Sequence[int], power: int, prepare: Prepare) -> tuple[int, Call]:
    """The last size that fits into memory and is not expected to take too long, and its call.

    power: of the size, to which the time is proportional.
    """
    found: tuple[int, Call] | None = None
    rate = 0.0  # the highest so far: small sizes may be held up
    for size in sizes:
        if found and size**power > rate * bench.sizes.longest_seconds:
            break
        try:
            call = prepare(bench, size)
            rate = max(rate, size**power / seconds(call, bench.device, PROBE_SECONDS))
        except RuntimeError:  # out of memory
            if found:
                break
            raise
        found = size, call
    assert found
    return found


# --- memory -----------------------------------------------------------------------------------------------------------


def copies(bench: Bench) -> Figure:
    """10^9 bytes a second, read and written, of a copy within the device's memory."""

    def prepare(bench: Bench, size: int) -> Call:
        source, target = (torch.ones(size // 4, device=bench.device) for _ in range(2))  # zeros may have no memory yet
        return lambda: target.copy_(source)

    size, call = _largest(bench, bench.sizes.copies, 1, prepare)
    taken = seconds(call, bench.device)
    return Figure(2 * size / taken / 1e9, f"a copy of {size / 1e6:.0f} MB took {_ms(taken)}")


def host_copies(bench: Bench) -> tuple[float, float]:
    """2^30 bytes a second to pinned memory of the host, and from there."""
    size = bench.sizes.copies[-1] // 2
    here = torch.zeros(size, dtype=torch.uint8, device=bench.device)
    host = torch.zeros(size, dtype=torch.uint8, pin_memory=True)
    there = seconds(lambda: host.copy_(here, non_blocking=True), bench.device)
    back = seconds(lambda: here.copy_(host, non_blocking=True), bench.device)
    return size / there / 2**30, size / back / 2**30


# --- attention and convolutions ---------------------------------------------------------------------------------------


def flash_attention(bench: Bench) -> Figure:
    return _attention_share(bench, lambda *qkv: ATEN._scaled_dot_product_flash_attention(*qkv, is_causal=True), "flash")


def efficient_attention(bench: Bench) -> Figure:
    operator = ATEN._scaled_dot_product_efficient_attention
    return _attention_share(bench, lambda *qkv: operator(*qkv, None, True, is_causal=True), "memory-efficient")


def cudnn_attention(bench: Bench) -> Figure:
    operator = ATEN._scaled_dot_product_cudnn_attention
    return _attention_share(bench, lambda *qkv: operator(*qkv, None, True, is_causal=True), "cuDNN's")


def _attention_share(bench: Bench, run: Callable[..., Any], whose: str) -> Figure:
    """On a GPU, causal, in half precision."""
    taken, operations, shape = _attention(bench, run, HALF)
    share = CAUSAL * operations / taken / (bench.known("peak_tflops.float16") * 1e12)
    return _share(share, f"{whose} causal attention of {shape} took {_ms(taken)}")


def attention_on_cpu(bench: Bench) -> Figure:
    """In float32, all of the scores: on a CPU causal attention counts as any other."""
    taken, operations, shape = _attention(bench, ATEN._scaled_dot_product_flash_attention_for_cpu, torch.float32)
    share = operations / taken / (bench.known("peak_tflops.float32") * 1e12)
    return _share(share, f"attention of {shape} took {_ms(taken)}")


def _attention(bench: Bench, run: Callable[..., Any], dtype: torch.dtype) -> tuple[float, float, str]:
    """The seconds of a forward, its operations were it not causal, and its shape in words."""
    batch, heads, positions = bench.sizes.attention
    query, key, value = (bench.random(batch, heads, positions, HEAD, dtype=dtype) for _ in range(3))
    taken = seconds(lambda: run(query, key, value), bench.device)
    return taken, 4 * batch * heads * positions**2 * HEAD, f"{batch} x {heads} x {positions} x {HEAD}"


def layouts(bench: Bench) -> Figure:
    """How much longer a convolution takes with channels first: the time in which it copies its tensors."""
    batch, channels, side = bench.sizes.images
    image = bench.random(batch, channels, side, side, dtype=HALF)
    weight = bench.random(channels, channels, 3, 3, dtype=HALF)
    first = seconds(lambda: F.conv2d(image, weight, padding=1), bench.device)
    bytes_copied = (2 * image.numel() + weight.numel()) * image.element_size()  # the result is as large as the image
    image, weight = (one.contiguous(memory_format=torch.channels_last) for one in (image, weight))
    last = seconds(lambda: F.conv2d(image, weight, padding=1), bench.device)
    in_copies = first - last - 3 * bench.known("kernels.least_us") / 1e6
    if in_copies <= 0:
        raise NotMeasured("a convolution takes no longer where channels come first: it copies nothing")
    shape = f"{batch} x {channels} x {side} x {side}"
    origin = f"a convolution of {shape} took {_ms(first)} with channels first, {_ms(last)} with channels last"
    return _share(2 * bytes_copied / in_copies / (bench.known("memory_gb_per_second") * 1e9), origin)


def _share(share: float, origin: str) -> Figure:
    return Figure(min(share, 1.0), origin if share <= 1 else f"{origin}, {share:.3g} of that rate, counted as 1")


# --- kernels ----------------------------------------------------------------------------------------------------------


def least_us(bench: Bench) -> Figure:
    """Microseconds of a kernel that has next to nothing to do, one after the other."""
    one = torch.ones(1, device=bench.device)
    taken = seconds_in_cuda_graph(lambda: one.add_(1), LAUNCHES)
    return Figure(taken * 1e6, f"a CUDA graph of {LAUNCHES} additions of one element took {_ms(taken * LAUNCHES)}")


def launch_us(bench: Bench) -> Figure:
    """Microseconds of the CPU for a kernel that has next to nothing to do, so that the GPU waits for it."""
    one = torch.ones(1, device=bench.device)
    taken = seconds(lambda: one.add_(1), bench.device)
    return Figure(taken * 1e6, f"an addition of one element, launched again and again, took {_ms(taken)}")


def multiprocessors(bench: Bench) -> Figure:
    count = torch.cuda.get_device_properties(bench.device).multi_processor_count
    return Figure(count, "of the device's properties, as PyTorch has them")


# --- elements of code for a CPU ---------------------------------------------------------------------------------------


def random_ns(bench: Bench) -> Figure:
    return _beside_adding(lambda x, mask: torch.rand_like(x), "torch.rand_like(x)", 4, bench)


def store_bool_ns(bench: Bench) -> Figure:
    return _beside_adding(lambda x, mask: x > 0, "x > 0", 5, bench)


def load_bool_ns(bench: Bench) -> Figure:
    return _beside_adding(lambda x, mask: torch.where(mask, 0, x), "torch.where(mask, 0, x)", 9, bench)


def store_mask_ns(bench: Bench) -> Figure:
    """Of a Boolean that is false in a tenth, beyond drawing it, in whose loop that takes longer than in one that only compares.
    The processor mispredicts the branch on it less often than where half are false."""
    drawing = bench.known("elements.random_ns")
    taken, origin = _beside_adding(lambda x, mask: torch.rand_like(x) > 0.1, "torch.rand_like(x) > 0.1", 1, bench)
    return Figure(max(taken - drawing, 0), f"{origin}; drawing takes {drawing:.4g} ns an element of it")


def load_mask_ns(bench: Bench) -> Figure:
    return _beside_adding(lambda x, mask: torch.where(mask, 0, x), f"torch.where(x > {TENTH}, 0, x)", 9, bench, TENTH)


def operation_ns(bench: Bench) -> Figure:
    """Of each of the operations that a softmax has on an element beyond that of an addition."""
    rows = lambda x, mask: torch.softmax(x.view(-1, SOFTMAX_ROW), -1)  # noqa: E731
    taken, origin = _beside_adding(rows, f"torch.softmax(x, -1) in rows of {SOFTMAX_ROW}", ADDING_BYTES, bench)
    return Figure(taken / (SOFTMAX_OPERATIONS - 1), origin)


def _beside_adding(
    function: Callable[..., Tensor], code: str, moved_bytes: int, bench: Bench, threshold: float = 0
) -> Figure:
    """Nanoseconds of an element, by which the function takes longer than an addition that moves as many bytes.

    moved_bytes: that the function reads and writes for an element.
    """
    adding = bench.seconds_of_adding
    taken = _seconds_compiled(function, bench, threshold)
    origin = f"{code} of {bench.sizes.elements} elements took {_ms(taken)} in inductor's code, and x + 1 {_ms(adding)}"
    return Figure(max(taken - adding * moved_bytes / ADDING_BYTES, 0) / bench.sizes.elements * 1e9, origin)


def _seconds_compiled(function: Callable[..., Tensor], bench: Bench, threshold: float = 0) -> float:
    """Of the function, called with normally distributed numbers, and whether they are above the threshold."""
    x = torch.randn(bench.sizes.elements, device=bench.device)
    mask = x > threshold
    with inductor_config.patch(compile_threads=1):  # a process for each of many threads would start for nothing
        compiled = torch.compile(function, dynamic=False)
        return seconds(lambda: compiled(x, mask), bench.device)


def _ms(taken: float) -> str:
    return f"{taken * 1e3:.4g} ms"
