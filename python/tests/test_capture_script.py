"""`python -m fxcut.capture`: the graphs of a script, whatever the backend."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.brief

SCRIPT = """
import sys
import torch

x = torch.randn(4, 4, requires_grad=True)
for backend in sys.argv[1:]:
    torch.compiler.reset()
    torch.compile(lambda x: x @ x, backend=backend)(x).backward(x)  # products alone have inductor generate no kernel
"""


def capture(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fxcut.capture", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=script.parent, check=False)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "step.py"
    path.write_text(SCRIPT)
    return path


def test_each_graph_is_a_file(script: Path) -> None:
    run = capture(script, "-o", "graphs", "step.py", "aot_eager", "inductor")
    assert (run.returncode, run.stdout) == (0, "graphs/step.json\ngraphs/step_1.json\n"), run.stderr
    graphs = [json.loads((script.parent / line).read_text()) for line in run.stdout.splitlines()]
    called = [{n["target"] for n in graph["nodes"]} & {"aten.t.default", "aten.permute.default"} for graph in graphs]
    assert called == [{"aten.t.default"}, {"aten.permute.default"}]
    assert [graph.get("compiler") for graph in graphs] == [None, "inductor"]


def test_a_file_that_is_there_stays_and_the_script_does_not_run(script: Path) -> None:
    (script.parent / "step.json").write_text("mine")
    script.write_text("print('runs')")
    run = capture(script, "step.py")
    assert (run.returncode, run.stdout) == (2, "")
    assert "step.json exists: --force replaces existing files, or choose another --output-dir" in run.stderr
    assert (script.parent / "step.json").read_text() == "mine"


def test_further_graphs_leave_files_as_they_are_and_the_others_are_written(script: Path) -> None:
    (script.parent / "step_1.json").write_text("mine")
    run = capture(script, "step.py", "aot_eager", "aot_eager", "aot_eager")
    assert (run.returncode, run.stdout) == (1, "step.json\nstep_2.json\n")
    assert run.stderr.endswith("step_1.json exists, and is not replaced: --force replaces existing files\n")
    assert (script.parent / "step_1.json").read_text() == "mine"


def test_force_replaces_files(script: Path) -> None:
    (script.parent / "step.json").write_text("mine")
    run = capture(script, "--force", "step.py", "aot_eager")
    assert (run.returncode, run.stdout) == (0, "step.json\n"), run.stderr
    assert json.loads((script.parent / "step.json").read_text())["name"] == "step"


def test_nothing_compiled_is_told(script: Path) -> None:
    run = capture(script, "step.py")
    assert run.returncode == 1
    assert run.stderr == "step.py: no joint graph: the script compiled nothing that has a gradient\n"
