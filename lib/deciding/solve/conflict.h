// What to say where the backward needs a value that can neither be saved nor recomputed.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "solve/saved_values.h"

namespace fxcut {

// One node on the way from what must not be recomputed to what the backward computes.
struct ConflictStep {
  NodeId node;
  bool passes_through;  // the way goes on through its value, which cannot be saved
};

// A Failure (NoPartition) that names each node on the way (at least one), what ties it, and what to change.
Failure conflict(const Analysis& analysis, const NodeFacts& facts, const std::vector<ConflictStep>& way);

}  // namespace fxcut
