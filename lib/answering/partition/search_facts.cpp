#include "partition/search_facts.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "cost/estimators.h"
#include "frontier/kernel_costs.h"
#include "offload/step_waiting.h"
#include "solve/budget_solvers.h"

namespace fxcut {

Int128 run_cost_of(const Partition& partition) {
  const Report& report = partition.report;
  if (report.frontier) return report.frontier->run_cost;
  if (!partition.decision) return 0;
  std::unordered_set<std::string_view> recomputed;
  for (const RecomputedValue& row : report.recomputed_values) recomputed.insert(row.name);
  const JointGraph& joint = partition.decision->joint;
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    if (recomputed.contains(joint.graph.nodes[i].name)) nodes.push_back(node_id(i));
  }
  const Estimator& estimator = estimator_of_frontier(report.settings);
  Int128 cost = 0;
  for (const Int128 part : cost_of_nodes(estimator, joint.graph, nodes, report.settings, joint.torch.release)) cost += part;
  return cost;
}

bool is_compared_by_time(const Partition& partition) { return partition.decision && prices_kernels(partition.report.settings); }

Int128 uncounted_waiting(const Partition& partition) {
  const Report& report = partition.report;
  const bool is_counted = report.frontier && report.frontier->host;
  if (is_counted || report.totals.offloaded_bytes == 0 || !partition.decision) return 0;
  const JointGraph& joint = partition.decision->joint;
  return picoseconds(waiting_for_copies_ms(partition.graphs, joint.graph, report.settings, joint.torch.release));
}

Int128 compared_cost(const Partition& partition) {
  const Int128 uncounted = uncounted_waiting(partition);
  if (!is_compared_by_time(partition)) return run_cost_of(partition) + uncounted;
  const std::optional<FrontierFacts>& facts = partition.report.frontier;
  const Int128 waiting = facts && facts->host ? facts->host->waiting : uncounted;
  return picoseconds(partition.report.run_time->step_ms) + waiting;
}

SavedNames saved_names(const Report& report) {
  SavedNames names;
  for (const SavedValue& value : report.saved_values) (value.compressed ? names.compressed : names.whole).insert(value.name);
  return names;
}

void forget_proof_of_other_peak(Report& report) {
  const bool is_another = report.memory.compiled->peak_bytes != report.peak_limit->limit_bytes;
  if (is_another && report.frontier && report.frontier->is_proven) forget_bound(report);
}

void forget_bound(Report& report) {
  if (report.peak_limit) {
    report.peak_limit->bound.reset();
    report.peak_limit->floor_bytes.reset();
  }
  if (!report.frontier || report.frontier->run_cost == 0) return;
  report.frontier->set_bound(0);
}

void weaken_bound(Report& report, const Report& other) {
  if (report.peak_limit && other.peak_limit) {
    const auto& [mine, others] = std::tie(report.peak_limit->floor_bytes, other.peak_limit->floor_bytes);
    report.peak_limit->floor_bytes = mine && others ? std::optional(std::min(*mine, *others)) : std::nullopt;
  }
  if (!report.frontier || !other.frontier) return;
  report.frontier->set_bound(std::min(report.frontier->bound, other.frontier->bound));
  if (report.peak_limit) report.peak_limit->bound = report.frontier->bound;
}

void take_bound(Report& report, const Report& wider) {
  if (report.peak_limit && wider.peak_limit) report.peak_limit->floor_bytes = wider.peak_limit->floor_bytes;
  if (!report.frontier) return;
  report.frontier->set_bound(wider.frontier ? std::min(report.frontier->run_cost, wider.frontier->bound) : 0);
  if (report.peak_limit) report.peak_limit->bound = report.frontier->bound;
}

}  // namespace fxcut
