"""`python -m fxcut.measure_device > my_card.json`: a device profile of this machine's GPU or CPU, for --device.

Within two minutes each figure is measured that this device and PyTorch support; `source` says how each was obtained. The
peak rates are those that large products and copies reached, so that their shares (`efficiency`) are 1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from fxcut import device_figures as figures
from fxcut.binary import Json
from fxcut.device_figures import SIZES, Bench, Figure, Measure, NotMeasured, Sizes, fastest, product
from fxcut.errors import FxcutError, InvalidArgument
from fxcut.torch_releases import DECISIONS

VERSION = 1  # of the profile's form
DIGITS = 4
MAX_LOAD = 0.5  # of each CPU, by other work


class Measurement(NamedTuple):
    """name: of the figure, by its place in the profile. measure: takes figures of earlier ones."""

    name: str
    devices: Sequence[str]
    measure: Measure


GPU, CPU, BOTH = ("cuda",), ("cpu",), ("cuda", "cpu")
MEASUREMENTS = (
    Measurement("peak_tflops.float64", BOTH, product(torch.float64)),
    Measurement("peak_tflops.float32", BOTH, figures.float32_product),
    Measurement("peak_tflops.float16", BOTH, fastest(product(torch.bfloat16), product(torch.float16))),
    Measurement("peak_tflops.float8", BOTH, figures.float8_product),
    Measurement("memory_gb_per_second", BOTH, figures.copies),
    Measurement("efficiency.attention", GPU, fastest(figures.flash_attention, figures.efficient_attention)),
    Measurement("efficiency.attention", CPU, figures.attention_on_cpu),
    Measurement("efficiency.cudnn_attention", GPU, figures.cudnn_attention),
    Measurement("kernels.least_us", GPU, figures.least_us),
    Measurement("kernels.launch_us", GPU, figures.launch_us),
    Measurement("kernels.multiprocessors", GPU, figures.multiprocessors),
    Measurement("kernels.exposed_traffic", CPU, figures.exposed_traffic),
    Measurement("efficiency.layouts", GPU, figures.layouts),
    Measurement("elements.random_ns", CPU, figures.random_ns),
    Measurement("elements.store_bool_ns", CPU, figures.store_bool_ns),
    Measurement("elements.load_bool_ns", CPU, figures.load_bool_ns),
    Measurement("elements.store_mask_ns", CPU, figures.store_mask_ns),
    Measurement("elements.load_mask_ns", CPU, figures.load_mask_ns),
    Measurement("elements.operation_ns", CPU, figures.operation_ns),
)
REACHED = Figure(1, "1, since the rates are those reached")
# A profile needs these two: each stands in for the other.
EACH_FOR_THE_OTHER = ("peak_tflops.float32", "peak_tflops.float16")

Tell = Callable[[str], None]


def device_profile(device: torch.device, tell: Tell, sizes: Sizes | None = None) -> Json:
    """Measures a device, "cpu" or "cuda" with its index.

    tell: called for each figure that cannot be measured. sizes: of what runs; default: SIZES.
    Raises NotMeasured if a profile needs one of them.
    """
    bench = Bench(device, sizes or SIZES[device.type])
    missing = []
    for name, devices, measure in MEASUREMENTS:
        if device.type not in devices:
            continue
        try:
            with _measuring(device):
                bench.figures[name] = measure(bench)
        except Exception as error:  # whatever a library has against this device
            missing.append(name)
            tell(f"{name} is not measured: {_reason(error)}")
    found = _completed(bench.figures)
    return {
        "version": VERSION,
        "name": _name(device),
        "source": _source(device, found, [name for name in missing if name not in found]),
        **_nested({name: float(f"{figure.value:.{DIGITS}g}") for name, figure in found.items()}),
    }


@contextlib.contextmanager
def _measuring(device: torch.device) -> Iterator[None]:
    """Within it, that GPU is the current one; PyTorch's warnings of what it does not find are not shown."""
    with contextlib.ExitStack() as stack:
        if device.type == "cuda":
            stack.enter_context(torch.cuda.device(device))
        stack.enter_context(torch.no_grad())
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        yield


def _completed(found: dict[str, Figure]) -> dict[str, Figure]:
    """With what follows from the figures, or is assumed."""
    completed = dict(found)
    for name, other in (EACH_FOR_THE_OTHER, EACH_FOR_THE_OTHER[::-1]):
        if name not in found and other in found:
            completed[name] = Figure(found[other].value, f"assumed to be {other}")
    for needed in (*EACH_FOR_THE_OTHER, "memory_gb_per_second"):
        if needed not in completed:
            raise NotMeasured(f"there is no profile without {needed}")
    return {**completed, "efficiency.products": REACHED, "efficiency.memory": REACHED}


def _nested(values: dict[str, float]) -> Json:
    """{"kernels": {"least_us": 2}} of {"kernels.least_us": 2}."""
    profile: Json = {}
    for name, value in values.items():
        *groups, last = name.split(".")
        part = profile
        for group in groups:
            part = part.setdefault(group, {})
        part[last] = int(value) if value == int(value) else value
    return profile


def _name(device: torch.device) -> str:
    if device.type == "cuda":
        return str(torch.cuda.get_device_properties(device).name)
    threads = torch.get_num_threads()
    return f"{_processor()}, {threads} thread{'s' if threads > 1 else ''}"


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _source(device: torch.device, found: dict[str, Figure], missing: Sequence[str]) -> str:
    origins = [f"{name}: {figure.origin}" for name, figure in found.items()]
    head = f"measured by fxcut.measure_device with PyTorch {torch.__version__} on {_name(device)} ({device})"
    return "; ".join([head, *origins, *(f"{name}: not measured, left out" for name in missing)])


def _reason(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0]
    return first if isinstance(error, FxcutError) else f"{type(error).__name__}: {first or 'no word'}"


def device_of(name: str | None) -> torch.device:
    """The device of that name, with its index; None: the current GPU, or the CPU if there is none.

    Raises InvalidArgument for what is not there, or is neither.
    """
    if name is None:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    expected = InvalidArgument(f"fxcut: device: expected cpu, cuda or cuda:N, found {name!r}")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise expected from None
    if device.type not in SIZES or (device.type == "cpu" and device.index):
        raise expected
    if device.type == "cpu":
        return torch.device("cpu")
    count = torch.cuda.device_count()
    if (device.index or 0) >= count:
        raise InvalidArgument(f"fxcut: device: PyTorch has no {name!r}, its number of GPUs is {count}")
    return torch.device("cuda", torch.cuda.current_device() if device.index is None else device.index)


def _tell(line: str) -> None:
    print(f"fxcut: {line}", file=sys.stderr)


def _tell_other_work() -> None:
    load, count = os.getloadavg()[0], os.cpu_count() or 1
    if load > count * MAX_LOAD:
        _tell(f"other work runs on this machine (a load of {load:.3g} on {count} CPUs): what is measured may be too slow")


def _tell_host_bandwidth(device: torch.device, sizes: Sizes | None) -> None:
    """Not a figure of the profile, but an option of fxcut."""
    try:
        with _measuring(device):
            there, back = figures.host_copies(Bench(device, sizes or SIZES[device.type]))
    except Exception as error:
        _tell(f"copies to the host are not measured: {_reason(error)}")
    else:
        _tell(
            f"copies to the host's pinned memory run at {there:.3g} GiB/s, copies back at {back:.3g} GiB/s: "
            f"with --offload auto give --host-bandwidth {min(there, back):.3g}"
        )


def main(arguments: Sequence[str] | None = None, sizes: Sizes | None = None) -> int:
    """Prints the profile; the exit status is 0, or 1 if there is none."""
    parser = argparse.ArgumentParser(
        "python -m fxcut.measure_device",
        description="Measures a device, and prints a device profile for fxcut's option --device.",
    )
    parser.add_argument("--device", help="cpu, cuda or cuda:1; default: the current GPU, or the CPU where there is none")
    parser.add_argument(
        "--float32-precision",
        choices=("highest", "high", "medium"),
        help="how products of float32 are computed, as in torch.set_float32_matmul_precision: 'high' allows TF32",
    )
    options = parser.parse_args(arguments)
    try:
        DECISIONS.check()
        device = device_of(options.device)
    except FxcutError as error:
        parser.error(str(error))
    if options.float32_precision:
        torch.set_float32_matmul_precision(options.float32_precision)
    if device.type == "cpu":
        _tell_other_work()
    try:
        profile = device_profile(device, _tell, sizes)
    except NotMeasured as error:
        _tell(str(error))
        return 1
    if device.type == "cuda":
        _tell_host_bandwidth(device, sizes)
    print(json.dumps(profile, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
