#include "policy/budget.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

struct Regions {
  std::map<double, std::string> budgets;  // each with the first node that has it
  std::vector<std::string> unannotated;   // calls of the forward or of a subgraph outside of all regions
};

// `where` names the subgraph of the node, if any.
void collect(const Node& node, bool counts, const std::string& where, Regions& regions) {
  if (node.meta.region_budget) {
    regions.budgets.emplace(*node.meta.region_budget, fmt::format("'{}'{}", node.name, where));
  } else if (counts && node.is_call()) {
    regions.unannotated.push_back(fmt::format("'{}'{}", node.name, where));
  }
}

void collect(const Subgraphs& subgraphs, Regions& regions) {
  for (const auto& [name, subgraph] : subgraphs) {
    for (const Node& node : subgraph.graph.nodes) collect(node, true, fmt::format(" in {}", name), regions);
    collect(subgraph.subgraphs, regions);
  }
}

Regions regions_of(const JointGraph& joint, const Roles& roles) {
  Regions regions;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    collect(joint.graph.nodes[i], roles.required_forward[i], "", regions);
  }
  collect(joint.subgraphs, regions);
  return regions;
}

// The budget that all regions share. Throws if they differ or leave a node out.
double region_budget(const Regions& regions, bool must_cover, bool may_leave_out) {
  if (regions.budgets.size() > 1) {
    std::vector<std::string> each;
    for (const auto& [budget, node] : regions.budgets) each.push_back(fmt::format("{} (node {})", budget, node));
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("the graph's regions have different memory budgets: {}", fmt::join(each, ", ")),
                  "a graph is partitioned under one budget: give all regions the same, or break the graph between them");
  }
  if (must_cover && !regions.unannotated.empty()) {
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("a region's memory budget must cover the whole forward, subgraphs included, but {} {} none: {}",
                    regions.unannotated.size(), regions.unannotated.size() == 1 ? "operator has" : "operators have",
                    list_names(regions.unannotated)),
        may_leave_out ? "wrap the whole forward in one region, or set activation_memory_budget_require_full_coverage "
                        "to false: the budget then holds for the whole graph"
                      : "wrap the whole forward in one region, or break the graph where the budget changes");
  }
  return regions.budgets.begin()->first;
}

void check(double budget, std::string_view source) {
  if (budget >= 0 && budget <= 1) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("{} has a memory budget of {}: expected a number from 0 to 1", source, budget),
                "1 is the decision that is cheapest to run, 0 saves only the forward's inputs");
}

}  // namespace

double resolve_budget(const JointGraph& joint, const Roles& roles, const Settings& settings) {
  double budget = settings.activation_memory_budget;
  std::string source = "the setting activation_memory_budget";
  for (const Node& node : joint.graph.nodes) {
    if (!node.meta.memory_budget) continue;
    budget = *node.meta.memory_budget;
    source = fmt::format("node '{}' (meta.memory_budget)", node.name);
    break;
  }
  Regions regions;
  if (joint.torch.release.has(Change::RegionsHaveBudgets)) regions = regions_of(joint, roles);
  if (!regions.budgets.empty()) {
    const bool may_leave_out = joint.torch.release.has(Change::RegionsMayLeaveOut);
    const bool must_cover = settings.activation_memory_budget_require_full_coverage || !may_leave_out;
    budget = region_budget(regions, must_cover, may_leave_out);
    source = fmt::format("the region of node {}", regions.budgets.begin()->second);
  }
  check(budget, source);
  return budget;
}

}  // namespace fxcut
