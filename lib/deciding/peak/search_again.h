// The least recomputation within a limit of the peak where values may be recomputed again and again.
//
// The cheapest of many choices of kept storages, each with what is recomputed again to bring it within the limit
// (recompute_again.h). The choices: the best without recomputing again, the best within higher limits, which keep more, and those
// that keep values spread over the forward (spread_choices.h), few and many. Then, as long as that helps, one storage more or
// less is kept (host/change_states.h). So it is never worse than without.
//
// Near a decision that was found before, for the graph with other tags: of what that one kept, and that with the operands of
// what it may no longer keep, the better one is changed in the same way, within less work and without a bound.
//
// The bound is of what is kept when the forward ends: all of it is in memory then, and what is not kept is recomputed at least
// once.
#pragma once

#include <optional>
#include <vector>

#include "peak/search_within_peak.h"
#include "solve/saved_values.h"

namespace fxcut {

struct AgainAnswer {
  PeakAnswer peak;                     // its costs and peaks with what is recomputed again, but for `lowest`
  std::vector<RecomputedAgain> again;  // of the choice
  Wide lowest_bytes = 0;               // the lowest peak that was found
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
