// The least recomputation within a limit of the peak that compiled code has, as far as that is predicted.
//
// A choice that is best within a limit of the operators' peak need not be near the best for the code: fused kernels leave out
// much of what operators have in memory, more in some parts of the step than in others. So a search within such limits only
// provides starting points (partition/compiled_peak_search.h). Each is improved one storage at a time, as in that search
// (improve_choice.h), but every try is carried out and the memory of its code predicted, so there are hundreds of tries, not
// hundreds of thousands. With few storages all choices are tried. Where kernels are priced (frontier/kernel_costs.h), the best
// choice is the one with the shortest predicted step, and PyTorch's own choices are compared as well. Finally the search starts
// from choices that recompute least for a number of saved bytes and whose peaks are not far above the limit. compiled_bound.h
// says how good the best is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "finish/finish.h"
#include "frontier/work_budget.h"
#include "peak/given_choices.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

struct CompiledPeakRequest {
  MemoryLimit limit;               // of the code's peak; `least`: the lowest that is found
  std::vector<SavedNames> starts;  // the starting points
  bool only_compares = false;      // the starting points and PyTorch's choices, without a search for others
  // For `least`: a peak that a choice is known to have. The search is then as within this limit, and takes the lowest that it
  // meets.
  std::optional<std::int64_t> known_peak = std::nullopt;
};

// The cheapest choice within the limit among the starting points and those that are tried. Throws Failure (NoPartition) if there
// is none.
SavedValues save_within_compiled_peak(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const CompiledPeakRequest& request, const SearchLimits& limits);

}  // namespace fxcut
