"""The parts of a node's meta that are sent: everything that a partitioner looks at, and where in the model the node comes
from."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from torch import fx

from fxcut.repository import file_in_repository, repository_here
from fxcut.torch_releases import policy_of

Json = dict[str, Any]

CARRIED_META = (
    "ac_graph_id",
    "partitioner_tag",
    "has_backward_hook",
    "memory_budget",
    "should_offload",
    "saved_tensor_with_no_vc_check",
    "aot_runtime_epilogue_input_mutation",
    "checkpoint_name",
    "runtime_ms",
)
STACK_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
ROOT_OF_MODULE_PATH = re.compile(r"^(?:[LG]\['?\w*'?\]\.?|L__self___?|self\.?)")


def node_meta(node: fx.Node) -> Json:
    """What stands under a node's `meta`; empty where nothing does. Line numbers count from 1."""
    meta: Json = {}
    meta.update(policy_of(node))
    for key in CARRIED_META:
        if node.meta.get(key) is not None:
            meta[key] = node.meta[key]
    custom = node.meta.get("custom")
    if custom and _is_json(custom):
        meta["custom"] = custom
    if node.meta.get("seq_nr", -1) != -1:
        meta["seq_nr"] = node.meta["seq_nr"]
    frames = STACK_FRAME.findall(node.meta.get("stack_trace") or "")
    if frames:
        meta["source"] = _source(*frames[-1])
    user_source = _user_source(frames)
    if user_source:
        meta["user_source"] = user_source
    modules = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
    if modules:
        meta["module"] = _module_path(modules)
    return meta


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def _source(file: str, line: str, function: str) -> Json:
    """A frame. Its file is named from the package on, so that the graph is the same on every machine."""
    _, is_installed, inside = file.rpartition("site-packages/")
    return {"file": inside if is_installed else os.path.basename(file), "line": int(line), "function": function}


def _user_source(frames: list[tuple[str, str, str]]) -> Json | None:
    """The innermost frame in the repository that Python runs in, where its user can change something."""
    top = repository_here()
    if top is None:
        return None
    for file, line, function in reversed(frames):
        inside = file_in_repository(file, top)
        if inside:
            return {"file": inside, "line": int(line), "function": function}
    return None


def _module_path(modules: dict[str, Any]) -> str:
    innermost = list(modules.values())[-1]
    path = innermost[0] if isinstance(innermost, tuple) else innermost
    return ROOT_OF_MODULE_PATH.sub("", str(path))
