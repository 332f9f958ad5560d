// The least recomputation within a limit of the peak.
//
// 1. Initial choices, whatever the limit: everything, the least, PyTorch's, and for many limits choices that keep storages
//    spread over the forward (spread_choices.h). The one with the lowest peak is improved further. If everything, the least or
//    one of PyTorch's is within the limit and recomputes nothing, the search is over.
// 2. Prices of bytes at each position of the backward, and with them a bound (priced_positions.h). The same for the part of the
//    backward after its tightest positions (rest_of_backward.h): a higher bound where memory is short early in the backward, as
//    in a loss.
// 3. From several of these choices: keep less until the limit is met, then more while it is, then exchange storages
//    (improve_choice.h). Where few are open or little is recomputed, branch and bound (prove_choice.h); with few storages also
//    changes of two at once (host/change_states.h).
// If the limit is not met, or the lowest peak is asked for, steps 2 and 3 are repeated within the lowest peak found, and again
// below it until nothing lower is found. Then random changes follow (lower_by_chance.h), unless a bound of the peak
// (least_peak.h) proves that there is no lower one.
//
// For a problem of few storages all choices are tried instead, which proves the optimum.
//
// Work is counted in steps (frontier/work_budget.h), so that equal input gives equal bytes under any load.
#pragma once

#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/work_budget.h"
#include "peak/peak_trials.h"
#include "settings/memory_limit.h"

namespace fxcut {

struct PeakAnswer {
  std::optional<PeakChoice> choice;  // nothing if none within the limit was found
  Int128 limit_bytes = 0;            // with the limit "least", the lowest peak found
  PeakChoice lowest;                 // of all choices tried
  Int128 floor_bytes = 0;            // no choice has a lower peak
  Int128 bound = 0;                  // no choice within the limit costs less
  bool is_proven = false;            // the bound is attained
  std::size_t tried = 0;             // choices that were simulated
  std::int64_t steps = 0;            // of work, as work_budget.h counts it
  EndedBy ended_by = EndedBy::Proof;
};

inline constexpr std::size_t kFewStorages = 13;  // 8,192 choices, a tenth of a second

// `candidates`: more initial choices. `few_storages`: if no more are open, all choices are tried. Nothing if no choice is
// feasible.
std::optional<PeakAnswer> search_within_peak(const Analysis& analysis, const RecomputeProblem& problem,
                                             const StorageBytes& storages, const MemoryLimit& limit,
                                             const SearchLimits& limits, const std::vector<KeptStorages>& candidates,
                                             std::size_t few_storages = kFewStorages);

}  // namespace fxcut
