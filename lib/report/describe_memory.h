// The memory profile as the report shows it.
#pragma once

#include "memory/memory_profile.h"
#include "report/report.h"

namespace fxcut {

// Where each saved and each other value of `report` stands in the two graphs: what crosses.
std::vector<CarriedValue> carried_values(const Report& report);

MemoryReport describe_memory(const MemoryProfile& profile, const GraphPair& graphs);

}  // namespace fxcut
