"""`python -m fxcut.measure_device`: a profile of this machine's CPU, and that of a card like an H100 whose times are made up."""

from __future__ import annotations

import contextlib
import json
import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import fxcut
from fxcut import binary, device_figures, device_timing, measure_device
from fxcut.device_figures import Sizes
from fxcut.measure_device import device_of, device_profile

SMALL = Sizes((32, 64), copies=(2**16,), attention=(1, 1, 64), scores=(2, 16, 8), images=(1, 8, 8), elements=2**10)
CPU, CARD = torch.device("cpu"), torch.device("cuda", 0)
CHECKOUT = Path(__file__).resolve().parent.parent.parent
GRAPH = CHECKOUT / "testdata" / "mlp.json"
Json = dict[str, Any]
NEEDED = ("peak_tflops.float32", "memory_gb_per_second")


@pytest.fixture(autouse=True)
def few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_timing, "MIN_RUNS", 1)
    monkeypatch.setattr(device_timing.seconds, "__defaults__", (0.0,))
    monkeypatch.setattr(device_figures, "PROBE_SECONDS", 0.0)


@pytest.fixture
def compiled_as_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inductor takes seconds to generate code."""
    monkeypatch.setattr(torch, "compile", lambda function, dynamic: function)


def check_form(profile: Json) -> None:
    jsonschema.validate(profile, json.loads((CHECKOUT / "schemas" / "device_profile.schema.json").read_text()))


def estimated_with(profile: Json, folder: Path) -> Json:
    """The report of a graph, its run times estimated for that device."""
    (folder / "device.json").write_text(json.dumps(profile))
    arguments = ["partition", str(GRAPH), "--device-profile", "device.json", "--json"]
    return json.loads(binary.run(folder, arguments).stdout)


@pytest.mark.brief
@pytest.mark.usefixtures("compiled_as_is")
def test_the_profile_of_this_cpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_device.main(["--device", "cpu"], SMALL) == 0
    profile = json.loads(capsys.readouterr().out)
    check_form(profile)
    assert set(profile["peak_tflops"]) >= {"float64", "float32", "float16"}
    assert profile["kernels"].keys() == {"exposed_traffic"} and 0 <= profile["kernels"]["exposed_traffic"] <= 1
    assert profile["efficiency"].keys() == {"products", "memory", "attention"}
    assert f"with PyTorch {torch.__version__} on {profile['name']} (cpu)" in profile["source"]
    assert "peak_tflops.float64: 64 x 64 x 64 in float64 took" in profile["source"]
    assert estimated_with(profile, tmp_path)["run_time"]["device"] == profile["name"]


def test_elements_in_inductors_code() -> None:
    told: list[str] = []
    profile = device_profile(CPU, told.append, SMALL)
    check_form(profile)
    names = {"random_ns", "store_bool_ns", "load_bool_ns", "store_mask_ns", "load_mask_ns", "operation_ns"}
    assert profile["elements"].keys() == names, told


@pytest.mark.brief
def test_float32_is_multiplied_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measure_device, "MEASUREMENTS", [one for one in measure_device.MEASUREMENTS if one.name in NEEDED])
    before = torch.get_float32_matmul_precision()
    try:
        assert measure_device.main(["--device", "cpu", "--float32-precision", "high"], SMALL) == 0
    finally:
        torch.set_float32_matmul_precision(before)
    assert "in float32 took" in (printed := capsys.readouterr().out) and "at the precision 'high';" in printed


def failing(call: Any, *rest: Any, **others: Any) -> Any:
    raise RuntimeError("it has none\nof these")


@pytest.mark.brief
@pytest.mark.usefixtures("compiled_as_is")
def test_what_cannot_be_measured_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(torch, "_scaled_mm", failing)
    monkeypatch.setattr(torch, "rand_like", failing)
    profile = device_profile(CPU, told.append, SMALL)
    check_form(profile)
    assert told == [
        *(f"{name} is not measured: RuntimeError: it has none" for name in ("peak_tflops.float8", "elements.random_ns")),
        "elements.store_mask_ns is not measured: it needs elements.random_ns, which is not known",
    ]
    assert "float8" not in profile["peak_tflops"] and "random_ns" not in profile["elements"]
    assert "elements.random_ns: not measured, left out" in profile["source"]


@pytest.mark.brief
@pytest.mark.usefixtures("compiled_as_is")
def test_one_of_the_two_that_a_profile_needs_stands_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    original = torch.mm

    def of_full_precision(left: Tensor, right: Tensor, **others: Any) -> Tensor:
        return original(left, right, **others) if left.dtype.itemsize > 2 else failing(left)

    monkeypatch.setattr(torch, "mm", of_full_precision)
    profile = device_profile(CPU, told.append, SMALL)
    check_form(profile)
    assert profile["peak_tflops"]["float16"] == profile["peak_tflops"]["float32"]
    assert "peak_tflops.float16: assumed to be peak_tflops.float32" in profile["source"] and "left out" not in profile["source"]


@pytest.mark.brief
@pytest.mark.usefixtures("compiled_as_is")
def test_without_the_memorys_rate_there_is_no_profile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch, "ones", failing)
    assert measure_device.main(["--device", "cpu"], SMALL) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.endswith("fxcut: there is no profile without memory_gb_per_second\n")


@pytest.mark.brief
@pytest.mark.parametrize("load, told", [(2.5, "a load of 2.5 on 4 CPUs"), (1.5, "")])
def test_other_work_on_the_machine_is_told(
    load: float, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure_device, "MEASUREMENTS", [one for one in measure_device.MEASUREMENTS if one.name in NEEDED])
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0, 0))
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert measure_device.main(["--device", "cpu"], SMALL) == 0
    assert told in (printed := capsys.readouterr().err) and bool(told) == bool(printed)


@pytest.mark.brief
def test_other_devices_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    for name in ("h100", "meta", "cpu:3"):
        with pytest.raises(fxcut.InvalidArgument, match="expected cpu, cuda or cuda:N, found"):
            device_of(name)
    with pytest.raises(SystemExit, match="2"):
        measure_device.main(["--device", "cuda:1"])
    assert "PyTorch has no 'cuda:1', its number of GPUs is 1" in capsys.readouterr().err


@pytest.mark.brief
def test_the_gpu_is_measured_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device_of(None) == CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 1)
    assert device_of(None) == device_of("cuda") == torch.device("cuda", 1) and device_of("cuda:0") == CARD


@pytest.mark.brief
def test_larger_ones_run_until_one_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is held up, which does not keep a third from being tried; a fifth does not fit."""
    times = {1: 1e-3, 2: 1.0, 4: 64e-3, 8: 512e-3, 16: 4096e-3}

    def prepare(bench: device_figures.Bench, size: int) -> Callable[[], int]:
        return (lambda: size) if size < 32 else failing(size)

    def largest(longest: float) -> int:
        bench = device_figures.Bench(CPU, SMALL._replace(longest_seconds=longest))
        return device_figures._largest(bench, (1, 2, 4, 8, 16, 32), 3, prepare)[0]

    monkeypatch.setattr(device_figures, "seconds", lambda call, device, enough: times[call()])
    assert (largest(0.1), largest(0.6), largest(100)) == (4, 8, 16)


@pytest.mark.brief
@pytest.mark.parametrize("taken, share", [(4.1e-6, 0.5), (5e-6, 1.0), (3e-6, 0.0)])
def test_small_products_expose_what_exceeds_the_longer_time(taken: float, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their bytes take 4.096 us and their operations 8 ns."""
    bench = device_figures.Bench(CPU, SMALL)
    rates = {"peak_tflops.float32": 1.024, "memory_gb_per_second": 1.0}
    bench.figures = {name: device_figures.Figure(rate, "") for name, rate in rates.items()}
    monkeypatch.setattr(device_figures, "seconds", lambda call, device: taken)
    assert device_figures.exposed_traffic(bench).value == pytest.approx(share, abs=1e-9)


@pytest.mark.brief
def test_an_operation_is_a_quarter_of_what_a_softmax_takes_beyond_an_addition(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = device_figures.Bench(CPU, SMALL)
    times = iter((1e-6, 1e-6 + 4 * 2**10 * 0.1e-9))
    monkeypatch.setattr(device_figures, "_seconds_compiled", lambda *of: next(times))
    assert device_figures.operation_ns(bench).value == pytest.approx(0.1)


# --- an H100 ----------------------------------------------------------------------------------------------------------

# Like an H100's. Measured on one: bfloat16, the memory, cuDNN's attention and the share of layouts; the others are made up.
H100 = {torch.float64: 60.0, torch.float32: 51.0, torch.bfloat16: 773.0, torch.float16: 750.0, torch.float8_e4m3fn: 1400.0}
MEMORY, LAYOUTS, FLASH, CUDNN, LEAST_US, LAUNCH_US = 2968e9, 0.68, 350e12, 591e12, 2.0, 6.0


class OnMeta(TorchFunctionMode):
    """Tensors of the card have no memory, and none of the host is pinned, which needs a card."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = {name: value for name, value in (kwargs or {}).items() if name != "pin_memory"}
        if kwargs.get("device") == CARD:
            kwargs["device"] = "meta"
        return func(*args, **kwargs)


class Card(TorchDispatchMode):
    """Has operators take the time of such a card; the last one's is `taken`."""

    taken = 0.0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        packet = func._schema.name.removeprefix("aten::")
        self.taken = TIMES[packet](*args) if packet in TIMES else self.taken
        if "attention" in packet:  # which has no kernel for tensors without memory
            return tuple(args[0] if str(one.type) == "Tensor" else 0 for one in func._schema.returns)
        return args[0] if packet == "copy_" else func(*args, **(kwargs or {}))


def time_of_product(left: Tensor, right: Tensor, *rest: Any) -> float:
    return 2 * left.shape[0] * left.shape[1] * right.shape[1] / (H100[left.dtype] * 1e12)


def time_of_attention(rate: float) -> Callable[..., float]:
    """Causal, as the program estimates it."""
    return lambda query, *rest: 0.52 * 4 * query[..., 0].numel() * query.shape[2] * query.shape[3] / rate


def time_of_convolution(image: Tensor, weight: Tensor, *rest: Any) -> float:
    arithmetic = 2 * image.numel() * weight[0, 0].numel() * weight.shape[0] / (H100[image.dtype] * 1e12)
    if image.is_contiguous(memory_format=torch.channels_last):
        return arithmetic
    copied = 2 * (2 * image.numel() + weight.numel()) * 2  # of three tensors each element, of two bytes, is read and written
    return arithmetic + copied / (LAYOUTS * MEMORY) + 3 * LEAST_US * 1e-6


TIMES: dict[str, Callable[..., float]] = {
    "mm": time_of_product,
    "_scaled_mm": time_of_product,
    "add_": lambda *rest: LAUNCH_US * 1e-6,
    "copy_": lambda target, source: 2 * source.numel() * source.element_size() / MEMORY,
    "convolution": time_of_convolution,
    "_scaled_dot_product_flash_attention": time_of_attention(FLASH),
    "_scaled_dot_product_efficient_attention": time_of_attention(FLASH / 2),
    "_scaled_dot_product_cudnn_attention": time_of_attention(CUDNN),
}


@pytest.fixture
def h100(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of a GPU is answered as one does, without one."""

    def seconds(call: Callable[[], Any], device: torch.device, enough: float = 0) -> float:
        with Card() as card:
            call()
        assert device == CARD and card.taken > 0
        return card.taken

    properties = types.SimpleNamespace(name="NVIDIA H100 80GB HBM3", multi_processor_count=132)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: properties)
    monkeypatch.setattr(torch.cuda, "device", contextlib.nullcontext)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(device_figures, "seconds", seconds)
    monkeypatch.setattr(device_figures, "seconds_in_cuda_graph", lambda call, count: LEAST_US * 1e-6)


@pytest.mark.brief
@pytest.mark.usefixtures("h100")
def test_the_times_of_a_card_give_its_figures(tmp_path: Path) -> None:
    told: list[str] = []
    with OnMeta():
        profile = device_profile(CARD, told.append)
    check_form(profile)
    assert not told
    assert profile["peak_tflops"] == {"float64": 60, "float32": 51, "float16": 773, "float8": 1400}
    assert profile["memory_gb_per_second"] == 2968
    assert profile["kernels"] == {"least_us": 2, "launch_us": 6, "multiprocessors": 132}
    assert profile["efficiency"] == pytest.approx(
        {"products": 1, "memory": 1, "attention": 350 / 773, "cudnn_attention": 591 / 773, "layouts": LAYOUTS}, rel=1e-3
    )
    assert "elements" not in profile and profile["name"] == "NVIDIA H100 80GB HBM3"
    for origin in (
        "peak_tflops.float16: 8192 x 8192 x 8192 in bfloat16 took 1.422 ms",
        "efficiency.attention: flash causal attention of 4 x 16 x 4096 x 128 took",
        "kernels.multiprocessors: of the device's properties",
    ):
        assert origin in profile["source"]
    assert estimated_with(profile, tmp_path)["run_time"]["device"] == profile["name"]


@pytest.mark.brief
@pytest.mark.usefixtures("h100")
def test_a_card_without_some_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No flash attention nor cuDNN's, no copies between layouts, products of bfloat16 not either."""
    told: list[str] = []
    for packet in ("_scaled_dot_product_flash_attention", "_scaled_dot_product_cudnn_attention"):
        monkeypatch.setitem(TIMES, packet, failing)
    monkeypatch.setitem(TIMES, "convolution", lambda *rest: 1e-3)
    monkeypatch.delitem(H100, torch.bfloat16)
    monkeypatch.setitem(TIMES, "mm", lambda left, *rest: time_of_product(left, *rest) if left.dtype in H100 else failing(left))
    with OnMeta():
        profile = device_profile(CARD, told.append)
    check_form(profile)
    assert [line.split()[0] for line in told] == ["efficiency.cudnn_attention", "efficiency.layouts"]
    assert profile["peak_tflops"]["float16"] == 750 and "in float16 took" in profile["source"]
    assert profile["efficiency"] == pytest.approx({"products": 1, "memory": 1, "attention": 175 / 750}, rel=1e-3)


class Clock:
    """A card's own, in milliseconds, which each call of `work` puts forward; its events and graphs."""

    now = 0.0
    capturing = False

    def work(self) -> None:
        self.now += 0.0 if self.capturing else 0.5
        self.captured.append(self.capturing)

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock, self.captured = self, list[bool]()

        class Event:
            def __init__(self, enable_timing: bool) -> None:
                assert enable_timing

            def record(self) -> None:
                self.at = clock.now

            def synchronize(self) -> None:
                self.is_over = True

            def elapsed_time(self, end: Event) -> float:
                assert end.is_over
                return end.at - self.at

        class Graph:
            def replay(self) -> None:
                clock.now += 0.002 * clock.captured.count(True)

        @contextlib.contextmanager
        def capture(graph: Graph) -> Any:
            clock.capturing = True
            yield
            clock.capturing = False

        stream = types.SimpleNamespace(wait_stream=lambda other: None)
        for name, stand_in in {
            "Event": Event,
            "CUDAGraph": Graph,
            "graph": capture,
            "Stream": lambda: stream,
            "current_stream": lambda: stream,
            "stream": lambda which: contextlib.nullcontext(),
        }.items():
            monkeypatch.setattr(torch.cuda, name, stand_in)


@pytest.mark.brief
def test_a_gpu_is_timed_by_its_own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    assert device_timing.seconds(clock.work, CARD) == pytest.approx(0.5e-3)
    assert len(clock.captured) == 1 + device_timing.CALLS  # the first is not timed


@pytest.mark.brief
def test_a_tiny_kernel_is_timed_in_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    assert device_timing.seconds_in_cuda_graph(clock.work, 1000) == pytest.approx(2e-6)
    assert clock.captured == [False] + [True] * 1000


@pytest.mark.brief
@pytest.mark.usefixtures("h100")
def test_the_rate_of_copies_to_the_host_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setitem(
        TIMES, "copy_", lambda target, source, *rest: source.numel() / (55e9 if target.device == CPU else 52e9)
    )
    with OnMeta():
        assert measure_device.main(["--device", "cuda"]) == 0
    assert "51.2 GiB/s, copies back at 48.4 GiB/s: with --offload auto give --host-bandwidth 48.4\n" in capsys.readouterr().err
