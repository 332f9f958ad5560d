#!/usr/bin/env python3
"""Write the registry of operators of the installed PyTorch, for make_operator_table.py.

usage: dump_operators.py > operators-2.N.json, run by the Python of a PyTorch from 2.4 on.

It has the operators of PyTorch's own namespaces, once the parts are imported that graphs come from.
"""
import contextlib
import importlib
import json
import sys

import torch
from torch._functorch import compile_utils, partitioners

SPACES = ("aten", "prims", "_c10d_functional", "quantized_decomposed", "streams", "inductor", "profiler", "ao", "fsdp", "mempool")
PARTS = ("torch._inductor.inductor_prims", "torch.distributed._functional_collectives",
         "torch._functorch._activation_offloading.offload_ops", "torch._inductor.fx_passes.control_dependencies",
         "torch._functorch._aot_autograd.streams", "torch._inductor.kernel.symmetric_mm",
         "torch.ao.quantization.fx._decomposed", "torch._dynamo.variables.streams",
         "torch._higher_order_ops.effects", "torch._higher_order_ops.print", "torch._higher_order_ops.triton_kernel_wrap",
         "torch._higher_order_ops.torchbind", "torch._higher_order_ops.invoke_leaf_function", "torch._prims.rng_prims",
         *(f"torch.distributed.{place}.{part}" for place in ("_composable.fsdp", "fsdp._fully_shard")
           for part in ("_fsdp_collectives", "_fsdp_param")))
LISTS = {"fusible": "fusible_ops", "compute_intensive": "compute_intensive_ops", "random": "random_ops", "view": "view_ops",
         "recomputable": "recomputable_ops"}


def name_of(target):
    """As graphs name it."""
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    if isinstance(target, torch._ops.OpOverloadPacket):
        return target._qualified_op_name.replace("::", ".")
    if isinstance(target, torch._ops.HigherOrderOperator):
        return "higher_order." + target.name()
    module = getattr(target, "__module__", None) or ""
    return f"{'operator' if module == '_operator' else module}.{getattr(target, '__name__', repr(target))}"


def side_effect_name(target):
    """A packet as fx prints what is no overload."""
    packet = isinstance(target, torch._ops.OpOverloadPacket)
    return ("torch._ops." if packet else "") + name_of(target)


def classes():
    types = partitioners.get_default_op_list()
    found = {name: sorted({name_of(target) for target in getattr(types, of)}) for name, of in LISTS.items()}
    return found | {"never_deduplicated_random": sorted({name_of(target) for target in compile_utils.rand_ops})}


def effectful_targets():
    """Before 2.10 nothing asks for effects, which are registered elsewhere or not at all."""
    try:
        from torch._library.simple_registry import singleton
    except ImportError:
        return []
    found = []
    for key, entry in singleton._data.items():
        effect = getattr(entry, "effect", None)
        if effect is not None and getattr(effect, "_effect", None):
            found.append(key.replace("::", ".") + ("" if key.startswith("higher_order") else ".default"))
    return sorted(found)


def is_builtin(op):
    try:
        from torch._library.utils import is_builtin
    except ImportError:
        return op.namespace in ("aten", "prim", "prims")
    return is_builtin(op)


def facts_of(op):
    return {"tags": sorted(tag.name for tag in op.tags), "mutable": op._schema.is_mutable, "returns": len(op._schema.returns),
            "builtin": bool(is_builtin(op)), "schema": str(op._schema)}


def packets():
    names = {qualified.split(".")[0] for qualified in torch._C._dispatch_get_all_op_names()}  # of "aten::add.Tensor"
    names |= {f"{space}::{base}" for space in SPACES for base in dir(getattr(torch.ops, space))}
    for space, base in sorted(name.split("::") for name in names):
        packet = getattr(getattr(torch.ops, space), base, None) if space in SPACES else None
        if isinstance(packet, torch._ops.OpOverloadPacket):
            yield packet


def operators():
    found = {}
    for packet in packets():
        for overload in packet.overloads():
            op = getattr(packet, overload)
            found[str(op)] = facts_of(op)
    return dict(sorted(found.items()))


def main():
    for part in PARTS:
        with contextlib.suppress(ImportError):  # of parts that an older or a newer release does not have
            importlib.import_module(part)
    json.dump({"source": f"torch {torch.__version__} operator registry", "classes": classes(),
               "effectful_targets": effectful_targets(),
               "side_effect_targets": sorted({side_effect_name(target) for target in torch.fx.node._side_effectful_functions}),
               "operators": operators()}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
