#include "report/crossing_rows.h"

#include <array>

namespace fxcut {

std::string_view name_of(CrossingKind kind) {
  constexpr std::array<std::string_view, 4> words = {"value", "opaque", "symbol", "random_state"};
  return words[static_cast<std::size_t>(kind)];
}

std::vector<CrossingRow> crossing_rows(const Report& report) {
  std::vector<CrossingRow> rows;
  const auto add = [&](CrossingKind kind, const std::vector<SavedValue>& values) {
    for (const SavedValue& value : values) rows.push_back({kind, value});
  };
  add(CrossingKind::Value, report.saved_values);
  add(CrossingKind::Opaque, report.saved_opaques);
  add(CrossingKind::Symbol, report.saved_symbols);
  for (const SavedState& state : report.saved_random_states) {
    CrossingRow& row = rows.emplace_back();
    row.kind = CrossingKind::RandomState;
    row.value.name = state.name;
    row.value.size_bytes = state.size_bytes;
    row.value.forward_output = state.forward_output;
    row.value.backward_input = state.backward_input;
    row.value.why = {"random_state", "the state of a random generator, for the backward to draw the same numbers"};
  }
  return rows;
}

}  // namespace fxcut
