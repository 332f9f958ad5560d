#!/usr/bin/env python3
"""Makes the steps of this folder, and what PyTorch's pass of rematerialisation by tags makes of them.

usage: make.py [NAME...]

Needs torch 2.15 and the package fxcut. Each step is traced as torch.compile traces it, and written down where
AOTAutograd would call the pass: NAME.json. The pass itself answers, in that place: NAME.expected.json. Without names
all are made again.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from edits import EDITED, Edit, edited
from torch import fx
from torch._functorch._activation_checkpointing.remat_using_tags_for_fwd_loss_bwd_graph_pass import (
    remat_using_tags_for_fwd_loss_bwd_graph as pass_of_pytorch,
)
from traced import STEPS, Traced

from fxcut.step_to_json import step_to_json
from fxcut.traced_steps import call_compiled, passing_steps_to, trace_step

Json = dict[str, Any]

FOLDER = Path(__file__).parent
KEEPS_RANDOM_NUMBERS: Json = {"fallback_random": True}


def main(wanted: Sequence[str]) -> int:
    for name, traced in STEPS.items():
        edits = {edited_name: edit for edited_name, (of, edit) in EDITED.items() if of == name}
        if not wanted or {name, *edits} & set(wanted):
            make(name, traced, edits)
    return 0


def make(name: str, traced: Traced, edits: dict[str, Edit]) -> None:
    """One step, and those that are edited from it."""
    written = 0

    def write_down(step: fx.GraphModule, static: Sequence[str]) -> fx.GraphModule:
        nonlocal written
        written += 1
        write_step(name, step, static)
        for edited_name, edit in edits.items():
            write_step(edited_name, edited(step, edit), static)
        return step

    torch.compiler.reset()
    torch.manual_seed(0)
    if traced.tracer == "make_fx":
        write_down(*trace_step(traced.function, *traced.arguments()))
        return
    with passing_steps_to(write_down):
        call_compiled(traced.tracer, traced.dynamic, traced.function, *traced.arguments())
    if written != 1:
        sys.exit(f"{name}: {written} steps instead of one")


def write_step(name: str, step: fx.GraphModule, static: Sequence[str]) -> None:
    document = step_to_json(step, static_lifetime_inputs=static, name=name)
    for node in document["nodes"]:
        for place in ("source", "user_source"):  # which change with every line of traced.py
            node.get("meta", {}).pop(place, None)
    write(FOLDER / f"{name}.json", document)
    # Outside of torch.compile the pass keeps them, whatever the setting is.
    configs = [{}, KEEPS_RANDOM_NUMBERS] if torch._guards.TracingContext.try_get() else [KEEPS_RANDOM_NUMBERS]
    answers = [answer(step, config) for config in configs]
    cases = [
        {"config": config, **made}
        for config, made in zip(configs, answers)
        if config == configs[0] or made != answers[0]
    ]
    oracle = f"torch {torch.__version__.partition('+')[0]}"
    write(FOLDER / f"{name}.expected.json", {"graph": name, "oracle": oracle, "cases": cases})
    print(name, len(document["nodes"]), [case.get("error", "")[:40] or len(case["step"]["nodes"]) for case in cases])


def answer(step: fx.GraphModule, config: Json) -> Json:
    """The pass's answer; it changes what it is given, which is why it gets a copy."""
    given = copy.deepcopy(step)
    point_to_copies(given)
    if [node.name for node in given.graph.nodes] != [node.name for node in step.graph.nodes]:
        sys.exit("a copy of the step has other names")
    with torch._inductor.config.patch(config):
        try:
            made = pass_of_pytorch(given)
        except RuntimeError as error:
            return {"error": str(error)}
    return {"step": {"nodes": [bare(node) for node in step_to_json(made)["nodes"]]}}


def point_to_copies(step: fx.GraphModule) -> None:
    """The meta of a copied node names nodes of the original graph."""
    by_name = {node.name: node for node in step.graph.nodes}
    for node in step.graph.nodes:
        reload = node.meta.get("cpu_offload_reload_node")
        if reload is not None:
            node.meta["cpu_offload_reload_node"] = by_name[reload.name]


def bare(node: Json) -> Json:
    return {key: value for key, value in node.items() if key not in ("val", "tensor_meta", "meta")}


def write(path: Path, document: Json) -> None:
    path.write_text("".join(lines(document)))


def lines(document: Json) -> list[str]:
    """JSON with one node a line, one case after the other."""
    dumped = json.dumps(document, separators=(",", ":"))
    return [
        dumped.replace('{"name":', '\n{"name":').replace('{"config":', '\n{"config":').replace('"ops":', '\n"ops":'),
        "\n",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
