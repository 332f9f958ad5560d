// What the user's checkpoint policies and the nature of some operators force: which nodes have to be saved. Each of these
// takes a graph and returns it with `meta.recompute` changed.
#pragma once

#include "graph/graph.h"
#include "policy/settings.h"

namespace fxcut {

// Whether any node is tagged to be recomputed; whether a random operator is.
bool has_recomputable_ops(const Graph& graph);
bool has_recomputable_rng_ops(const Graph& graph);

// All of the below in PyTorch's order.
Graph resolve_recompute_tags(Graph graph, const Settings& settings);

// Between two checkpointed regions that follow each other, and where a backward hook hangs on a region's output, the
// value at the border is saved (PyTorch's cleanup_recompute_tags, for the min cut).
void cleanup_recompute_tags(Graph& graph, const Users& users);

// What enters a checkpointed region is saved (the part of PyTorch's cleanup_recompute_tags for the default partitioner).
void save_inputs_of_regions(Graph& graph, const Users& users);

// Collectives that the user does not want recomputed are saved (PyTorch's force_save_collectives).
void force_save_collectives(Graph& graph);

// What is taken out of a with_effects call is saved, so that the effect happens once (PyTorch's
// force_save_effectful_ops).
void force_save_effectful_ops(Graph& graph, const Users& users);

// Where forward and backward both write to an input, the forward's new value is saved (PyTorch's
// force_save_bw_mutation_src).
void force_save_backward_mutation_source(Graph& graph);

}  // namespace fxcut
