"""The program's table of inductor's lowerings agrees with the installed PyTorch."""

import json
import pathlib
import re
import runpy
import subprocess
import sys

import pytest
import torch

FOLDER = pathlib.Path(__file__).parents[2] / "lib" / "deciding" / "inductor"
RELEASE = tuple(int(part) for part in torch.__version__.split(".")[:2])


@pytest.mark.brief
@pytest.mark.skipif(RELEASE < (2, 13), reason="the table is of 2.13 and later")
def test_each_lowered_operator_has_its_row() -> None:
    dump = subprocess.run([sys.executable, FOLDER / "dump_lowerings.py"], capture_output=True, text=True, check=True)
    rows = dict(re.findall(r'\{"([^"]+)", Lowering::(\w+)\}', (FOLDER / "lowering_table.inc").read_text()))
    kind = runpy.run_path(str(FOLDER / "make_lowering_table.py"))["kind"]
    packets = json.loads(dump.stdout)["packets"]
    assert len(packets) > 400
    assert {packet: kind(packet, answers) for packet, answers in packets.items()} == {p: rows.get(p) for p in packets}
