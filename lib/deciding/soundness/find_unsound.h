// Whether the two sides of a partition compute the same values as the joint graph, in one walk over each graph.
//
// Some of PyTorch's decisions do not: they recompute from memory that the forward has written to, or draw new random
// numbers. A partition only moves calls, so this checks where calls run, the state of the memory that they read
// (soundness/memory_run.h), and the random calls that run on both sides; unlike `verify` it compares no expressions.
#pragma once

#include <vector>

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "soundness/unsound.h"

namespace fxcut {

// For each node, whether the backward would recompute another value: the call reads memory that is written to in between
// (soundness/last_needs.h), or makes memory that is written to before the forward ends, and recomputed memory would lack that
// write.
std::vector<bool> unsound_to_recompute(const JointGraph& joint);

// Whether the graph can become unsound at all: some call writes, draws, checks or records.
bool has_hazards(const JointGraph& joint);

// The faults in the order of the joint graph, without those that only follow from another. `graphs` are the sides in the
// order in which they run, random operators under the states that they share, before offloading. Linear in the graphs;
// constant if there are no hazards.
std::vector<Unsound> find_unsound(const JointGraph& joint, const ForwardBackward& sides, const GraphPair& graphs);

}  // namespace fxcut
