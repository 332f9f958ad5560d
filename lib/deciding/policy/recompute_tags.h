// What the user's checkpoint policies and the nature of some operators force: which nodes have to be saved. Each of
// these changes `meta.recompute`.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// How many nodes are tagged to be recomputed, whether any is, and whether a random operator is.
std::size_t count_recomputable_ops(const Graph& graph);
bool has_recomputable_ops(const Graph& graph);
bool has_recomputable_rng_ops(const Graph& graph);

// All of the below in PyTorch's order, for one of its partitioners.
void resolve_recompute_tags(JointGraph& joint, const Users& users, const Settings& settings, Partitioner partitioner);

// Between two checkpointed regions that follow each other, and where a backward hook hangs on a region's output, the
// value at the border is saved; for the default partitioner also what enters a region (PyTorch's
// cleanup_recompute_tags).
void cleanup_recompute_tags(Graph& graph, const Users& users, Partitioner partitioner);

// Collectives that the user does not want recomputed are saved; of those with several results the items, in releases
// that tell them apart (PyTorch's force_save_collectives).
void force_save_collectives(Graph& graph, const Users& users, Release release);

// What is taken out of a with_effects call is saved, so that the effect happens once (PyTorch's
// force_save_effectful_ops). Throws Failure (NoPartition) where a call must be recomputed, in releases that refuse it.
void force_save_effectful_ops(Graph& graph, const Users& users, Release release);

// Where forward and backward both write to an input, the forward's new value is saved (PyTorch's
// force_save_bw_mutation_src).
void force_save_backward_mutation_source(Graph& graph);

}  // namespace fxcut
