#include "partition/pytorch_points.h"

#include <string_view>
#include <unordered_map>

#include "diagnostic/attempt.h"
#include "graph/nodes_by_name.h"
#include "normalise/inline_checkpoints.h"
#include "partition/partition.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// The cost of all recomputation, in the estimator's shown unit.
double cost_of(const JointGraph& joint, const Report& report, const Settings& settings, const Estimator& estimator) {
  const NodesByName by_name = nodes_by_name(joint.graph);
  std::vector<NodeId> recomputed;
  for (const RecomputedValue& row : report.recomputed_values) recomputed.push_back(by_name.at(row.name));
  Int128 cost = 0;
  for (const Int128 part : cost_of_nodes(estimator, joint.graph, recomputed, settings, joint.torch.release)) cost += part;
  return static_cast<double>(cost) / estimator.per_shown_unit;
}

}  // namespace

std::vector<SettingChanges> usual_changes() {
  std::vector<SettingChanges> all = {{}, {{"aggressive_recomputation", true}}};
  SettingChanges no_bans;
  for (const std::string_view ban :
       {"used_far_apart", "long_fusible_chains", "materialized_backward", "not_in_allowlist", "reductions"}) {
    no_bans.emplace_back(std::string("ban_recompute_").append(ban), false);
  }
  all.push_back(no_bans);
  constexpr int kTenths = 10;
  for (int tenths = kTenths - 1; tenths >= 0; --tenths) {
    all.push_back({{"activation_memory_budget", static_cast<double>(tenths) / kTenths}});
  }
  return all;
}

std::vector<PyTorchPoint> pytorch_points(const JointGraph& given, const Settings& settings,
                                         const PolicyStack& policies, const Estimator& estimator,
                                         const std::vector<SettingChanges>& all_changes, ParetoBy by) {
  const JointGraph joint = inline_checkpoints(given);  // the reports have the names of its nodes
  Settings by_pytorch = settings;
  by_pytorch.saved_bytes_limit.reset();
  by_pytorch.peak_bytes_limit.reset();
  if (budget_solver_of(settings).is_frontier()) by_pytorch.activation_memory_budget_solver = {};
  std::vector<PyTorchPoint> points;
  for (const SettingChanges& changes : all_changes) {
    Settings changed = by_pytorch;
    for (const auto& [name, value] : changes) set_setting(changed, name, value, "");
    auto point = attempt([&] {
      const Report report = partition(joint, changed, policies).report;
      PyTorchPoint made{changes, report.totals.saved_bytes_not_static, report.totals.recomputed_flops,
                        cost_of(joint, report, settings, estimator), report.memory.peak_bytes};
      if (by == ParetoBy::Peak) made.step = {report.memory.counted_peak_bytes(), report.run_time->step_ms};
      return made;
    });
    if (point) points.push_back(*std::move(point));
  }
  return points;
}

}  // namespace fxcut
