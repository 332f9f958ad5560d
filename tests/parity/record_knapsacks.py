#!/usr/bin/env python3
"""Asks PyTorch's knapsack solvers about made-up knapsacks and writes down what they answer: testdata/knapsacks.json.

usage: record_knapsacks.py >testdata/knapsacks.json

Needs torch (2.13 and 2.15 have the same solvers), networkx and scipy; the tests that read the file need none of them.

Each knapsack has `memory` (shares), `runtime`, `limit`, and `saved`: by solver the items that it saves, or null where
it fails. Of ilp it is `most_runtime` instead, the most that can be saved, as scipy's milp finds it: it is asked for the
best without a gap, where PyTorch leaves it at its default of a ten-thousandth.
"""
import json
import random

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from torch._functorch._activation_checkpointing import knapsack as solvers
from torch._functorch._activation_checkpointing.graph_info_provider import GraphInfoProvider
from torch._functorch._activation_checkpointing.knapsack_evaluator import KnapsackEvaluator


def measured(items):
    """Nothing is like anything else."""
    return [(random.random() / 10, random.random() * 3) for _ in range(items)]


def whole_steps(items):
    """Memory in whole ten-thousandths, short run times: many choices are equally good."""
    return [(random.randint(1, 400) / 10000, float(random.randint(1, 100))) for _ in range(items)]


def layers(items):
    """The same few values again and again, as in a model."""
    layer = [(random.random() * 2 / items, float(random.randint(1, 10**9))) for _ in range(5)]
    return (layer * items)[:items]


def products(items):
    """Run time goes with memory, as a matrix product's FLOPs go with its result, but for some that are cheap."""
    sizes = [random.choice([0.02, 0.013, 0.0051, 0.1]) for _ in range(items)]
    return [(size, size * 2**42 if random.random() < 0.8 else 1.0) for size in sizes]


def halves_of_steps(items):
    """Nothing or little memory, halves to be rounded to even, and run times that float32 loses beside others."""
    return [(random.choice([0.0, 0.00004, 0.00005, 0.00015, 0.02]), random.choice([1.0, 3.0, 2.0**24, 2.0**25]))
            for _ in range(items)]


def too_large(items):
    """Much that fits nowhere, much that takes no time."""
    return [(random.random() * 2, random.choice([0.0, 1.0, 2.5e-5, 1e12])) for _ in range(items)]


def knee(memory, runtime, limit):
    """What PyTorch runs for dynamic_memory_budget_dp."""
    names = [f"item{i}" for i in range(len(memory))]
    graph = GraphInfoProvider([], [], names, recorded_knapsack_input_memories=memory,
                              recorded_knapsack_input_runtimes=runtime)
    budget = KnapsackEvaluator(graph).get_knee_point_memory_budget(solvers.dp_knapsack, max_mem_budget=limit)
    return solvers.dp_knapsack(memory, runtime, budget)


SOLVERS = {
    "dp": solvers.dp_knapsack,
    "greedy": solvers.greedy_knapsack,
    "dp_knapsack_sliding_hirschberg": solvers.dp_knapsack_sliding_hirschberg,
    "dynamic_memory_budget_dp": knee,
}


def items_saved(solve, *knapsack):
    try:
        return sorted(solve(*knapsack)[1])
    except ZeroDivisionError:
        return None


def most_runtime(memory, runtime, limit):
    found = milp(c=-numpy.array(runtime), constraints=[LinearConstraint(A=numpy.array(memory), ub=limit)],
                 integrality=numpy.ones(len(runtime)), bounds=Bounds(0, 1), options={"mip_rel_gap": 0})
    assert found.success, found.message
    return float(-found.fun)


def main():
    random.seed(1)
    lines = []
    for kind in (measured, whole_steps, layers, products, halves_of_steps, too_large):
        for items in (1, 2, 3, 5, 8, 13, 21, 34):
            memory, runtime = map(list, zip(*sorted(kind(items), key=lambda item: -item[0])))
            limit = random.choice([0.0, 0.0004, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0])
            lines.append(json.dumps({
                "kind": kind.__name__, "memory": memory, "runtime": runtime, "limit": limit,
                "saved": {name: items_saved(solve, memory, runtime, limit) for name, solve in SOLVERS.items()},
                "most_runtime": most_runtime(memory, runtime, limit)}))
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
