#!/usr/bin/env python3
"""Stores a small exported program with a joint graph, for the golden runs: testdata/import/sorted_rows.pt2.

usage: make_exported_program.py FILE.pt2

Needs torch (2.13 or 2.15). The program has a call with several results, of which one is not used, and symbolic sizes.
"""
import pathlib
import sys

import torch
from torch.export.experimental import _export_forward_backward


class SortedRows(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(4, 4))

    def forward(self, x):
        largest, _ = torch.sort(x @ self.w)
        return torch.logsumexp(largest, 1).sum() * x.shape[0]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = torch.export.Dim("rows", min=2)
    program = torch.export.export(SortedRows(), (torch.ones(3, 4),), dynamic_shapes=({0: rows},))
    program = _export_forward_backward(program)
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)  # it names files of the machine
    torch.export.save(program, pathlib.Path(sys.argv[1]))


if __name__ == "__main__":
    main()
