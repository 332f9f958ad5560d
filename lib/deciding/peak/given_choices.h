// Choices of kept storages that need no search: those given by the names of saved values, and all choices of a small problem.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// The names of the values that a decision saves: as they are, and in fewer bits.
struct SavedNames {
  std::unordered_set<std::string> whole, compressed;

  bool operator==(const SavedNames&) const = default;
};

// The storages of the items with these names.
KeptStorages kept_by(const Analysis& analysis, const RecomputeProblem& problem, const SavedNames& saved);

std::size_t count_open(const Fixings& fixings);

// Calls `visit` with each choice that keeps all storages fixed as kept, and any of the open ones, until it returns false. Returns
// whether it never did.
bool for_each_choice(const Fixings& fixings, const std::function<bool(const KeptStorages&)>& visit);

}  // namespace fxcut
