#!/usr/bin/env python3
"""Has PyTorch print graphs, for compare_import.py to import them again.

usage: make_import_texts.py --output DIR PATH...

Needs torch (2.13 or 2.15). Each PATH is a joint graph in JSON or a directory of them. A graph is rebuilt in torch.fx
and printed as TORCH_LOGS=aot_joint_graph prints it, with strides and devices: DIR/NAME.txt. Graphs of another release than
torch are left out. testdata/import has those of testdata/models.
"""
import argparse
import json
import pathlib
import re

import torch

import compare_show


class PlacedTensor(compare_show.ShownTensor):
    """Has strides and a device as well."""

    def __new__(cls, dtype, shape, stride, device):
        tensor = super().__new__(cls, dtype, shape)
        tensor.shown_stride, tensor.shown_device = stride, device
        return tensor

    def __init__(self, dtype, shape, stride, device):
        pass

    def stride(self):
        return self.shown_stride

    device = property(lambda self: self.shown_device)


class Printed(compare_show.Rebuilt):
    """A graph whose tensors are where they were."""

    def __init__(self, doc):
        super().__init__(doc)
        for name, inner in doc.get("subgraphs", {}).items():
            setattr(self.module, name, Printed(inner).module)

    def add(self, node):
        super().add(node)
        val = node.get("val", {})
        if val.get("kind") == "tensor":
            shape, stride = ([compare_show.size(s) for s in val[key]] for key in ("shape", "stride"))
            dtype, device = getattr(torch, val["dtype"]), val.get("device", "cpu")
            self.nodes[node["name"]].meta["val"] = PlacedTensor(dtype, shape, stride, device)


def printed(doc):
    module = compare_show.as_traced(Printed(doc).module)
    return module.print_readable(print_output=False, include_stride=True, include_device=True) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, required=True)
    parser.add_argument("paths", metavar="PATH", nargs="+")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    release = ".".join(torch.__version__.split(".")[:2])
    made, left_out = 0, []
    for name, doc in compare_show.graphs_in(options.paths, with_sides=False):
        made_by = re.search(r"torch (\d+\.\d+)", doc.get("producer", ""))
        try:
            if made_by and made_by[1] != release:
                raise compare_show.Unknown(f"graphs of {made_by[1]}")
            (options.output / f"{name}.txt").write_text(printed(doc))
            made += 1
        except compare_show.Unknown as lacking:
            left_out.append(f"{name}: this PyTorch lacks {lacking}")
    print("\n".join([*left_out, f"torch {torch.__version__}: {made} graphs printed, {len(left_out)} left out"]))


if __name__ == "__main__":
    main()
