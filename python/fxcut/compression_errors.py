"""By how much the values of a training step change if they are kept in fewer bits, and how far its gradients turn."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, fx, nn
from torch._functorch.partitioners import min_cut_rematerialization_partition

from fxcut.errors import InvalidArgument
from fxcut.joint_graphs import BACKENDS, as_it_is, backend_without_code, nothing_captured, original_of
from fxcut.recording import Modules, Recording
from fxcut.rounding import Step, rounded
from fxcut.targets import target_name
from fxcut.to_json import Json
from fxcut.torch_releases import DECISIONS

FORMAT, VERSION = "fxcut-compression-errors", 1
MOST_ALONE = 32


def measure_compression(
    model: nn.Module,
    inputs: Any,
    *,
    dtype: torch.dtype | str = "float8_e4m3fn",
    most_alone: int = MOST_ALONE,
    backend: str = "inductor",
    name: str | None = None,
    output_dir: str | os.PathLike[str] | None = None,
) -> list[Json]:
    """Runs one step of a model, and measures what rounding its values does, each as `--compress auto` rounds it.

    model: on the CPU or a GPU, where it takes all values of the step at once. Its parameters, gradients and buffers are left as
        they are. inputs: a tensor, a sequence of arguments, or a mapping of keyword arguments.
    dtype: that of compress_dtype, to whose range each row is scaled.
    most_alone: of how many values the gradients are computed with that value alone rounded, the largest first: each takes a
        backward. The errors of the values themselves are those of all.
    backend, name: as of `capture_with`. output_dir: where each document is written as NAME.errors.json; created if missing.

    Returns a document of schemas/compression_errors.schema.json for each graph of the call; graph breaks give several. Where the
    forward returns a scalar its gradient is 1, of other results it is drawn, the same numbers each time. `fxcut partition` takes
    it with `--compress auto --compress-error SHARE --compress-errors FILE`, for the graph that `capture` gives of the same call.

    Raises InvalidArgument, and what `capture` raises.
    """
    DECISIONS.check()
    to = _checked_dtype(dtype)
    if backend not in BACKENDS:
        expected = f"expected one of {', '.join(BACKENDS)}"
        raise InvalidArgument(f"fxcut.measure_compression: backend: {expected}, found {backend!r}")
    steps = _Steps(name or str(type(original_of(model)).__name__), backend)
    _run_once(model, inputs, steps, backend)
    documents = [steps.measured(number, to, most_alone) for number in range(len(steps.joints))]
    if output_dir is not None:
        _write(documents, Path(output_dir))
    return documents


class _Steps(Recording):
    """Records joint graphs, and with each the values that its forward is given.

    joints: each graph with the number of its forward's outputs. inputs: of each, by placeholder.
    """

    def __init__(self, name: str, compiler: str) -> None:
        super().__init__(name, self._partition_later_measured, compiler=compiler)
        self.joints: list[tuple[fx.GraphModule, int]] = []
        self.inputs: list[dict[str, Any]] = []
        self._has_new = False

    def _partition_later_measured(self, gm: fx.GraphModule, joint_inputs: Sequence[object], **kwargs: Any) -> Modules:
        self.joints.append((fx.GraphModule(gm, copy.deepcopy(gm.graph)), kwargs["num_fwd_outputs"]))
        self.inputs.append({})
        self._has_new = True
        return min_cut_rematerialization_partition(gm, joint_inputs, **kwargs)

    def compiled(self, module: fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
        """What runs the graph as it is; of a forward, which comes after its partition, it keeps what it is given."""
        run = as_it_is(module, inputs, **options)
        if not self._has_new:
            return run
        self._has_new = False
        names = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        kept = self.inputs[-1]

        def keeping(given: list[Any]) -> Any:
            kept.update({name: one.detach().clone() if isinstance(one, Tensor) else one for name, one in zip(names, given)})
            return run(given)

        keeping._boxed_call = True  # type: ignore[attr-defined]
        return keeping

    def measured(self, number: int, dtype: torch.dtype, most_alone: int) -> Json:
        joint, num_fwd_outputs = self.joints[number]
        step = Step(joint, num_fwd_outputs, self.inputs[number])
        return {"format": FORMAT, "version": VERSION, "graph": self.graphs[number]["name"], **_measured(step, dtype, most_alone)}


def _measured(step: Step, dtype: torch.dtype, most_alone: int) -> Json:
    exact = step.gradients()
    all_rounded = {node: rounded(step.values[node], dtype) for node in step.saved}
    largest = sorted(step.saved, key=lambda node: -step.values[node].nbytes)[:most_alone]
    cosines = {node: _cosine(exact, step.gradients({node: all_rounded[node]})) for node in largest}
    rows = [_row(node, step.values[node], all_rounded.get(node), dtype) for node in step.candidates]
    for node, row in zip(step.candidates, rows):
        if node in cosines:
            row["cosine"] = cosines[node]
    return {
        "producer": f"torch {torch.__version__}",
        "dtype": str(dtype).removeprefix("torch."),
        "gradients": {
            "cosine": _cosine(exact, step.gradients(all_rounded)),
            "rounded_values": len(step.saved),
            "rounded_alone": len(largest),
        },
        "values": rows,
    }


def _row(node: fx.Node, value: Tensor, known: Tensor | None, dtype: torch.dtype) -> Json:
    return {
        "name": node.name,
        "operator": target_name(node.target),
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "error": _relative_error(value, rounded(value, dtype) if known is None else known),
    }


def _relative_error(value: Tensor, other: Tensor) -> float | None:
    """The norm of the difference as a share of the value's; of a value of zeros 0, if the other is zeros, too."""
    norm, difference = value.double().norm().item(), (value.double() - other.double()).norm().item()
    return _finite(difference / norm if norm > 0 else difference)


def _cosine(one: Sequence[Tensor], other: Sequence[Tensor]) -> float | None:
    """Of the angle between all gradients and those with rounded values, each taken for one vector; None if either is zero."""
    dot = sum((a.double() * b.double()).sum().item() for a, b in zip(one, other, strict=True))
    norms = [math.sqrt(sum(a.double().square().sum().item() for a in vector)) for vector in (one, other)]
    return _finite(min(dot / (norms[0] * norms[1]), 1.0)) if all(norm > 0 for norm in norms) else None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _run_once(model: nn.Module, inputs: Any, steps: _Steps, backend: str) -> None:
    args = () if isinstance(inputs, Mapping) else tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)
    kwargs = inputs if isinstance(inputs, Mapping) else {}
    compiled = torch.compile(original_of(model), backend=backend_without_code(backend, steps, steps.compiled), dynamic=False)
    torch.compiler.reset()
    with _buffers_unchanged(model), torch.random.fork_rng(), torch.enable_grad():
        results = compiled(*args, **kwargs)
    torch.compiler.reset()
    if not steps.joints:
        raise nothing_captured(steps.name, results)


@contextlib.contextmanager
def _buffers_unchanged(model: nn.Module) -> Iterator[None]:
    before = [buffer.clone() for buffer in model.buffers()]
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, value in zip(model.buffers(), before, strict=True):
                buffer.copy_(value)


def _checked_dtype(dtype: torch.dtype | str) -> torch.dtype:
    found = getattr(torch, dtype.removeprefix("torch."), None) if isinstance(dtype, str) else dtype
    if not isinstance(found, torch.dtype) or not found.is_floating_point:
        expected = "expected one of floating-point numbers, such as 'float8_e4m3fn'"
        raise InvalidArgument(f"fxcut.measure_compression: dtype: {expected}, found {dtype!r}")
    return found


def _write(documents: Sequence[Json], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for document in documents:
        text = json.dumps(document, indent=1) + "\n"
        (folder / f"{document['graph']}.errors.json").write_text(text)
