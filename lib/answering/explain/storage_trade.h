// The frontier solver's trade-off for one value: that of the storage it is in.
#pragma once

#include <optional>

#include "explain/explanation.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// The memory of the storage against the recomputation without it, with the solver's decision on all other storages. Empty if
// the value has no storage of its own, or the backward cannot need it.
std::optional<StorageTrade> find_storage_trade(const Decision& decision, const Settings& settings, NodeId value);

}  // namespace fxcut
