#include "show/decision_names.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

#include "json/object_members.h"
#include "report/read_report.h"
#include "report/report_members.h"

namespace fxcut {
namespace {

void add_saved(const SavedValue& value, DecisionNames& names) {
  names.saved.insert(value.name);
  if (value.held_bytes() > 0) names.held_bytes.emplace(value.name, value.held_bytes());
  if (!value.host_name.empty()) names.offloaded.insert(value.name);
  if (!value.compressed) return;
  names.compressed.insert({value.name, value.compressed->name});
  names.held_bytes.emplace(value.compressed->name, value.compressed->size_bytes);
  if (value.compressed->scale.empty()) return;
  names.compressed.insert(value.compressed->scale);
  names.held_bytes.emplace(value.compressed->scale, value.compressed->scale_bytes);
}

}  // namespace

DecisionNames decision_names(const Report& report) {
  DecisionNames names;
  for (const auto* list : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& value : *list) add_saved(value, names);
  }
  for (const RecomputedValue& value : report.recomputed_values) names.recomputed.insert(value.name);
  return names;
}

DecisionNames read_decision_names(const Document& report) {
  constexpr auto members = [](auto& form, auto& row) {
    form.value("name", row.name);
    bool is_offloaded = false;
    form.since_later("offloaded", is_offloaded);
    if (is_offloaded) row.host_name = row.name;
    form.since_later("kept_bytes", row.kept_bytes);
    form.object_if_any("compressed", row.compressed, members::kCompressedForm);
  };
  constexpr auto only_name = [](auto& form, auto& name) { form.value("name", name); };
  Mistakes mistakes;
  DecisionNames names;
  if (expect_report(report.root(), mistakes)) {
    const ObjectReader root(report.root(), mistakes);
    std::vector<SavedValue> saved;
    std::vector<std::string> recomputed;
    for (const std::string_view list : {"saved_values", "saved_opaques", "saved_symbols"}) root.list(list, saved, members);
    root.list("recomputed_values", recomputed, only_name);
    for (const SavedValue& value : saved) add_saved(value, names);
    names.recomputed.insert(recomputed.begin(), recomputed.end());
  }
  mistakes.raise();
  return names;
}

}  // namespace fxcut
