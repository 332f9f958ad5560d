// The values that cross from the forward to the backward, as uniform rows for tables, CSV and the page.
#pragma once

#include <string_view>
#include <vector>

#include "report/report.h"

namespace fxcut {

enum class CrossingKind { Value, Opaque, Symbol, RandomState };

// Its name in CSV and JSON: "value", "opaque", "symbol", "random_state".
std::string_view name_of(CrossingKind kind);

struct CrossingRow {
  CrossingKind kind = CrossingKind::Value;
  SavedValue value;  // for a generator state only name, bytes and positions
};

// Values, opaques, symbols, generator states, each in the report's order. The bytes and kept bytes of the values add up to
// the report's saved_bytes and saved_bytes_not_static; those of the other rows are not part of these.
std::vector<CrossingRow> crossing_rows(const Report& report);

}  // namespace fxcut
