// The least recomputation within a limit of the peak that compiled code has, as far as that is predicted.
//
// A choice that is best within a limit of the operators' peak need not be near the best for the code: kernels that fuse leave out
// much of what operators have in memory, and more at one place than at another. So a search within such limits only gives
// choices to begin with (partition/compiled_peak_search.h). Each is improved one storage at a time, as there (improve_choice.h),
// but each try is carried out and its code's memory predicted, so that there are hundreds of tries, not hundreds of thousands.
// With few storages all choices are tried. Where kernels are priced (frontier/kernel_costs.h), the best is the one whose
// predicted step takes the least time, and PyTorch's own choices are among those that are compared. At last the search begins
// from choices of the least recomputation for a number of saved bytes, whose peaks are not far above the limit, and so it does
// within the lowest peak. How good the best is, compiled_bound.h says.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "finish/finish.h"
#include "frontier/effort.h"
#include "peak/given_choices.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

struct CompiledPeakRequest {
  MemoryLimit limit;  // of the code's peak; `least`: the lowest that is found
  std::vector<SavedNames> begin;     // each choice to begin with
  bool only_compares = false;  // these choices and PyTorch's, and looks for no others
  std::vector<SavedNames> at_lowest;  // of `least`: the same for cheaper choices of the lowest peak
};

// The cheapest within the limit among the choices to begin with and those that are tried. Throws Failure (NoPartition) if there
// is none.
SavedValues save_within_compiled_peak(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const CompiledPeakRequest& request, const SearchLimits& limits);

}  // namespace fxcut
