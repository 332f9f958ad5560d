// The rows of a report's lists from JSON. Each adds its mistakes to the list.
#pragma once

#include "json/fields.h"
#include "report/report.h"

namespace fxcut {

GraphFingerprint read_fingerprint(const JsonValue& json, Mistakes& mistakes);
SavedValue read_saved_value(const JsonValue& row, Mistakes& mistakes);
SavedState read_saved_state(const JsonValue& row, Mistakes& mistakes);
RecomputedValue read_recomputed_value(const JsonValue& row, Mistakes& mistakes);
OffloadRefused read_offload_refusal(const JsonValue& row, Mistakes& mistakes);
RepairedValue read_repair(const JsonValue& row, Mistakes& mistakes);
NameUse read_name_use(const JsonValue& row, Mistakes& mistakes);
MemoryReport read_memory(const JsonValue& memory, Mistakes& mistakes);

}  // namespace fxcut
