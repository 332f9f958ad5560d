#include "report/describe_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "finish/random_pairs.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxListed = 5;  // in one warning; the report has all

std::string listed(const auto& rows, const auto& text_of) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxListed); ++i) {
    text += (i == 0 ? "" : "; ") + text_of(rows[i]);
  }
  if (rows.size() > kMaxListed) text += fmt::format("; and {} more", rows.size() - kMaxListed);
  return text;
}

std::string show_repair(const RepairedValue& row) {
  switch (row.kind) {
    case RepairKind::Value: return fmt::format("'{}' ({})", row.name, show_bytes(row.size_bytes));
    case RepairKind::RandomState: return fmt::format("the state of the generator under '{}'", row.name);
    case RepairKind::LateCopy: return fmt::format("'{}', after the last write to its memory", row.name);
    case RepairKind::OnDevice: return fmt::format("'{}', which stays on its device", row.name);
    case RepairKind::Effect: return fmt::format("'{}'", row.name);
  }
  throw InternalError("a repair of no kind");
}

bool is_of_copy(const RepairedValue& row) { return row.kind == RepairKind::LateCopy || row.kind == RepairKind::OnDevice; }

void warn_of_repairs(Report& report) {
  std::vector<RepairedValue> saved, copied, effects;
  for (const RepairedValue& row : report.repairs) {
    (row.kind == RepairKind::Effect ? effects : is_of_copy(row) ? copied : saved).push_back(row);
  }
  if (!saved.empty()) {
    report.warnings.push_back("saved in addition, so that it computes the same values as the joint graph: " +
                              listed(saved, show_repair));
  }
  if (!copied.empty()) {
    report.warnings.push_back(
        "not copied to the host where PyTorch copies it, so that it computes the same values as the joint graph: " +
        listed(copied, show_repair));
  }
  if (!effects.empty()) {
    report.warnings.push_back(
        "kept in the backward, where PyTorch loses them, so that it computes the same values as the joint graph: " +
        listed(effects, show_repair));
  }
}

}  // namespace

std::string_view name_of(RepairKind kind) {
  switch (kind) {
    case RepairKind::Value: return "value";
    case RepairKind::RandomState: return "random_state";
    case RepairKind::LateCopy: return "late_copy";
    case RepairKind::OnDevice: return "on_device";
    case RepairKind::Effect: return "effect";
  }
  throw InternalError("a repair without a name");
}

UnsoundValue unsound_value(const Graph& joint, const Unsound& one) {
  const auto name = [&](const std::optional<NodeId>& id) { return id ? joint[*id].name : std::string(); };
  return {joint[one.node].name, one.fault, name(one.operand), name(one.write), describe(joint, one)};
}

void describe_soundness(Report& report, const JointGraph& joint, const SavedValues& choice,
                        const std::vector<Unsound>& unsound) {
  const auto bytes = [&](NodeId id) { return find_size(joint.graph[id], report.settings).value_or(0); };
  for (const NodeId id : choice.repaired) report.repairs.push_back({joint.graph[id].name, RepairKind::Value, bytes(id)});
  for (const NodeId id : choice.states) report.repairs.push_back({joint.graph[id].name, RepairKind::RandomState, 0});
  for (const NodeId id : choice.effects) report.repairs.push_back({joint.graph[id].name, RepairKind::Effect, 0});
  for (const auto& [id, copy] : choice.copies) {
    const RepairKind kind = copy == HostCopy::Never ? RepairKind::OnDevice : RepairKind::LateCopy;
    report.repairs.push_back({joint.graph[id].name, kind, bytes(id)});
  }
  for (const Unsound& one : unsound) report.unsound.push_back(unsound_value(joint.graph, one));
  warn_of_repairs(report);
  if (unsound.empty()) return;
  const bool is_repaired = report.settings.sound == Soundness::Always;
  report.warnings.push_back(
      fmt::format("the partition does not compute the same values as the joint graph: {}\n  {}",
                  listed(report.unsound, [](const UnsoundValue& row) { return row.text; }),
                  is_repaired ? "no further saved value can repair it" : "--sound repairs it as far as saving more values can"));
}

}  // namespace fxcut
