"""What the operators that compiled code calls take and free within their calls, which its text does not show.

Attention on the CPU has blocks of its scores for each thread, oneDNN's convolutions have their weights in another order, a sort
has a copy: how much depends on the library, its release and the machine. So each operator runs once in isolation, on generated
    tensors of the same sizes, while PyTorch's allocator is watched. Products of float32 and float64 on the CPU are
MKL's, which takes nothing from that allocator: they do not run.
"""

from __future__ import annotations

import ast
import math
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from fxcut.allocations import below, changes_in, peak_of, recorded
from fxcut.binary import Json
from fxcut.run_alone import aside, made_up, refuse_opaque
from fxcut.sizes import shown

PRODUCTS = {"mm", "addmm", "bmm", "baddbmm", "mv", "addmv", "dot"}
OF_MKL = {"float32", "float64"}
MARK = "fxcut.workspaces"
MAX_MEMORY_SHARE = 0.5  # of the machine's, for one operator's arguments

Workspace = Callable[[Json], int]


class Workspaces:
    """Bytes by call, each distinct call measured once."""

    def __init__(self) -> None:
        self._known: dict[str, int | str] = {}

    def measure(self, calls: Sequence[Json]) -> list[str]:
        """Runs those that are not known yet; returns a line for each operator that cannot run in isolation."""
        new = {_key(call): call for call in calls if not _is_product_of_mkl(call) and _key(call) not in self._known}
        self._known.update(_measured(new))
        unknown = {_operator(call): why for call in calls if isinstance(why := self._known.get(_key(call)), str)}
        return [f"what {name} takes within its call is not known ({why})" for name, why in unknown.items()]

    def of(self, call: Json) -> int:
        found = self._known.get(_key(call), 0)
        return found if isinstance(found, int) else 0


class KnownWorkspaces(Workspaces):
    """Those that `fxcut memory` reports, without running anything: for cuDNN's convolutions, by a rule."""

    def measure(self, calls: Sequence[Json]) -> list[str]:
        return []

    def of(self, call: Json) -> int:
        return int(call.get("workspace_bytes", 0))


def _expression(call: Json) -> ast.expr:
    [statement] = ast.parse(call["code"]).body[:1]
    assert isinstance(statement, (ast.Assign, ast.Expr))
    return statement.value


def _key(call: Json) -> str:
    """Its text, with what names stand for in place of them: equal for equal calls."""
    arguments = call["arguments"]
    return re.sub(r"\w+", lambda word: str(arguments.get(word[0], word[0])), ast.unparse(_expression(call)))


def _operator(call: Json) -> str:
    expression = _expression(call)
    return ast.unparse(expression.func if isinstance(expression, ast.Call) else expression)


def _tensors(call: Json) -> list[Json]:
    return [given for given in call["arguments"].values() if isinstance(given, dict)]


def _is_product_of_mkl(call: Json) -> bool:
    """Which takes nothing. Of one row or column it may copy an operand whose strides are not such as MKL's."""
    is_product = _operator(call).removeprefix("extern_kernels.") in PRODUCTS
    return is_product and all(
        given["dtype"] in OF_MKL and given["device"] == "cpu" and 1 not in given["shape"] for given in _tensors(call)
    )


def _measured(calls: dict[str, Json]) -> dict[str, int | str]:
    """By key the bytes, or why they are not known."""
    if not calls:
        return {}
    found: dict[str, int | str] = {}

    def run_all() -> None:
        for key, call in calls.items():
            try:
                refuse_opaque(_operator(call))
                with aside():
                    found[key] = _measured_on_gpu(call) if _is_on_gpu(call) else _run_marked(call)
            except Exception as error:  # whatever an operator has against arguments that are made up
                found[key] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no word'}"

    marked = iter([event for event in recorded(run_all) if event.name == MARK])
    return {key: _workspace(next(marked)) if result == MARKED else result for key, result in found.items()}


MARKED = -1  # a run that the recorded events describe


def _run_marked(call: Json) -> int:
    run = _prepared(call)
    with torch.profiler.record_function(MARK):
        kept = run()
    del kept  # not before: what the operator returns is not a workspace
    return MARKED


def _workspace(event: Any) -> int:
    """The most that is in use at once, without what remains."""
    changes = changes_in(list(below(event)))
    return max(peak_of(changes) - max(sum(size for _, size in changes), 0), 0)


def _is_on_gpu(call: Json) -> bool:
    return any(given["device"] == "cuda" for given in _tensors(call))


def _measured_on_gpu(call: Json) -> int:
    run = _prepared(call)
    run()  # the first has handles and plans made, which stay
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    kept = run()
    torch.cuda.synchronize()
    taken = torch.cuda.max_memory_allocated() - torch.cuda.memory_allocated()
    del kept
    return taken


def _prepared(call: Json) -> Callable[[], Any]:
    """The call on generated tensors. Raises what making them does, and MemoryError if they are too large."""
    storages = sum(given["storage_bytes"] or 0 for given in _tensors(call))
    most = int(MAX_MEMORY_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    if storages > most and not _is_on_gpu(call):
        raise MemoryError(f"its arguments take {shown(storages)}, more than {shown(most)}")
    names = {name: _real(given) if isinstance(given, dict) else given for name, given in call["arguments"].items()}
    code = compile(ast.Expression(_expression(call)), "<a call of compiled code>", "eval")
    return lambda: eval(code, _names_of_wrappers(), names)


def _real(given: Json) -> Tensor:
    if given["dtype"] is None or given["storage_bytes"] is None:
        raise ValueError("an argument's size is not known")
    dtype = getattr(torch, given["dtype"])
    memory = made_up(given["storage_bytes"] // dtype.itemsize, dtype, torch.device(given["device"] or "cpu"))
    return memory.as_strided(given["shape"], given["stride"])


def _names_of_wrappers() -> dict[str, Any]:
    """What the head of each wrapper defines (torch/_inductor/codegen/wrapper.py, write_header)."""
    from torch._inductor.select_algorithm import extern_kernels

    return {
        "torch": torch,
        "device": torch.device,
        "inf": math.inf,
        "nan": math.nan,
        "aten": torch.ops.aten,
        "prims": torch.ops.prims,
        "inductor_ops": torch.ops.inductor,
        "_quantized": torch.ops._quantized,
        "extern_kernels": extern_kernels,
        "reinterpret_tensor": torch._C._dynamo.guards._reinterpret_tensor,  # type: ignore[attr-defined]
    }
