"""Nodes say what line of the user's repository led to them, also where a library's line did the work."""

from __future__ import annotations

import importlib
from pathlib import Path

import jsonschema
import pytest
import torch
from torch import fx

import fxcut
from fxcut.node_meta import node_meta
from fxcut.repository import file_in_repository, repository_around, repository_here
from same_graph import read

pytestmark = pytest.mark.brief

STEP = """import a_library


def step(x):
    scaled = a_library.scale(x)
    return scaled.sum()
"""
LIBRARY = """import torch


def scale(x):
    return torch.sin(x)
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git checkout with a script in a folder, where Python runs, and a library installed in an environment."""
    installed = tmp_path / "venv" / "lib" / "site-packages"
    for folder in (tmp_path / ".git", tmp_path / "training", installed):
        folder.mkdir(parents=True)
    (tmp_path / "training" / "a_step.py").write_text(STEP)
    (installed / "a_library.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path / "training"))
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.chdir(tmp_path / "training")
    return tmp_path


def test_a_librarys_node_names_the_line_that_called_it(repository: Path, schema: Path) -> None:
    step = importlib.import_module("a_step").step
    (graph,) = fxcut.capture(step, torch.randn(4, requires_grad=True))
    jsonschema.validate(graph, read(schema))
    called = {node["target"]: node["meta"] for node in graph["nodes"] if node["op"] == "call_function"}
    sine, total = called["aten.sin.default"], called["aten.sum.default"]
    assert sine["source"] == {"file": "a_library.py", "line": 5, "function": "scale"}
    assert sine["user_source"] == {"file": "training/a_step.py", "line": 5, "function": "step"}
    assert total["source"] == {"file": "a_step.py", "line": 6, "function": "step"}
    assert total["user_source"] == {"file": "training/a_step.py", "line": 6, "function": "step"}


def test_a_line_of_another_repository_is_not_named(repository: Path) -> None:
    (graph,) = fxcut.capture(lambda x: torch.sin(x).sum(), torch.randn(4, requires_grad=True))
    sources = [node["meta"] for node in graph["nodes"] if "source" in node.get("meta", {})]
    assert sources and all("user_source" not in meta for meta in sources)


def test_the_repository_is_the_checkout_or_else_the_folder(repository: Path, tmp_path_factory) -> None:
    assert repository_around(str(repository / "training")) == str(repository.resolve())
    folder = tmp_path_factory.mktemp("no_checkout")
    assert repository_around(str(folder)) == str(folder.resolve())


def test_the_repository_is_that_of_the_folder_where_python_runs_now(
    repository: Path, tmp_path_factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repository_here() == str(repository.resolve())
    folder = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(folder)
    assert repository_here() == str(folder.resolve())


def test_in_a_folder_that_is_gone_no_line_is_the_users(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = repository / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    node = fx.Graph().placeholder("x")
    node.meta["stack_trace"] = f'  File "{repository}/training/a_step.py", line 5, in step\n'
    assert repository_here() is None
    assert node_meta(node) == {"source": {"file": "a_step.py", "line": 5, "function": "step"}}


def test_installed_packages_and_what_is_no_file_are_not_the_users(repository: Path) -> None:
    top = str(repository.resolve())
    assert file_in_repository(f"{top}/training/a_step.py", top) == "training/a_step.py"
    assert file_in_repository(f"{top}/venv/lib/site-packages/a_library.py", top) is None
    assert file_in_repository(torch.__file__, top) is None
    assert file_in_repository("<string>", top) is None
