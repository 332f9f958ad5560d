// The least recomputing within a limit of the peak.
//
// 1. Choices to begin with, whatever the limit: everything, the least, PyTorch's, and for many limits choices that keep
//    what is spread over the forward (spread_choices.h). The one with the lowest peak is made lower, if it can be.
// 2. Prices of bytes at each position of the backward, and with them a bound (priced_positions.h).
// 3. From several of these choices on: keeping less until the limit holds, then more as long as it does, then a storage
//    for another (improve_choice.h).
// A problem of few storages is solved by trying all choices instead, which proves the best.
//
// What is tried is counted, as frontier/effort.h counts, so that equal input gives equal bytes under any load.
#pragma once

#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "cost/storage.h"
#include "frontier/effort.h"
#include "peak/peak_trials.h"
#include "settings/memory_limit.h"

namespace fxcut {

struct PeakAnswer {
  std::optional<PeakChoice> choice;  // nothing where none within the limit was found
  Wide limit_bytes = 0;              // where the lowest peak was asked for, the one that was found
  PeakChoice lowest;                 // of all that were tried
  Wide floor_bytes = 0;              // no choice has a lower peak
  Wide bound = 0;                    // no choice within the limit costs less
  bool is_proven = false;            // that none does
  std::size_t tried = 0;             // choices that were simulated
  std::int64_t steps = 0;            // of work, as effort.h counts it
  EndedBy ended_by = EndedBy::Proof;
};

inline constexpr std::size_t kFewStorages = 13;  // 8,192 choices, a tenth of a second

// `candidates`: choices to begin with besides. `few_storages`: where no more are open, all choices are tried. Nothing where no choice at all is feasible.
std::optional<PeakAnswer> search_within_peak(const Analysis& analysis, const RecomputeProblem& problem,
                                             const StorageBytes& storages, const MemoryLimit& limit,
                                             const SearchLimits& limits, const std::vector<KeptStorages>& candidates,
                                             std::size_t few_storages = kFewStorages);

}  // namespace fxcut
