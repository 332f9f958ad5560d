// The limit of saved bytes that a memory budget means.
#pragma once

#include <cstdint>

#include "cost/analysis.h"
#include "cost/storage.h"

namespace fxcut {

// A budget is a share of the bytes that PyTorch's min cut saves, not counting the inputs: the limit is the bytes of the
// inputs and that share of the rest, storages counted once, without static lifetime inputs. `storages`: of the graph as
// read. Throws as choose_saved_values does.
std::int64_t limit_of_budget(const Analysis& analysis, const StorageBytes& storages, double budget);

}  // namespace fxcut
