"""What PyTorch's own settings say, in the words of the fxcut program."""

from __future__ import annotations

from typing import Any

import torch
from torch._functorch import config as functorch_config

from fxcut.errors import InvalidArgument
from fxcut.torch_releases import moved_settings

Json = dict[str, Any]

FROM_PYTORCH = (
    "activation_memory_budget",
    "activation_memory_budget_solver",
    "activation_memory_budget_runtime_estimator",
    "activation_memory_budget_require_full_coverage",
    "aggressive_recomputation",
    "recompute_views",
    "ban_recompute_used_far_apart",
    "ban_recompute_long_fusible_chains",
    "ban_recompute_materialized_backward",
    "ban_recompute_not_in_allowlist",
    "ban_recompute_reductions",
    "max_dist_from_bw",
    "treat_parameters_as_free_to_save",
    "cse",
    "is_non_builtin_to_include",
    "unsafe_allow_optimization_of_collectives",
    "unsafe_treat_script_objects_as_zero_size",
    "graphsafe_rng_functionalization",
    "enable_activation_offloading",
    "activation_offload_separate_stream",
    "activation_offload_sink_wait",
    "activation_reload_prefetch",
    "activation_offload_cpu_gpu_bw",
)
QUANTIZATION = "activation_quantization_aten_pass"
ESTIMATOR = "activation_memory_budget_runtime_estimator"
PYTORCHS_ESTIMATOR = "flops"
NAMING_OPERATORS = "xla.name_tensor.default,xla.offload_name.default,fxcut.checkpoint_name.default"


def pytorch_settings() -> Json:
    """Those of torch._functorch.config that fxcut heeds, as they are now, under their names; and that decisions that are not
    sound are repaired.

    Raises InvalidArgument where a solver or an estimator is a function, which the program cannot call.
    """
    settings = {name: getattr(functorch_config, name) for name in FROM_PYTORCH if hasattr(functorch_config, name)}
    settings.update(moved_settings())
    for name, value in settings.items():
        if not isinstance(value, (bool, int, float, str)):
            supported = "fxcut supports only those that have a name."
            raise InvalidArgument(f"fxcut: torch._functorch.config.{name} is {value!r}; {supported}")
    if settings[ESTIMATOR] == PYTORCHS_ESTIMATOR:
        del settings[ESTIMATOR]  # which is the program's default with PyTorch's solvers, and leaves the choice to its own
    inductor = torch._inductor.config
    if inductor.fallback_random and not inductor.test_configs.graphsafe_rng_func_ignores_fallback_random:
        settings["graphsafe_rng_functionalization"] = False
    fusions = {key: value for key, value in inductor.post_grad_fusion_options.items() if key == QUANTIZATION}
    if fusions:
        settings["post_grad_fusion_options"] = fusions
    settings["naming_operators"] = NAMING_OPERATORS
    settings["sound"] = "always"
    return settings
