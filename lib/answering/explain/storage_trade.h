// What the frontier solver weighs about one value: the storage that it lies in.
#pragma once

#include <optional>

#include "explain/explanation.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// The memory of the storage against what runs again without it, all other storages as the frontier solver has them.
// Nothing where the value takes no memory of its own, or the backward can have no need of it.
std::optional<StorageTrade> find_storage_trade(const Decision& decision, const Settings& settings, NodeId value);

}  // namespace fxcut
