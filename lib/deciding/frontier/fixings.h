// Partial decisions: which storages are kept, which are dropped, and which are open.
#pragma once

#include <optional>
#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

enum class Fixing : char { Open, Kept, Dropped };
using Fixings = std::vector<Fixing>;  // by storage

// All open, but for the free storage.
Fixings all_open(const RecomputeProblem& problem);

// The consequences of fixings.
struct FixedState {
  Fixings fixings;             // including the implied ones
  std::vector<char> forced;    // by item, whether the backward needs it in any case
  std::int64_t kept_bytes = 0; // of the storages that are fixed as kept
};

// Keeps storages that are needed in any case and cannot be recomputed, and drops those that no longer fit into `limit_bytes`,
// until nothing changes. Nothing if the fixings contradict that.
std::optional<FixedState> propagate(const RecomputeProblem& problem, Fixings fixings, std::int64_t limit_bytes);

}  // namespace fxcut
