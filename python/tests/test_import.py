"""`fxcut import` of an exported program gives the program's graph, stored or printed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim, ExportedProgram
from torch.export.experimental import _export_forward_backward

from fxcut.binary import find_binary
from fxcut.to_json import joint_graph_to_json
from fxcut.torch_releases import RELEASE
from models import TINY_MODELS

pytestmark = pytest.mark.brief

Json = dict[str, Any]


class Ranking(nn.Module):
    """Calls with several results and with a list, buffers that change, symbolic sizes, dropout, a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.expand, self.contract = nn.Linear(8, 16), nn.Linear(16, 8)
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        left, right = self.expand(x).masked_fill(x.sum() > 0, float("-inf")).clamp(min=-9.0).split(8, dim=1)
        hidden = self.norm(self.contract(torch.cat([left, right.cos()], 1)))
        ranked, _ = torch.sort(nn.functional.dropout(hidden, 0.1))
        weights = torch.ones(8, dtype=torch.float64).to(x.dtype)
        return nn.functional.cross_entropy(ranked * weights, target) * x.shape[0], ranked.detach()


def ranking() -> ExportedProgram:
    rows = Dim("rows", min=2)
    arguments = (torch.randn(4, 8), torch.randint(0, 8, (4,)))
    return torch.export.export(Ranking(), arguments, dynamic_shapes=({0: rows}, {0: rows}))


def model(name: str) -> Callable[[], ExportedProgram]:
    def export() -> ExportedProgram:
        module, inputs = TINY_MODELS[name]()
        return torch.export.export(module, (), inputs, strict=False)

    return export


PROGRAMS = {"ranking": ranking, **{name: model(name) for name in ("llama", "resnet")}}


def imported(path: Path) -> Json:
    run = subprocess.run([find_binary(), "import", str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def essence(graph: Json, *, ordered: bool) -> Json:
    """For each node what it calls and its value; without storages, which a program does not have."""
    nodes = {}
    for node in graph["nodes"]:
        value = {key: part for key, part in node.get("val", {}).items() if key in ("kind", "dtype", "shape", "stride")}
        is_one = value.get("kind") != "tuple"
        nodes[node["name"]] = [node["target"], node.get("args"), node.get("kwargs"), value if is_one else None]
    return nodes if ordered else dict(sorted(nodes.items()))


def held(program: ExportedProgram) -> Json:
    gradients = [spec for spec in program.graph_signature.output_specs if spec.kind.name.startswith("GRADIENT")]
    outputs = len(program.graph_signature.output_specs) - len(gradients)
    return joint_graph_to_json(program.graph_module, num_fwd_outputs=outputs)


def with_tangent(graph: Json, seed: str) -> Json:
    """The gradient of the loss, which the program makes itself, is an input: by what the import says it assumes."""
    (node,) = [node for node in graph["nodes"] if node["name"] == seed]
    node.pop("kwargs", None)
    node.pop("args")
    node.update(op="placeholder", target="tangents_1")
    return graph


def symbols_in(value: Any) -> set[str]:
    """Those that sizes have: what PyTorch replaced a program does not hold."""
    if isinstance(value, list):
        return set().union(*map(symbols_in, value))
    if not isinstance(value, dict):
        return set()
    parts = [part for key, part in value.items() if key != "unreplaced"]
    return set(value.get("symbols", [])) | symbols_in(parts)


@pytest.mark.skipif(RELEASE < (2, 11), reason="before PyTorch 2.11 the nodes of a stored program have no names")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_imported_as_it_is(name: str, tmp_path: Path) -> None:
    program = _export_forward_backward(PROGRAMS[name]())
    torch.export.save(program, tmp_path / "step.pt2")
    (tmp_path / "step.txt").write_text(str(program))
    stored, printed = imported(tmp_path / "step.pt2"), imported(tmp_path / "step.txt")
    seed = stored["import"]["assumed"]["tangents"].split("'")[1]
    expected = with_tangent(held(program), seed)
    for graph in (stored, printed):
        assert graph["num_fwd_outputs"] == expected["num_fwd_outputs"]
    found = essence(stored, ordered=False)
    for unused in [node for node in found if "_unused_" in node]:
        del found[unused]
    assert found == essence(expected, ordered=False)
    assert stored["static_lifetime_inputs"] == printed["static_lifetime_inputs"] != []
    assert stored["producer"] == f"torch {torch.__version__}"
    shown = symbols_in([node.get("val") for node in expected["nodes"]])
    assert {symbol: entry["hint"] for symbol, entry in stored["symbols"].items()} == {
        symbol: entry["hint"] for symbol, entry in expected["symbols"].items() if symbol in shown
    }
