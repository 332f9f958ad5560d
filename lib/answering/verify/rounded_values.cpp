#include "verify/rounded_values.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace fxcut {
namespace {

// By value and dtype in which it crosses by the report: the name there, which may be that of an equal call.
using ReportedForms = std::map<std::pair<Term, std::string>, std::string>;

ReportedForms compressed_in(const ReportJson& report, const EvaluationContext& context) {
  ReportedForms reported;
  for (const ReportJson& row : rows_of(report, "saved_values")) {
    const std::string name = text_in(row, "name", "");
    const auto value = context.joint_values.find(name);
    if (!row.contains("compressed") || value == context.joint_values.end()) continue;
    reported.emplace(std::pair(before_writes(context.terms, value->second.term), text_in(row["compressed"], "dtype", "")), name);
  }
  return reported;
}

}  // namespace

std::vector<RoundedValue> rounded_values(const EvaluationContext& context, const ReportJson* report,
                                         std::vector<Mismatch>& mismatches) {
  const ReportedForms reported = report ? compressed_in(*report, context) : ReportedForms();
  std::set<std::pair<Term, std::string>> seen;
  std::vector<RoundedValue> values;
  for (const RoundedForm& form : context.rounded) {
    const std::pair key(before_writes(context.terms, form.value), form.dtype);
    if (!seen.insert(key).second) continue;
    const auto row = reported.find(key);
    values.push_back({row != reported.end() ? row->second : context.joint_node(form.value)->name, form.dtype});
    if (!report || row != reported.end()) continue;
    mismatches.push_back({"backward: " + values.back().name, "the value as it is, by the report",
                          fmt::format("the value after it was rounded to {}", form.dtype)});
  }
  return values;
}

}  // namespace fxcut
