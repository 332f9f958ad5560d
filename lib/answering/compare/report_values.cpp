#include "compare/report_values.h"

#include <fmt/format.h>

namespace fxcut {
namespace {

ComparedValue compared(const SavedValue& row) {
  ComparedValue value;
  value.name = row.name;
  value.op = row.op;
  value.extent = row.dtype.empty() ? "" : extent_of(row.dtype, row.shape);
  value.size_bytes = row.size_bytes;
  value.provenance = row.provenance;
  value.static_lifetime = row.static_lifetime;
  value.state = row.host_name.empty() ? ValueState::Saved : ValueState::Offloaded;
  return value;
}

}  // namespace

std::vector<ComparedValue> saved_values_of(const Report& report) {
  std::vector<ComparedValue> values;
  for (const auto* rows : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& row : *rows) values.push_back(compared(row));
  }
  return values;
}

std::vector<ComparedValue> recomputed_values_of(const Report& report) {
  std::vector<ComparedValue> values;
  for (const RecomputedValue& row : report.recomputed_values) {
    ComparedValue& value = values.emplace_back();
    value.name = row.name;
    value.op = row.op;
    value.size_bytes = row.size_bytes;
    value.flops = row.flops;
    value.provenance = row.provenance;
    value.state = ValueState::Recomputed;
  }
  return values;
}

std::vector<ComparedValue> values_at_peak(const Report& report) {
  std::vector<ComparedValue> values;
  for (const MemoryHeld& held : report.memory.at_peak) {
    ComparedValue& value = values.emplace_back();
    value.name = fmt::format("{} ({})", held.made_at.node, held.made_at.graph);
    value.op = held.made_at.op;
    value.size_bytes = held.size_bytes;
    value.provenance = held.made_at.provenance;
  }
  return values;
}

}  // namespace fxcut
