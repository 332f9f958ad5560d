"""The states of random generators in a whole step, which saves them itself and runs operators under them again.

The two sides of a joint graph hand a state on as an output and an input, so that the backward's compiler has a fake tensor for
it. In a step that stays one graph, a compiler that runs it on fake tensors, as inductor does, gets from run_and_save_rng_state
the generator's own state, and a real tensor is refused wherever it is used. lift_fresh is the operator by which PyTorch takes
real tensors in among fake ones. It computes nothing, neither in eager mode nor in the code that inductor makes.
"""

from __future__ import annotations

import operator

import torch
from torch import fx

from fxcut.added_nodes import SAVING, set_value
from fxcut.targets import target_name


def lift_saved_states(graph: fx.Graph) -> None:
    """Has all that uses a saved state use it lifted."""
    for node in list(graph.nodes):
        if node.op == "call_function" and _is_saved_state(node):
            users = list(node.users)
            with graph.inserting_after(node):
                lifted = graph.call_function(torch.ops.aten.lift_fresh.default, (node,))
            set_value(lifted, node.meta["val"])
            for user in users:
                user.replace_input_with(node, lifted)


def _is_saved_state(node: fx.Node) -> bool:
    if node.target is not operator.getitem or node.args[1] != 0:
        return False
    made_by = node.args[0]
    return isinstance(made_by, fx.Node) and made_by.op == "call_function" and target_name(made_by.target) == SAVING
