"""Workspaces of operators: measured once each, and part of what fxcut.fit promises."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import fxcut
from fxcut import workspaces
from fxcut.workspaces import KnownWorkspaces, Workspaces

Json = dict[str, Any]


def tensor(*shape: int, dtype: str = "float32") -> Json:
    stride = torch.empty(shape, device="meta").stride()
    size = getattr(torch, dtype).itemsize * torch.Size(shape).numel()
    return {"shape": list(shape), "stride": list(stride), "dtype": dtype, "device": "cpu", "storage_bytes": size}


def call(code: str, **arguments: Any) -> Json:
    return {"side": "forward", "line": 1, "code": code, "bytes": 0, "arguments": arguments}


def attention(length: int, width: int) -> Json:
    query = tensor(2, 3, length, width)
    text = "buf9 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(a, b, c)"
    return call(text, a=query, b=query, c=query)


@pytest.mark.brief
@pytest.mark.parametrize("length, rows", [(100, 32), (200, 64), (800, 256)])
def test_attention_on_the_cpu_has_scores_sums_and_results_of_some_rows_for_each_thread(length: int, rows: int) -> None:
    # aten/src/ATen/native/cpu/FlashAttentionKernel.cpp, cpu_flash_attention: blocks of `rows` queries and 512 keys.
    width, measured = 16, Workspaces()
    assert measured.measure([one := attention(length, width)]) == []
    a_thread = rows * min(length, 512) + 2 * rows + rows * width
    assert measured.of(one) == torch.get_num_threads() * a_thread * 4


def test_views_and_numbers_are_what_they_stand_for() -> None:
    one = call("aten.sort.values(reinterpret_tensor(a, (s1, ), (1, ), 0), out=None)", a=tensor(8, 8), s1=64)
    (line,) = Workspaces().measure([one])
    assert line.startswith("what aten.sort.values takes within its call is not known (")
    one["code"] = "buf0 = aten.sort.default(reinterpret_tensor(a, (s1, ), (1, ), 0), -1, False)"
    measured = Workspaces()
    assert measured.measure([one]) == [] and measured.of(one) == 64 * 8, "the indices, another time"


def test_equal_calls_run_once_and_products_of_float32_never(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Json] = []
    original = workspaces._prepared
    monkeypatch.setattr(workspaces, "_prepared", lambda one: ran.append(one) or original(one))
    product = call("extern_kernels.mm(a, b, out=c)", a=tensor(4, 4), b=tensor(4, 4), c=tensor(4, 4))
    again = call("buf1 = aten.sort.default(z, -1, False)", z=tensor(8))
    measured = Workspaces()
    measured.measure([product, call("buf0 = aten.sort.default(y, -1, False)", y=tensor(8)), again])
    measured.measure([again])
    assert len(ran) == 1 and measured.of(product) == 0


def test_products_of_one_row_copy_an_operand_whose_strides_mkl_does_not_take() -> None:
    row = {**tensor(1, 4), "stride": [0, 1]}
    product = call("extern_kernels.mm(a, b, out=c)", a=row, b=tensor(4, 4), c=tensor(1, 4))
    measured = Workspaces()
    assert measured.measure([product]) == [] and measured.of(product) == 16


def test_layers_of_onednn_do_not_run_on_made_up_bytes() -> None:
    (line,) = Workspaces().measure([call("buf0 = torch.ops.aten.mkldnn_rnn_layer.default(a)", a=tensor(4))])
    assert line.endswith("is not known (ValueError: it reads bytes that only oneDNN can make)")


def test_what_is_too_large_or_unknown_does_not_run() -> None:
    large = call("aten.sort.default(a, -1, False)", a=tensor(2**50))
    unsized = call("aten.topk.default(a, 1)", a={**tensor(4), "dtype": None})
    constant = call("aten.cumsum.default(_tensor_constant0, 0)")
    lines = Workspaces().measure([large, unsized, constant])
    reasons = ("MemoryError: its arguments take ", "ValueError: an argument's size is not known", "NameError: ")
    assert len(lines) == 3 and all(reason in line for reason, line in zip(reasons, lines))


class Attending(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)

    def forward(self, x: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(*self.qkv(x).unflatten(-1, (3, 4, 4)).permute(2, 0, 3, 1, 4)).square().mean()


def test_a_workspace_at_the_peak_is_a_line_of_the_promise() -> None:
    measured = fxcut.fit(Attending(), torch.randn(1, 512, 16), peak_bytes="1GB")
    without = fxcut.fit(Attending(), torch.randn(1, 512, 16), peak_bytes="1GB", workspaces=0)
    assert without.lines["workspaces of kernels"] == 0 < measured.lines["workspaces of kernels"]
    assert measured.promised_bytes > without.promised_bytes
    assert "workspaces of kernels" in str(measured)


def test_bytes_are_counted_with_each_call() -> None:
    given = fxcut.fit(Attending(), torch.randn(1, 512, 16), peak_bytes="1GB", workspaces="1MB")
    assert given.lines["workspaces of kernels"] == 10**6


def test_other_words_are_refused() -> None:
    with pytest.raises(fxcut.InvalidArgument, match='workspaces: "measured", "known": expected a number of bytes'):
        fxcut.fit(Attending(), torch.randn(1, 512, 16), peak_bytes="1GB", workspaces="guessed")


@pytest.mark.brief
def test_known_workspaces_run_nothing() -> None:
    known = KnownWorkspaces()
    call = {"code": "no_such_operator(buf0)", "arguments": {}, "workspace_bytes": 67404288}
    assert known.measure([call]) == []
    assert known.of(call) == 67404288
    assert known.of({"code": "no_such_operator(buf0)", "arguments": {}}) == 0
