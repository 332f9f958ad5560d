// The refusal of a limit of the peak.
#pragma once

#include <optional>

#include "diagnostic/diagnostic.h"
#include "graph/int128.h"
#include "report/report.h"
#include "settings/memory_limit.h"
#include "settings/settings.h"

namespace fxcut {

// The failure where the lowest peak that was found is above the limit: the operators' peak, or that predicted of compiled code.
// `floor_bytes`: no decision has a lower one.
Failure above_limit(const MemoryLimit& limit, const Report& lowest, MemoryOf whose,
                    const std::optional<Int128>& floor_bytes = std::nullopt);

}  // namespace fxcut
