// The error for a value that the backward needs but that can neither be saved nor recomputed.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "solve/saved_values.h"

namespace fxcut {

// One node on the path from a value that must not be recomputed to one that the backward computes.
struct ConflictStep {
  NodeId node;
  bool passes_through;  // the path goes on through its value, which cannot be saved
};

// A Failure (NoPartition) that names each node on the path (at least one), why it is there, and what to change.
Failure conflict(const Analysis& analysis, const NodeFacts& facts, const std::vector<ConflictStep>& path);

}  // namespace fxcut
