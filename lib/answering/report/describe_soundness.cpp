#include "report/describe_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cost/size.h"
#include "finish/random_pairs.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostListed = 5;  // in one warning; the report has all

std::string listed(const auto& rows, const auto& text_of) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostListed); ++i) {
    text += (i == 0 ? "" : "; ") + text_of(rows[i]);
  }
  if (rows.size() > kMostListed) text += fmt::format("; and {} more", rows.size() - kMostListed);
  return text;
}

UnsoundValue row_of(const Graph& joint, const Unsound& one) {
  const auto name = [&](const std::optional<NodeId>& id) { return id ? joint[*id].name : std::string(); };
  return {joint[one.node].name, one.fault, name(one.operand), name(one.write), describe(joint, one)};
}

std::string show_repair(const RepairedValue& row) {
  return row.is_state ? fmt::format("the state of the generator under '{}'", row.name)
                      : fmt::format("'{}' ({})", row.name, show_bytes(row.size_bytes));
}

}  // namespace

void describe_soundness(Report& report, const JointGraph& joint, const SavedValues& choice,
                        const std::vector<Unsound>& unsound) {
  for (const NodeId id : choice.repaired) {
    report.repairs.push_back({joint.graph[id].name, false, find_size(joint.graph[id], report.settings).value_or(0)});
  }
  for (const NodeId id : choice.states) report.repairs.push_back({joint.graph[id].name, true, 0});
  for (const Unsound& one : unsound) report.unsound.push_back(row_of(joint.graph, one));
  if (!report.repairs.empty()) {
    report.warnings.push_back("saved in addition, so that it computes the same values as the joint graph: " +
                              listed(report.repairs, show_repair));
  }
  if (unsound.empty()) return;
  const bool is_repaired = report.settings.sound == Soundness::Always;
  report.warnings.push_back(
      fmt::format("the partition does not compute the same values as the joint graph: {}\n  {}",
                  listed(report.unsound, [](const UnsoundValue& row) { return row.text; }),
                  is_repaired ? "no further saved value can repair it" : "--sound repairs it as far as saving more values can"));
}

}  // namespace fxcut
