"""A joint graph to the JSON form that the fxcut program reads (schemas/joint_graph.schema.json).

Nodes go over one by one. A tensor's memory is numbered by its storage, so that views are known as such; a symbolic
size carries its expression and the number that it stood for while the graph was traced. What a partitioner looks at in a node's
meta is sent along; everything else stays in the graph, where from_json finds it again by the node's name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import fx
from torch._inductor import config as inductor_config
from torch._library.utils import is_builtin

from fxcut.node_meta import node_meta
from fxcut.static_inputs import static_primals
from fxcut.targets import target_name
from fxcut.torch_releases import hint_of, known_numbers
from fxcut.unreplaced import SymbolicNumber, symbolic_numbers, unreplaced_expression

Json = dict[str, Any]

INDUCTOR = "inductor"  # as a compiler
UNBACKED_HINT = 4096
SYMBOLIC_KINDS = {torch.SymInt: "symint", torch.SymFloat: "symfloat", torch.SymBool: "symbool"}


def joint_graph_to_json(
    joint: fx.GraphModule,
    *,
    num_fwd_outputs: int,
    static_lifetime_input_indices: Sequence[int] | None = None,
    name: str = "joint_graph",
    same_storage: dict[int, int] | None = None,
    run_times: dict[fx.Node, float] | None = None,
    compiler: str | None = None,
) -> Json:
    """The JSON form of a joint graph; json.dumps takes it as it is.

    num_fwd_outputs: how many leaves of the output node's arguments are the forward's, the rest are gradients.
    static_lifetime_input_indices: which inputs of the step, counted from 0, are always resident (parameters and buffers).
    name: free text, which the report calls the graph by.
    same_storage: storage to storage, by address, where a value's memory counts as that of another.
    run_times: milliseconds of nodes that have no `runtime_ms` in their meta.
    compiler: "inductor" or "aot_eager": the backend that compiles the two graphs, where it is known.
    """
    encoder = Encoder(same_storage, run_times)
    content = encoder.graph_module(joint)
    static = static_primals(joint, static_lifetime_input_indices)
    return {
        "format": "fx-joint-graph",
        "version": 1,
        "name": name,
        "producer": f"torch {torch.__version__}",
        **({"compiler": compiler} if compiler else {}),
        **({"single_threaded": True} if compiler == INDUCTOR and _is_single_threaded() else {}),
        **_matmul_precision(),
        "num_fwd_outputs": num_fwd_outputs,
        "static_lifetime_inputs": [node.name for node in static],
        "symbols": encoder.symbols,
        "ops": encoder.operators,
        **content,
    }


def _matmul_precision() -> Json:
    """Where it is not PyTorch's default: products of float32 may then be rounded to TF32, and take less time."""
    precision = torch.get_float32_matmul_precision()
    return {} if precision == "highest" else {"float32_matmul_precision": precision}


def _is_single_threaded() -> bool:
    """Whether inductor generates code for one thread (torch._inductor.codecache.parallel_num_threads)."""
    stated = inductor_config.cpp.threads
    return not inductor_config.cpp.dynamic_threads and (stated if stated >= 1 else torch.get_num_threads()) == 1


class Encoder:
    """Numbers storages and collects symbols and operators while it goes through the nodes."""

    def __init__(self, same_storage: dict[int, int] | None = None, run_times: dict[fx.Node, float] | None = None) -> None:
        self.symbols: Json = {}
        self.operators: Json = {}
        self._storages: dict[int, int] = {}
        self._same_storage = same_storage or {}
        self._run_times = run_times or {}

    def graph_module(self, module: fx.GraphModule) -> Json:
        """The nodes, and what get_attr nodes refer to: nested graphs and tensor constants."""
        content: Json = {"nodes": [self.node(node) for node in module.graph.nodes]}
        subgraphs: Json = {}
        attributes: Json = {}
        for node in module.graph.find_nodes(op="get_attr"):
            attribute = module
            for part in node.target.split("."):
                attribute = getattr(attribute, part)
            if isinstance(attribute, fx.GraphModule) and node.target not in subgraphs:
                subgraphs[node.target] = self.graph_module(attribute)
            elif isinstance(attribute, torch.Tensor):
                attributes[node.target] = self.value(attribute)
        if subgraphs:
            content["subgraphs"] = subgraphs
        if attributes:
            content["attributes"] = attributes
        return content

    def node(self, node: fx.Node) -> Json:
        encoded: Json = {"name": node.name, "op": node.op, "target": target_name(node.target)}
        if node.op == "call_function":
            self._note_operator(node.target)
        if node.op in ("call_function", "output"):
            encoded["args"] = [self.argument(arg) for arg in node.args]
            if node.kwargs:
                encoded["kwargs"] = {key: self.argument(arg) for key, arg in node.kwargs.items()}
        if "val" in node.meta:
            encoded["val"] = self.value(node.meta["val"])
        elif hasattr(node.meta.get("tensor_meta"), "shape"):
            tensor = node.meta["tensor_meta"]
            encoded["tensor_meta"] = {
                "dtype": _short(tensor.dtype),
                "shape": [self.size(size) for size in tensor.shape],
            }
        meta = node_meta(node)
        if node in self._run_times:
            meta.setdefault("runtime_ms", self._run_times[node])
        if meta:
            encoded["meta"] = meta
        return encoded

    def argument(self, arg: Any) -> Any:
        match arg:
            case fx.Node():
                return {"node": arg.name}
            case None | bool() | str():
                return arg
            case torch.SymInt() | torch.SymFloat() | torch.SymBool():
                return {"sym": self.size(arg)}
            case int():
                return int(arg)
            case float():
                return arg if math.isfinite(arg) else {"float": repr(arg)}
            case complex():
                return {"complex": [arg.real, arg.imag]}
            case torch.dtype():
                return {"dtype": _short(arg)}
            case torch.device():
                return {"device": str(arg)}
            case torch.layout():
                return {"layout": _short(arg)}
            case torch.memory_format():
                return {"memory_format": _short(arg)}
            case torch._ops.OpOverload() | torch._ops.HigherOrderOperator():
                self._note_operator(arg)
                return {"op": target_name(arg)}
            case list():
                return [self.argument(item) for item in arg]
            case tuple():
                return {"tuple": [self.argument(item) for item in arg]}
            case slice():
                return {"slice": [self.argument(part) for part in (arg.start, arg.stop, arg.step)]}
            case dict():
                return {"dict": {str(key): self.argument(item) for key, item in arg.items()}}
        return {"opaque": type(arg).__name__}

    def value(self, value: Any) -> Json:
        match value:
            case None:
                return {"kind": "none"}
            case torch.Tensor():
                return self._tensor(value)
            case torch.SymInt() | torch.SymFloat() | torch.SymBool():
                size = self.size(value)
                if not isinstance(size, dict):
                    size = {"expr": str(size), "hint": size, "symbols": []}
                return {"kind": SYMBOLIC_KINDS[type(value)], **size, **self._unreplaced_number(value)}
            case list() | tuple():
                return {"kind": "tuple", "items": [self.value(item) for item in value]}
            case dict():
                return {"kind": "dict", "items": {str(key): self.value(item) for key, item in value.items()}}
            case bool() | int() | float() | str():
                return {"kind": "scalar", "value": self.argument(value)}
        kind = type(value).__name__
        if kind == "BackwardState":
            return {"kind": "backward_state"}
        return {"kind": "opaque" if kind in ("FakeScriptObject", "ScriptObject") else "other", "type": kind}

    def size(self, size: Any) -> Any:
        """An integer unchanged; a symbolic one with its expression and hint."""
        if not isinstance(size, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return size
        expression = size.node.expr
        symbols = self._symbols(expression, size)
        if not symbols and isinstance(size, torch.SymInt):
            return int(expression)
        return {"expr": str(expression), "hint": _hint(size), "symbols": symbols}

    def _symbols(self, expression: Any, size: SymbolicNumber) -> list[str]:
        symbols = sorted(expression.free_symbols, key=str)
        for symbol in symbols:
            self._note_symbol(symbol, size.node.shape_env)
        return [str(symbol) for symbol in symbols]

    def _tensor(self, tensor: torch.Tensor) -> Json:
        encoded: Json = {
            "kind": "tensor",
            "dtype": _short(tensor.dtype),
            "shape": [self.size(size) for size in tensor.shape],
        }
        if tensor.layout == torch.strided:
            encoded["stride"] = [self.size(step) for step in tensor.stride()]
        encoded["device"] = str(tensor.device)
        storage = storage_address(tensor)
        if storage is not None:
            storage = self._same_storage.get(storage, storage)
            encoded["storage"] = self._storages.setdefault(storage, len(self._storages))
        return {**encoded, **self._unreplaced_sizes(tensor)}

    def _unreplaced_number(self, number: SymbolicNumber) -> Json:
        expression = unreplaced_expression(number)
        if expression == number.node.expr:
            return {}
        return {"unreplaced": {"expr": str(expression), "symbols": self._symbols(expression, number)}}

    def _unreplaced_sizes(self, tensor: torch.Tensor) -> Json:
        numbers = [(number, unreplaced_expression(number)) for number in symbolic_numbers(tensor)]
        if all(expression == number.node.expr for number, expression in numbers):
            return {}
        symbols = {symbol for number, expression in numbers for symbol in self._symbols(expression, number)}
        return {"unreplaced": {"symbols": sorted(symbols)}}

    def _note_symbol(self, symbol: Any, shape_env: Any) -> None:
        name = str(symbol)
        if name in self.symbols:
            return
        hint = known_numbers(shape_env).get(symbol)
        is_backed = not name.startswith(("u", "zuf"))
        # The ragged size of a nested tensor stands for no number: its hint is a symbol of its own.
        is_number = hint is not None and getattr(hint, "is_Number", True)
        self.symbols[name] = {"hint": int(hint) if is_number else None, "backed": is_backed}

    def _note_operator(self, target: Any) -> None:
        if not isinstance(target, torch._ops.OpOverload) or str(target) in self.operators:
            return
        facts: Json = {
            "tags": sorted(tag.name for tag in target.tags),
            "mutable": target._schema.is_mutable,
            "returns": len(target._schema.returns),
            "builtin": bool(is_builtin(target)),
        }
        if not facts["builtin"]:
            facts["schema"] = str(target._schema)
        self.operators[str(target)] = facts


def storage_address(tensor: torch.Tensor) -> int | None:
    """What distinguishes storages that live at the same time; None for a tensor without one, such as a sparse one."""
    try:
        return tensor.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):
        return None


def storage_of(node: fx.Node) -> int | None:
    """The address of the storage of what a node computes; None for what has none."""
    value = node.meta.get("val")
    return storage_address(value) if isinstance(value, torch.Tensor) else None


def _short(torch_constant: Any) -> str:
    return str(torch_constant).removeprefix("torch.")


def _hint(size: Any) -> int | float | bool | None:
    try:
        hint = hint_of(size, UNBACKED_HINT)
    except Exception:  # PyTorch has many ways to say that it knows no number
        return None
    if isinstance(hint, torch.SymInt):
        return None if hint.node.is_nested_int() else int(hint)
    return hint
