"""The settings under which each graph is partitioned: PyTorch's own, by its names (torch._functorch.config)."""

from __future__ import annotations

from typing import Any

from fxcut.torch_releases import RELEASE
from torch._functorch import config

Case = tuple[str, dict[str, Any]]  # the partitioner and the settings that differ from PyTorch's defaults

NO_BANS = {
    "aggressive_recomputation": True,
    "recompute_views": True,
    "ban_recompute_reductions": False,
    "ban_recompute_not_in_allowlist": False,
    "ban_recompute_materialized_backward": False,
    "ban_recompute_long_fusible_chains": False,
    "ban_recompute_used_far_apart": False,
}
BUDGETS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
SOLVERS = {"greedy": (2, 4), "dynamic_memory_budget_dp": (2, 7), "dp_knapsack_sliding_hirschberg": (2, 10)}  # besides dp
SINGLE = (
    *({name: value} for name, value in NO_BANS.items()),
    {"max_dist_from_bw": 3},
    {"cse": False},
    {"treat_parameters_as_free_to_save": False},
    {"unsafe_allow_optimization_of_collectives": True},
    {"is_non_builtin_to_include": True},
    {"graphsafe_rng_functionalization": False},
)
OFFLOADING = {"enable_activation_offloading": True}


def budget(share: float, solver: str | None = None, **others: Any) -> dict[str, Any]:
    return {"activation_memory_budget": share, **({"activation_memory_budget_solver": solver} if solver else {}), **others}


def solvers() -> list[str]:
    return [name for name, since in SOLVERS.items() if RELEASE >= since]


def cases_of_function() -> list[Case]:
    chosen: list[dict[str, Any]] = [{}, *SINGLE]
    chosen += [budget(share) for share in BUDGETS]
    chosen += [budget(share, solver) for solver in solvers() for share in (0.3, 0.6)]
    chosen += [budget(0.5, activation_memory_budget_runtime_estimator="testing")]
    chosen += [{**budget(share), **NO_BANS} for share in (0.0, 0.4, 1.0)]
    return _known([("default", {}), *(("min_cut", settings) for settings in chosen)])


def cases_of_edited(edit: str) -> list[Case]:
    if edit == "offloaded":
        streams = {**OFFLOADING, "activation_offload_separate_stream": True}
        chosen = [OFFLOADING, streams, {**streams, "activation_offload_sink_wait": True}, {**OFFLOADING, **budget(0.4)}]
        return _known([("default", OFFLOADING), *(("min_cut", settings) for settings in chosen)])
    chosen = [{}, {"aggressive_recomputation": True}, budget(0.5), budget(0.2, "greedy"), {**budget(0.0), **NO_BANS}, {"cse": False}]
    if edit == "budgeted":
        chosen += [{"activation_memory_budget_require_full_coverage": False}, budget(0.8)]
    if edit == "on_cuda":
        chosen += [{"graphsafe_rng_functionalization": False}]
    return _known([("default", {}), *(("min_cut", settings) for settings in chosen)])


def _known(cases: list[Case]) -> list[Case]:
    """Those whose settings this release has, each once. A setting of several that it lacks is left out of them."""
    found: list[Case] = []
    for partitioner, settings in cases:
        has = {name: value for name, value in settings.items() if hasattr(config, name)}
        case = (partitioner, has)
        if (has or not settings) and case not in found:
            found.append(case)
    return found
