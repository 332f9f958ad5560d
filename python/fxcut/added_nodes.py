"""What fxcut puts into a graph that is not in the joint graph: random states, copies to the host, barriers.

Such a node has no counterpart to take its meta from. Its value is found as every tracer does it: the operator runs on
the fake values of its arguments. What runs a random operator under a state runs that operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import fx
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import FakeTensor, extract_tensor_metadata
from torch.utils._pytree import tree_map_only

from fxcut.errors import FxcutError
from fxcut.targets import HIGHER_ORDER, target_of

Json = dict[str, Any]

SAVING = HIGHER_ORDER + "run_and_save_rng_state"
RUNNING = HIGHER_ORDER + "run_with_rng_state"
GRAPH_SAFE = HIGHER_ORDER + "graphsafe_run_with_rng_state"


class AnswerNotUnderstood(FxcutError):
    """fxcut's answer has something that this package cannot turn into a PyTorch graph."""


def fake_mode_of(joint: fx.GraphModule) -> FakeTensorMode:
    """The mode in which the graph's values are fake."""
    for node in joint.graph.nodes:
        if isinstance(node.meta.get("val"), FakeTensor):
            return node.meta["val"].fake_mode
    raise AnswerNotUnderstood("fxcut: the joint graph has no fake tensor, so it was not traced by PyTorch")


def decoded_argument(argument: Any, nodes: dict[str, fx.Node]) -> Any:
    """An argument of the JSON form, with the nodes of the graph that is being built."""
    if isinstance(argument, list):
        return [decoded_argument(item, nodes) for item in argument]
    if not isinstance(argument, dict):
        return argument
    ((kind, content),) = argument.items()
    match kind:
        case "node":
            return nodes[content]
        case "tuple":
            return tuple(decoded_argument(item, nodes) for item in content)
        case "slice":
            return slice(*(decoded_argument(part, nodes) for part in content))
        case "dict":
            return {key: decoded_argument(item, nodes) for key, item in content.items()}
        case "dtype" | "layout" | "memory_format":
            return getattr(torch, content)
        case "device":
            return torch.device(content)
        case "float":
            return float(content)
        case "complex":
            return complex(*content)
        case "op":
            return target_of(content)
    raise AnswerNotUnderstood(f"fxcut: the argument {argument} of an added node cannot be rebuilt from JSON")


def add_call(graph: fx.Graph, encoded: Json, nodes: dict[str, fx.Node], fake_mode: FakeTensorMode) -> fx.Node:
    """Appends a call that the joint graph does not have, with its value."""
    target = target_of(encoded["target"])
    args = tuple(decoded_argument(item, nodes) for item in encoded.get("args", ()))
    kwargs = {key: decoded_argument(item, nodes) for key, item in encoded.get("kwargs", {}).items()}
    node = graph.create_node("call_function", target, args, kwargs, name=encoded["name"])
    set_value(node, _value_of_call(encoded, target, args, kwargs, fake_mode))
    return node


def _value_of_call(
    encoded: Json, target: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], fake_mode: FakeTensorMode
) -> Any:
    args, kwargs = (tree_map_only(fx.Node, lambda node: node.meta["val"], part) for part in (args, kwargs))
    with fake_mode:
        if encoded["target"] == SAVING:
            state = _described_tensor(encoded["name"], encoded["val"]["items"][0], fake_mode)
            return state, args[0](*args[1:], **kwargs)
        if encoded["target"] == RUNNING:
            return args[1](*args[2:], **kwargs)
        if encoded["target"] == GRAPH_SAFE:
            kwargs.pop("rng_state")
            return args[0](*args[1:], **kwargs)
        return target(*args, **kwargs)


def generator_devices(encoded_graph: Json) -> dict[str, torch.device]:
    """The inputs of a graph that are random generators, each with the device of the numbers drawn from it."""
    devices = {}
    for encoded in encoded_graph["nodes"]:
        if encoded.get("target") == GRAPH_SAFE:
            value = encoded["val"]
            tensor = value["items"][0] if value["kind"] == "tuple" else value
            devices[encoded["kwargs"]["rng_state"]["node"]] = torch.device(tensor["device"])
    return devices


def add_generator(graph: fx.Graph, name: str, device: torch.device) -> fx.Node:
    """Appends an input that is a random generator of a device."""
    node = graph.placeholder(name)
    node.meta["val"] = torch.get_device_module(device).default_generators[device.index].clone_state()
    return node


def add_placeholder(graph: fx.Graph, encoded: Json, made_by: fx.Node | None, fake_mode: FakeTensorMode) -> fx.Node:
    """Appends an input that the joint graph does not have: a copy on the host, or a random generator's state.

    made_by: the forward's node of that name, whose value the input is.
    """
    node = graph.placeholder(encoded["name"])
    if made_by is not None:
        node.meta = dict(made_by.meta)
    else:
        set_value(node, _described_tensor(encoded["name"], encoded.get("val", {}), fake_mode))
    return node


def _described_tensor(name: str, value: Json, fake_mode: FakeTensorMode) -> torch.Tensor:
    sizes = [*value.get("shape", [None]), *(value.get("stride") or [None])]
    if not all(isinstance(size, int) for size in sizes):
        raise AnswerNotUnderstood(f"fxcut: the sizes of the value {name} are not numbers: {value}")
    with fake_mode:
        dtype = getattr(torch, value["dtype"])
        return torch.empty_strided(value["shape"], value["stride"], dtype=dtype, device=value["device"])


def set_value(node: fx.Node, value: Any) -> None:
    """Sets a node's val, and for a tensor the meta that belongs to it."""
    node.meta["val"] = value
    if isinstance(value, torch.Tensor):
        node.meta["tensor_meta"] = extract_tensor_metadata(value)
