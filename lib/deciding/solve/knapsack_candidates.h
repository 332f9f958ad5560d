// The candidates of a memory budget's knapsack.
#pragma once

#include <vector>

#include "cost/analysis.h"

namespace fxcut {

// The banned nodes that may be recomputed nevertheless: the backward needs them, no input shares their memory, and they
// are not tagged MUST_SAVE. The largest first, equals in the order of their bans.
std::vector<NodeId> knapsack_candidates(const Analysis& analysis, const std::vector<NodeId>& banned);

// The saved values before 2.15 if there is no candidate: all inputs, and nodes that only MUST_SAVE keeps from being
// candidates.
std::vector<NodeId> inputs_and_tagged(const Analysis& analysis, const std::vector<NodeId>& banned);

}  // namespace fxcut
