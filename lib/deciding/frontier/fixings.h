// Part of the decision, made before the rest: which storages are kept, which are not, and which are open.
#pragma once

#include <optional>
#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

enum class Fixing : char { Open, Kept, Dropped };
using Fixings = std::vector<Fixing>;  // by storage

// All open, but for the free storage.
Fixings all_open(const RecomputeProblem& problem);

// What the fixings imply.
struct FixedState {
  Fixings fixings;             // with those that follow
  std::vector<char> forced;    // by item, whether the backward needs it for certain
  std::int64_t kept_bytes = 0; // of the storages that are fixed as kept
};

// Keeps what is needed for certain and cannot be run again, drops what no longer fits into `limit_bytes`, and so on
// until nothing follows. Nothing where that cannot be.
std::optional<FixedState> propagate(const RecomputeProblem& problem, Fixings fixings, std::int64_t limit_bytes);

}  // namespace fxcut
