// The least recomputation within a limit of the peak where values may be recomputed again and again.
//
// Takes the cheapest of many choices of kept storages, each with the recomputation that brings it within the limit
// (recompute_again.h): the best choice without recomputing again, the best within higher limits, which keep more, and choices
// that keep few or many values spread over the forward (spread_choices.h). Then one storage more or less is kept as long as
// that helps (host/change_states.h). So the result is never worse than without recomputing again.
//
// Near an earlier decision, made for the graph with other tags, there are two starts: what that decision kept, and the same with
// the operands of the values that may no longer be kept. The better one is changed in the same way, within less work and without
// a bound.
//
// The bound is for the end of the forward: all kept values are in memory then, and all others are recomputed at least once.
#pragma once

#include <optional>
#include <vector>

#include "peak/search_within_peak.h"
#include "solve/saved_values.h"

namespace fxcut {

struct AgainAnswer {
  PeakAnswer peak;                     // its costs and peaks with what is recomputed again, but for `lowest`
  std::vector<RecomputedAgain> again;  // of the choice
  Int128 lowest_bytes = 0;             // the lowest peak that was found
};

// As search_within_peak.
std::optional<AgainAnswer> search_again_within_peak(const Analysis& analysis, const RecomputeProblem& problem,
                                                    const StorageBytes& storages, const MemoryLimit& limit,
                                                    const SearchLimits& limits, const std::vector<KeptStorages>& candidates);

// The same near `kept`; nothing if no choice within the limit is found there.
std::optional<AgainAnswer> search_again_near(const Analysis& analysis, const RecomputeProblem& problem,
                                             const StorageBytes& storages, const MemoryLimit& limit, const SearchLimits& limits,
                                             const KeptStorages& kept);

}  // namespace fxcut
