#include "show/decision.h"

#include <nlohmann/json.hpp>

#include "json/object_members.h"
#include "report/read_report.h"

namespace fxcut {

DecisionNames decision_names(const Report& report) {
  DecisionNames names;
  for (const auto* list : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& value : *list) {
      names.saved.insert(value.name);
      if (value.kept_bytes > 0) names.held_bytes.emplace(value.name, value.kept_bytes);
      if (!value.host_name.empty()) names.offloaded.insert(value.name);
    }
  }
  for (const RecomputedValue& value : report.recomputed_values) names.recomputed.insert(value.name);
  return names;
}

DecisionNames read_decision_names(const Document& report) {
  struct Row {
    std::string name;
    bool is_offloaded = false;
    std::int64_t held_bytes = 0;
  };
  constexpr auto members = [](auto& form, auto& row) {
    form.value("name", row.name);
    form.since_later("offloaded", row.is_offloaded);
    form.since_later("kept_bytes", row.held_bytes);
  };
  Mistakes mistakes;
  DecisionNames names;
  if (expect_report(report.root(), mistakes)) {
    const ObjectReader root(report.root(), mistakes);
    std::vector<Row> saved, recomputed;
    for (const std::string_view list : {"saved_values", "saved_opaques", "saved_symbols"}) root.list(list, saved, members);
    root.list("recomputed_values", recomputed, members);
    for (const Row& row : saved) {
      names.saved.insert(row.name);
      if (row.held_bytes > 0) names.held_bytes.emplace(row.name, row.held_bytes);
      if (row.is_offloaded) names.offloaded.insert(row.name);
    }
    for (const Row& row : recomputed) names.recomputed.insert(row.name);
  }
  mistakes.raise();
  return names;
}

}  // namespace fxcut
