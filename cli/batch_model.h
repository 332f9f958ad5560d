// fxcut batch --model: the graphs of one model share one limit on saved bytes.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "batch/work_list.h"

namespace fxcut {

struct ModelBudget {
  std::optional<std::int64_t> limit_bytes;           // nullopt if there is nothing to split
  std::vector<std::optional<std::int64_t>> shares;   // by item; nullopt for graphs without a share
  int stopped_by = 0;                                // the signal that stopped the tracing, or 0
};

// Splits the saved_bytes_limit of `settings`, the batch's own, over the items, and sets each item's share as its limit. Traces
// the graphs' frontiers, `jobs` at a time. Throws Failure: (Usage) if an item has a limit of its own, or the peak is limited;
// (NoPartition) if not even the minima of all graphs fit.
ModelBudget split_model_budget(std::vector<WorkItem>& items, const Settings& settings, std::size_t jobs, std::ostream& err);

}  // namespace fxcut
