// The values that a memory budget's knapsack chooses among.
#pragma once

#include <vector>

#include "cost/analysis.h"

namespace fxcut {

// Of the nodes that a cut has banned from being recomputed those that may be recomputed after all: the backward needs
// them, they lie in no input's memory, and nobody has marked them MUST_SAVE. The largest first, equals in the order of
// their bans.
std::vector<NodeId> knapsack_candidates(const Analysis& analysis, const std::vector<NodeId>& banned);

// What is saved before 2.15 where there is no candidate: all inputs, and what would be a candidate but for its
// MUST_SAVE.
std::vector<NodeId> inputs_and_tagged(const Analysis& analysis, const std::vector<NodeId>& banned);

}  // namespace fxcut
