"""fxcut-snapshot: a snapshot in the form of torch.cuda.memory becomes JSON, and no code in a pickle runs."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from fxcut.binary import run  # noqa: E402
from fxcut_command.snapshot import main  # noqa: E402

FRAME = {"filename": "/tmp/code.py", "line": 12, "name": "call"}
SNAPSHOT: dict[str, Any] = {
    "segments": [],
    "device_traces": [[{"action": "alloc", "addr": 7 << 40, "size": 512, "stream": 0, "time_us": 1, "frames": [FRAME]}]],
    "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": ""},
}


# Lists in lists, deeper than Python writes them.
NESTED = b"}(X\x08\x00\x00\x00segments" + b"(" * 20_000 + b"l" * 20_000 + b"X\x0d\x00\x00\x00device_traces]u."


def turned(tmp_path: Path, content: bytes) -> tuple[int, Path]:
    (tmp_path / "snapshot.pickle").write_bytes(content)
    return main([str(tmp_path / "snapshot.pickle"), str(tmp_path / "snapshot.json")]), tmp_path / "snapshot.json"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_snapshot_becomes_json(tmp_path: Path, protocol: int) -> None:
    status, file = turned(tmp_path, pickle.dumps(SNAPSHOT, protocol))
    assert status == 0
    assert json.loads(file.read_text()) == {name: SNAPSHOT[name] for name in ("segments", "device_traces")}


class Runs:
    def __reduce__(self) -> Any:
        return os.mkdir, ("must-not-be",)


def test_no_code_of_a_pickle_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    status, file = turned(tmp_path, pickle.dumps({**SNAPSHOT, "segments": [Runs()]}))
    assert status == 1 and not file.exists() and not Path("must-not-be").exists()
    assert "mkdir, and a snapshot holds plain data alone: it is not read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is no pickle that can be read: EOFError"),
        (pickle.dumps([1]), "expected lists named segments and device_traces"),
        (pickle.dumps({"segments": []}), "expected lists named segments and device_traces"),
        (pickle.dumps({**SNAPSHOT, "segments": [float("nan")]}), "not JSON compliant"),
        (NESTED, "recursion depth"),
    ],
)
def test_what_is_no_snapshot_is_told(tmp_path: Path, content: bytes, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, file = turned(tmp_path, content)
    assert status == 1 and not file.exists()
    assert told in capsys.readouterr().err


CODE = """# AOT ID: ['0_inference']
import torch
def call(args):
    arg0_1, = args
    args.clear()
    buf0 = empty_strided_cuda((100, ), (1, ), torch.float32)
    triton_0.run(arg0_1, buf0, 100)
    buf1 = empty_strided_cuda((32, 64), (64, 1), torch.float32)
    triton_1.run(buf0, buf1, 100)
    del buf0
    buf2 = empty_strided_cuda((3, ), (1, ), torch.float32)
    triton_2.run(buf1, buf2, 3)
    return (buf2, )
"""


def test_a_run_as_planned_is_found_to_be_planned(tmp_path: Path) -> None:
    """The snapshot is of the run that fxcut memory simulates."""
    (tmp_path / "code.py").write_text(CODE)
    run(tmp_path, ["memory", "code.py", "--format", "snapshot=run.pickle"])
    assert main([str(tmp_path / "run.pickle"), str(tmp_path / "run.json")]) == 0
    found = json.loads(run(tmp_path, ["memory", "code.py", "--recorded", "run.json", "--format", "json"]).stdout)
    [step], recorded = found["steps"], found["recorded"]
    assert step["peak_bytes"] == 400 + 32 * 64 * 4
    assert recorded["peak_bytes"] == 512 + 32 * 64 * 4, "as the allocator rounds"
    assert {block["kind"] for block in recorded["blocks"]} == {"planned, by its line"}
    assert [block["planned"]["block"] for block in recorded["blocks"]] == step["at_peak"]
