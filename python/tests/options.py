"""The options of a Partitioner, an example of each kind, and a block small enough to try all of them on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.utils.checkpoint
from torch import Tensor, nn

import fxcut


def products(decision: str) -> dict[str, Any]:
    """A policy on matrix products."""
    return {
        "version": 1,
        "policies": [{"name": "products", "rules": [{"match": {"op": "aten.*mm.*"}, "policy": decision}]}],
    }


DEVICE_PROFILE = Path(__file__).parent / "device_profile.json"
ROOFLINE = {"activation_memory_budget_runtime_estimator": "roofline"}

OPTIONS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "save names": {"save_names": ["hidden", "scores"]},
    "recompute gathered": {"recompute_gathered": True},
    "recompute names": {"recompute_names": "hidden,scores"},
    "offload names": {"offload_names": ["hidden", "scores"]},
    "offload names by aten": {"offload_names": "hidden,scores", "offload_dialect": "aten"},
    "save by policy": {"policy": products("MUST_SAVE")},
    "rather save": {"policy": products("PREFER_SAVE")},
    "recompute by policy": {"policy": products("MUST_RECOMPUTE")},
    "rather recompute": {"policy": products("PREFER_RECOMPUTE")},
    "offload by policy": {"policy": products("MUST_CPU_OFFLOAD")},
    "rather offload": {"policy": products("PREFER_CPU_OFFLOAD")},
    "nothing saveable": {"jax_policy": "nothing_saveable"},
    "everything saveable": {"jax_policy": "everything_saveable"},
    "dots saveable": {"jax_policy": "dots_saveable", "ignore_tags": True},
    "dots without batch": {"jax_policy": "dots_with_no_batch_dims_saveable"},
    "dots offloaded": {"jax_policy": "offload_dot_with_no_batch_dims"},
    "names saveable": {"jax_policy": "save_only_these_names:hidden"},
    "other names saveable": {"jax_policy": "save_any_names_but_these:hidden"},
    "all but names saveable": {"jax_policy": "save_anything_except_these_names:hidden"},
    "budget 0": {"budget": 0.0},
    "budget 0.2": {"budget": 0.2},
    "budget 0.5": {"budget": 0.5},
    "budget 0.5, tags ignored": {"budget": 0.5, "ignore_tags": True},
    "budget 0.5, greedy": {"budget": 0.5, "budget_solver": "greedy"},
    "budget 0.5, best": {"budget": 0.5, "budget_solver": "ilp"},
    "budget 0.5, in less memory": {"budget": 0.5, "budget_solver": "dp_knapsack_sliding_hirschberg"},
    "budget 0.5, a device's run times": {"budget": 0.5, "device_profile": DEVICE_PROFILE, "settings": ROOFLINE},
    "budget 0.5 by frontier": {"budget": 0.5, "budget_solver": "frontier", "time_limit": 1},
    "budget 0.5 within a gap": {"budget": 0.5, "budget_solver": "frontier", "gap": "5%"},
    "a limit of what is saved": {"saved_bytes": "1GB"},
    "a limit of the peak": {"peak_bytes": "1GB"},
    "least saved": {"saved_bytes": "least", "time_limit": 1},
    "least peak": {"peak_bytes": "least", "time_limit": 1},
    "least saved, in exact forms": {"saved_bytes": "least", "time_limit": 1, "settings": {"compress": "exact"}},
    "least peak, recomputing again": {"peak_bytes": "least", "recompute_again": True},
    "aggressive": {"settings": {"aggressive_recomputation": True}},
    "views recomputed": {"settings": {"recompute_views": True}},
    "default partitioner": {"settings": {"partitioner": "default"}},
}

# With these, values lose bits: test_compression_errors tries them.
ROUNDING = {"compress_names", "compress_errors"}


class NamedBlock(nn.Module):
    """Attention and a layer that expands, with names, dropout and a checkpointed region."""

    def __init__(self) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(16, 48)
        self.expand = nn.Linear(16, 32)
        self.contract = nn.Linear(32, 16)

    def attention(self, x: Tensor) -> Tensor:
        q, k, v = self.query_key_value(x).chunk(3, -1)
        scores = fxcut.checkpoint_name(q @ k.transpose(-1, -2), "scores")
        return nn.functional.dropout(torch.softmax(scores, -1), 0.2) @ v

    def forward(self, x: Tensor) -> Tensor:
        x = x + torch.utils.checkpoint.checkpoint(self.attention, x, use_reentrant=False)
        hidden = fxcut.checkpoint_name(nn.functional.gelu(self.expand(x)), "hidden")
        return torch.sin(self.contract(torch.cos(hidden))).pow(2).mean()


def named_block() -> tuple[nn.Module, dict[str, Tensor]]:
    return NamedBlock(), {"x": torch.randn(2, 8, 16)}
