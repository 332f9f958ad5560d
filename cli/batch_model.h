// fxcut batch --model: the graphs are one model's, and the limit on what is saved is one for all of them.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "batch/work_list.h"

namespace fxcut {

struct ModelBudget {
  std::optional<std::int64_t> limit_bytes;           // nothing where there is nothing to split
  std::vector<std::optional<std::int64_t>> shares;   // by item; nothing for graphs that have no part in it
  int stopped_by = 0;                                // the signal that stopped the tracing of the graphs, or 0
};

// Splits the saved_bytes_limit of `settings`, the batch's own, over the items, and gives each item its share as its
// limit. Traces the graphs' frontiers, `jobs` at a time. Throws Failure: (Usage) where an item has a limit of its own, or
// the peak is limited; (NoPartition) where not even the least of all graphs fits.
ModelBudget split_model_budget(std::vector<WorkItem>& items, const Settings& settings, std::size_t jobs,
                               std::ostream& err);

}  // namespace fxcut
