// Whether the two sides of a partition compute what the joint graph computes, told in one walk over each graph.
//
// PyTorch's decisions are repeated as they are, and some of them are wrong: they compute again from memory that the
// forward has written to, or draw random numbers anew. What a partition moves is what may go wrong, so this looks at
// where calls run, at the memory that they find there (soundness/memory_run.h), and at random calls that run on both
// sides; not, as `verify` does, at what each expression is.
#pragma once

#include <vector>

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "soundness/unsound.h"

namespace fxcut {

// Whether anything in the graph could go wrong at all: some call writes, draws, checks or records.
bool has_hazards(const JointGraph& joint);

// What is wrong, in the order of the joint graph; only where it begins, and not what is computed from that. `graphs` are
// the sides' in the order in which they run, random operators under the states that they share, and nothing on the host
// yet. Linear in the graphs; where there are no hazards it does not look at them.
std::vector<Unsound> find_unsound(const JointGraph& joint, const ForwardBackward& sides, const GraphPair& graphs);

}  // namespace fxcut
