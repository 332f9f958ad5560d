"""Copies to the host concurrent with the computation: without a GPU they are built, but do not run."""

from __future__ import annotations

import pytest
import torch

import fxcut
from fxcut.torch_releases import OFFLOADING_OPERATORS
from options import named_block
from steps import Watched, compiled_step

pytestmark = pytest.mark.brief

# The first copy asks for the stream of a CPU tensor. A PyTorch without accelerators knows no streams; one that is made
# for some, whether there is one or not, says that a CPU is none.
NO_STREAM = RuntimeError if torch.accelerator.current_accelerator() is None else ValueError


def test_copies_beside_the_computation_are_built() -> None:
    if not OFFLOADING_OPERATORS.is_met():
        with pytest.raises(fxcut.UnsupportedTorch, match="offload_dialect='ao'.* needs PyTorch 2.12"):
            compiled_step(named_block(), fxcut.Partitioner(offload_names="hidden", offload_dialect="ao"))
        return
    watched = Watched(fxcut.Partitioner(offload_names="hidden", offload_dialect="ao"))
    with pytest.raises(NO_STREAM):
        compiled_step(named_block(), watched)
    forward, backward = ({str(node[1]) for node in side} for side in watched.sides[0])
    assert {"ao.offload.default", "ao.wait_tensor.default"} <= forward
    assert {"ao.reload.default", "ao.wait_tensor.default"} <= backward
