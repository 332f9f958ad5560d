"""Which graph PyTorch is compiling."""

from __future__ import annotations

from torch._functorch._aot_autograd.logging_utils import get_aot_compilation_context, get_aot_graph_name
from torch._guards import CompileContext

OUTSIDE = "joint_graph"


def graph_name() -> str:
    """What PyTorch calls the graph, as in the names of its debug files; OUTSIDE where AOTAutograd is not at work.

    The graphs of regions that are compiled apart have the name of the graph around them.
    """
    being_compiled, _, _ = get_aot_compilation_context()
    return get_aot_graph_name() if being_compiled else OUTSIDE


def compile_id() -> str | None:
    """The number of the compilation, such as "0/0"; None outside of torch.compile."""
    current = CompileContext.current_compile_id()
    return None if current is None else str(current)
