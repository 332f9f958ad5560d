// The limit of memory that a budget stands for.
#pragma once

#include <cstdint>

#include "cost/analysis.h"
#include "cost/storage.h"

namespace fxcut {

// A budget is a share of what PyTorch's min cut saves beyond the inputs: the limit is the bytes of the inputs and that
// share of the rest, storages counted once and those of static lifetime inputs left out. `storages`: of the graph as it
// was read. Throws as choose_saved_values does.
std::int64_t limit_of_budget(const Analysis& analysis, const StorageBytes& storages, double budget);

}  // namespace fxcut
