// Choices of kept storages that no search makes: by what is saved, and all of a small problem.
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

// What a decision saves, by name: as it is, and in fewer bits.
struct SavedNames {
  std::unordered_set<std::string> whole, compressed;

  bool operator==(const SavedNames&) const = default;
};

// The storages of the items with these names.
KeptStorages kept_by(const Analysis& analysis, const RecomputeProblem& problem, const SavedNames& saved);

std::size_t count_open(const Fixings& fixings);

// Calls `visit` with each choice that keeps what is fixed as kept and no more than that and what is open, until it returns
// false. Returns whether it never did.
bool for_each_choice(const Fixings& fixings, const std::function<bool(const KeptStorages&)>& visit);

}  // namespace fxcut
