#include "explain/advice.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "classify/gathered_parameters.h"
#include "cost/estimators.h"
#include "explain/freed_memory.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// A GB less, at the price of the last byte at the limit.
std::optional<Advice> lower_limit(const Report& report, const std::string& command) {
  constexpr double kGigabyte = 1e9;
  const FrontierFacts& facts = *report.frontier;
  const double cost = facts.price_per_byte * kGigabyte;
  if (cost <= 0) return std::nullopt;
  const Estimator& estimator = estimator_of_frontier(report.settings);
  return Advice{fmt::format("each GB less than {} held costs about {} more to recompute", show_bytes(facts.limit_bytes),
                            show_cost(cost / estimator.per_shown_unit, estimator.shown_unit)),
                command};
}

std::optional<Advice> recompute_best(const Partition& partition, const std::string& command) {
  const Decision& decision = *partition.decision;
  const NodeOutcomes outcomes(decision, *partition.sides);
  const std::vector<FreedMemory> estimates = estimate_freed_memory(decision, outcomes, partition.report.settings);
  if (estimates.empty() || estimates.front().freed_bytes <= 0) return std::nullopt;
  const FreedMemory& best = estimates.front();
  const std::string others = best.alike.empty() ? "" : fmt::format(" x{}", 1 + best.alike.size());
  return Advice{fmt::format("{} less for about {} more: recompute {}{}{}", show_bytes(best.total_bytes()),
                            show_scaled(best.total_flops(), "FLOP"), decision.joint.graph[best.value].name, others,
                            best.modules.empty() ? "" : fmt::format(" ({})", best.modules)),
                command};
}

// What the forward keeps of parameters that are gathered from shards.
std::optional<Advice> gather_again(const Partition& partition, const std::string& command) {
  const Graph& joint = partition.decision->joint.graph;
  const std::vector<bool> is_gathered = find_gathered_parameters(joint);
  std::unordered_set<std::string_view> gathered;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    if (is_gathered[i]) gathered.insert(joint.nodes[i].name);
  }
  std::int64_t bytes = 0;
  for (const SavedValue& saved : partition.report.saved_values) {
    if (gathered.contains(saved.name)) bytes += saved.kept_bytes;
  }
  if (bytes == 0) return std::nullopt;
  return Advice{fmt::format("{} less without parameters that were gathered from shards: gather them again in the backward",
                            show_bytes(bytes)),
                command};
}

}  // namespace

std::vector<Advice> advise(const Partition& partition, const std::string& graph, const std::string& options) {
  const Report& report = partition.report;
  std::vector<Advice> advice;
  if (report.totals.saved_bytes_not_static == 0 || !partition.decision) return advice;
  const std::string_view limit = report.peak_limit ? "peak" : "saved";
  const std::optional<Advice> first =
      report.frontier ? lower_limit(report, fmt::format("fxcut partition {} --{}-bytes SIZE", graph, limit))
                      : recompute_best(partition, fmt::format("fxcut explain {}{} --top 3 --write-policy FILE", graph, options));
  if (first) advice.push_back(*first);
  const auto gathering = gather_again(partition, fmt::format("fxcut partition {}{} --recompute-gathered", graph, options));
  if (gathering) advice.push_back(*gathering);
  advice.push_back({"the least recomputation for each amount of memory, to choose a --saved-bytes", "fxcut pareto " + graph});
  return advice;
}

}  // namespace fxcut
