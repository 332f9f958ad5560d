"""What a partitioner reports on its decisions: reports, also from PyTorch's caches, logs, traces, and in notebooks."""

from __future__ import annotations

import html
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._inductor.utils import fresh_cache

import fxcut
from fxcut.binary import find_binary
from fxcut.torch_releases import INDUCTOR_TAKES_PARTITION_FUNCTIONS, REPORTS_IN_CACHES
from options import named_block
from steps import compiled_step

pytestmark = pytest.mark.brief


class Broken(nn.Module):
    """Two graphs, for a graph break stands between them; inductor generates no kernel for products alone."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.first(x)
        torch._dynamo.graph_break()
        return self.second(hidden)


@torch.compiler.nested_compile_region
def region(x: Tensor, w: Tensor) -> Tensor:
    return x @ w @ w


class Regional(nn.Module):
    """A graph with a region that is compiled apart."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8))

    def forward(self, x: Tensor) -> Tensor:
        hidden = x @ self.weight
        return region(region(hidden, self.weight), self.weight)


def reports_of(module: nn.Module, rows: tuple[int, ...] = (4,), **options: Any) -> list[fxcut.Report]:
    """Those of a step under inductor, for each number of rows."""
    partitioner = fxcut.Partitioner(**options)
    torch.compiler.reset()
    with fxcut.partitioning_by(partitioner):
        compiled = torch.compile(module, dynamic=False)
        for number in rows:
            x = torch.randn(number, 8)
            compiled(x).backward(x)
    return partitioner.reports


@pytest.fixture
def empty_cache() -> Iterator[None]:
    with fresh_cache():
        yield


def test_each_graph_has_a_report_with_name_and_compile_id(empty_cache: None) -> None:
    reports = reports_of(Broken(), rows=(4, 6))
    assert len({report.name for report in reports}) == 4
    assert [report["graph"] for report in reports] == [report.name for report in reports]
    assert [report.compile_id for report in reports] == ["0/0", "1/0", "0/1", "1/1"]
    assert not any(report.from_cache for report in reports)


@pytest.mark.parametrize("module", [Broken, Regional])
def test_reports_come_out_of_the_cache_as_they_were(module: type[nn.Module], empty_cache: None) -> None:
    if not REPORTS_IN_CACHES.is_met():
        pytest.skip(REPORTS_IN_CACHES.refusal())
    made, found = reports_of(module()), reports_of(module())
    assert found == made and len(made) >= 2
    assert all(report.from_cache for report in found)
    for one, other in zip(made, found):
        assert (str(one), one.page(), one.compile_id) == (str(other), other.page(), other.compile_id)


@pytest.mark.skipif(REPORTS_IN_CACHES.is_met(), reason="this PyTorch's caches hold reports")
def test_where_caches_hold_no_reports_none_is_made_up(empty_cache: None) -> None:
    """PyTorch 2.8, whose cache cannot distinguish partitioners, makes fxcut decide anew."""
    reports_of(Broken())
    again: list[fxcut.Report] = []
    messages = logged(lambda: again.extend(reports_of(Broken())))
    if INDUCTOR_TAKES_PARTITION_FUNCTIONS:
        assert again == [] and messages == [REPORTS_IN_CACHES.refusal()] * 2
    else:
        assert [report.from_cache for report in again] == [False, False]


def test_of_graphs_that_inductor_compiles_the_code_is_predicted(empty_cache: None) -> None:
    report = reports_of(Broken())[0]
    assert report["compiler"] == "inductor" and report["memory"]["compiled"]["peak_bytes"] > 0
    operators = reports_of(Broken(), settings={"memory_of": "operators"})[0]
    assert "compiled" not in operators["memory"] and operators["totals"] == report["totals"]


def test_reports_of_other_options_are_not_found(empty_cache: None) -> None:
    for options in ({}, {"budget": 0.5}):
        assert [report.from_cache for report in reports_of(Broken(), **options)] == [False, False]


def test_another_partitioners_entry_has_no_report(empty_cache: None) -> None:
    for _ in range(2):
        torch.compiler.reset()
        torch.compile(Broken())(torch.randn(4, 8)).backward(torch.ones(4, 8))


def test_a_report_is_what_the_program_prints(empty_cache: None, tmp_path: Path) -> None:
    partitioner = fxcut.Partitioner(recompute_names="hidden")
    compiled_step(named_block(), partitioner)
    (report,) = partitioner.reports
    assert partitioner.report is report
    assert str(report).startswith(f"{report.name}: ") and "SAVED VALUES" in str(report)
    assert json.loads(json.dumps(report))["totals"] == report["totals"]
    assert report.page().startswith("<!DOCTYPE html>") and report.name in report.page()

    assert repr(report).startswith(f"<fxcut.Report {report.name}: ")


SCRIPTED = "<script>alert(1)</script>"


class Scripted(nn.Module):
    """Has a module and a value whose names a browser would run."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleDict({SCRIPTED: nn.Linear(8, 8)})

    def forward(self, x: Tensor) -> Tensor:
        return fxcut.checkpoint_name(torch.sin(self.layers[SCRIPTED](x)), SCRIPTED).cos().sum()


@pytest.fixture
def scripted() -> fxcut.Report:
    partitioner = fxcut.Partitioner(save_names=[SCRIPTED])
    compiled_step((Scripted(), {"x": torch.randn(4, 8)}), partitioner)
    (report,) = partitioner.reports
    assert SCRIPTED in str(report)
    return report


def test_a_notebook_shows_the_table_and_a_page_that_has_nothing_of_it(scripted: fxcut.Report) -> None:
    shown = scripted._repr_html_()
    assert shown.startswith("<pre") and f">{html.escape(str(scripted))}</pre>" in shown
    assert '<iframe sandbox="allow-scripts allow-forms"' in shown
    assert "<script" not in shown
    (framed,) = re.findall('srcdoc="([^"]*)"', shown)
    # A link to a place in the page would be one to the notebook.
    assert html.unescape(framed).replace('<base href="about:srcdoc">', "", 1) == scripted.page()
    assert SCRIPTED not in scripted.page()


def test_a_notebook_that_shows_markdown_has_the_summary(scripted: fxcut.Report) -> None:
    shown = scripted._repr_markdown_()
    assert shown.startswith("## ") and "### Activations held" in shown
    code_or_escaped = r"`[^`]*`|\\."
    assert "<script" in shown and "<" not in re.sub(code_or_escaped, "", shown)


def test_a_report_tells_its_warnings() -> None:
    partitioner = fxcut.Partitioner(save_names="no_such_name")
    compiled_step(named_block(), partitioner)
    assert [warning for warning in partitioner.report.warnings if "no_such_name" in warning]


def test_a_partitioner_shows_its_options() -> None:
    assert repr(fxcut.Partitioner(budget=0.5, save_names=["q", "k"])) == (
        "fxcut.Partitioner(budget=0.5, save_names=['q', 'k'])"
    )


def test_the_version_is_the_programs() -> None:
    if fxcut.__version__ == "0+not.installed":
        pytest.skip("the package is not installed")
    printed = subprocess.run([find_binary(), "--version"], capture_output=True, text=True, check=True).stdout
    assert fxcut.__version__ in printed.split()


LIMITS: list[dict[str, Any]] = [
    {"saved_bytes": "1GB"},
    {"peak_bytes": "1GB"},
    {"budget_solver": "frontier", "settings": {"peak_bytes_limit": "1GB"}},
]


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_that_several_graphs_share_is_told_once(limit: dict[str, Any]) -> None:
    messages = logged(lambda: reports_of(Broken(), rows=(4, 6), **limit, time_limit=1))
    (told,) = [message for message in messages if "applies to each graph separately" in message]
    ((name, value),) = limit.get("settings", limit).items()
    assert f"{name}={value!r}" in told and "2 so far" in told


def test_where_there_is_one_graph_nothing_is_told_of_the_limit() -> None:
    messages = logged(lambda: compiled_step(named_block(), fxcut.Partitioner(saved_bytes="1GB", time_limit=1)))
    assert not [message for message in messages if "applies to each graph" in message]


def logged(function: Any) -> list[str]:
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("fxcut")
    logger.addHandler(handler)
    try:
        function()
    finally:
        logger.removeHandler(handler)
    return messages


SCRIPT = """
import torch, fxcut
torch._inductor.config.force_disable_caches = True
x = torch.randn(4, 4, requires_grad=True)
with fxcut.partitioning_by(fxcut.Partitioner(budget=0.5)):
    torch.compile(lambda x: x @ x @ x)(x).backward(x)
"""


def run_script(folder: Path, **environment: str) -> str:
    command = [sys.executable, "-c", SCRIPT]
    run = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, cwd=folder, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


def test_torchs_logs_have_a_line_a_decision(tmp_path: Path) -> None:
    lines = [line for line in run_script(tmp_path, TORCH_LOGS="fxcut").splitlines() if "values saved" in line]
    assert len(lines) == 1 and "[0/0]" in lines[0] and "model__0_joint_0" in lines[0]


def test_torchs_trace_has_the_report(tmp_path: Path) -> None:
    printed = run_script(tmp_path, TORCH_TRACE=str(tmp_path / "trace"))
    assert "values saved" not in printed, "logs that nobody asked for"
    (trace,) = (tmp_path / "trace").iterdir()
    text = trace.read_text()
    head = next(line for line in text.splitlines() if '"fxcut_report"' in line)
    payload = text[text.index(head) + len(head) :].split("\n\t", 1)[1].split("\n")[0]
    assert json.loads(payload)["report"]["memory_budget"] == 0.5
    assert '"frame_id": 0' in head
