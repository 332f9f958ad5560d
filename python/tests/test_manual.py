"""The example in the manual's topic "python" runs as shown."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from torch._inductor.utils import fresh_cache

from fxcut.binary import find_binary

pytestmark = pytest.mark.brief

TOPIC = Path(__file__).resolve().parent.parent.parent / "cli/topics/python.md"
BLOCK = re.compile(r"<!-- (python|shell) -->\n```\w+\n(.*?)```", re.DOTALL)


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "fxcut").symlink_to(find_binary().resolve())
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    names: dict[str, Any] = {}
    printed = ""
    with fresh_cache():
        for language, block in BLOCK.findall(TOPIC.read_text()):
            if language == "python":
                exec(block, names)
            else:
                printed = subprocess.run(["sh", "-ec", block], check=True, capture_output=True, text=True).stdout
        partitioner = names["partitioner"]
    assert re.search(r"^hidden \(\w+\): recomputed", printed, re.MULTILINE)
    assert [(named["name"], named["decision"]) for named in partitioner.report["names"]] == [("hidden", "recomputed")]
    assert names["model"].expand.weight.grad is not None
