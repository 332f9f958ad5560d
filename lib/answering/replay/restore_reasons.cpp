#include "replay/replay.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "diagnostic/diagnostic.h"
#include "report/describe_parts.h"

namespace fxcut {
namespace {

template <typename Row>
void copy_reasons(std::vector<Row>& rows, const std::vector<Row>& recorded) {
  std::unordered_map<std::string_view, const Why*> reasons;
  for (const Row& row : recorded) reasons.emplace(row.name, &row.why);
  for (Row& row : rows) {
    if (const auto found = reasons.find(row.name); found != reasons.end()) row.why = *found->second;
  }
}

// Warns of rows that are not saved, and throws for rows that are not offloaded.
void compare_saved(Report& report, const std::vector<SavedValue>& rows, const std::vector<SavedValue>& recorded) {
  std::unordered_map<std::string_view, const SavedValue*> saved;
  for (const SavedValue& row : rows) saved.emplace(row.name, &row);
  for (const SavedValue& row : recorded) {
    const auto found = saved.find(row.name);
    if (found == saved.end()) {
      report.warnings.push_back(fmt::format("'{}' is saved by the decision, but the backward needs it no more: it is "
                                            "not saved", row.name));
    } else if (!row.host_name.empty() && found->second->host_name.empty()) {
      std::string why = "its copy does not cross";
      for (const OffloadRefused& refused : report.offload_refusals) {
        if (refused.name == row.name) why = refused.why.text;
      }
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("the decision has '{}' on the host, but it stays on its device: {}", row.name, why),
                    "let the decision say \"offloaded\": false");
    }
  }
}

}  // namespace

void restore_reasons(Report& report, const Report& decision) {
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    compare_saved(report, report.*rows, decision.*rows);
  }
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    copy_reasons(report.*rows, decision.*rows);
  }
  copy_reasons(report.recomputed_values, decision.recomputed_values);
  if (report.totals == decision.totals) {
    report.cuts = decision.cuts;
    report.knapsack = decision.knapsack;
    report.frontier = decision.frontier;
    report.peak_limit = decision.peak_limit;
    describe_search(report);
    return;
  }
  report.warnings.push_back(
      "the decision was edited: its totals are not those that it records, and the cuts that it was solved by say "
      "nothing of it");
}

}  // namespace fxcut
