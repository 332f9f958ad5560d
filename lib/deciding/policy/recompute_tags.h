// Nodes that have to be saved because of checkpoint policies or the nature of their operators. The functions change
// `meta.recompute`.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Nodes tagged to be recomputed: how many, whether any, whether a random operator.
std::size_t count_recomputable_ops(const Graph& graph);
bool has_recomputable_ops(const Graph& graph);
bool has_recomputable_rng_ops(const Graph& graph);

// All of the below in PyTorch's order, for one of its partitioners, as far as the graph's release has them. Throws Failure
// (NoPartition) where the release needs the number of a region that a tag does not have; where policies tag as well, which know
// no regions, such nodes are in none.
void resolve_recompute_tags(JointGraph& joint, const Users& users, const Settings& settings, Partitioner partitioner,
                            bool has_policies = false);

// Saves values at the border of two adjacent checkpointed regions, and outputs of a region with a backward hook; for
// the default partitioner also inputs of a region (PyTorch's cleanup_recompute_tags).
void cleanup_recompute_tags(Graph& graph, const Users& users, Partitioner partitioner, Release release = kNewestRelease);

// Saves collectives that are not tagged to be recomputed; of those with several results the items, in releases that
// distinguish them (PyTorch's force_save_collectives).
void force_save_collectives(Graph& graph, const Users& users, Release release);

// Saves the items of a with_effects call, so that the effect happens once (PyTorch's force_save_effectful_ops). Throws
// Failure (NoPartition) for a call that must be recomputed, in releases that refuse it.
void force_save_effectful_ops(Graph& graph, const Users& users, Release release);

// If forward and backward both write to an input, saves the forward's new value (PyTorch's force_save_bw_mutation_src).
void force_save_backward_mutation_source(Graph& graph);

}  // namespace fxcut
