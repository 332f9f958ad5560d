#include "show/decision.h"

#include "json/fields.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// Calls `visit` on each row of the report's list, and with the row's name.
template <typename Visit>
void for_each_row(const JsonValue& report, std::string_view list, Mistakes& mistakes, const Visit& visit) {
  const auto rows = member(report, list);
  if (!rows || !rows->is(Type::Array)) {
    mistakes.add(report, "", "a report has a list '" + std::string(list) + "'", "");
    return;
  }
  for (const JsonValue row : *rows) {
    const auto name = member(row, "name");
    if (!name || !name->is(Type::String)) {
      mistakes.add(row, "", "each of '" + std::string(list) + "' has a 'name', a string", "");
    } else {
      visit(row, std::string(name->text()));
    }
  }
}

}  // namespace

DecisionNames decision_names(const Report& report) {
  DecisionNames names;
  for (const auto* list : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& value : *list) {
      names.saved.insert(value.name);
      if (!value.host_name.empty()) names.offloaded.insert(value.name);
    }
  }
  for (const RecomputedValue& value : report.recomputed_values) names.recomputed.insert(value.name);
  return names;
}

DecisionNames read_decision_names(const Document& report) {
  Mistakes mistakes;
  DecisionNames names;
  const JsonValue root = report.root();
  const auto format = member(root, "format");
  if (!format || !format->is(Type::String) || format->text() != "fxcut-report") {
    mistakes.add(root, "no report: expected \"format\": \"fxcut-report\"", "write one with 'fxcut partition --json'");
    mistakes.raise();
  }
  for (const std::string_view list : {"saved_values", "saved_opaques", "saved_symbols"}) {
    for_each_row(root, list, mistakes, [&](const JsonValue& row, const std::string& name) {
      names.saved.insert(name);
      const auto offloaded = member(row, "offloaded");
      if (offloaded && offloaded->is(Type::Bool) && offloaded->boolean()) names.offloaded.insert(name);
    });
  }
  for_each_row(root, "recomputed_values", mistakes,
               [&](const JsonValue&, const std::string& name) { names.recomputed.insert(name); });
  mistakes.raise();
  return names;
}

}  // namespace fxcut
