// The memory profile as the report shows it.
#pragma once

#include "memory/memory_profile.h"
#include "report/report.h"

namespace fxcut {

MemoryReport describe_memory(const MemoryProfile& profile, const GraphPair& graphs);

}  // namespace fxcut
