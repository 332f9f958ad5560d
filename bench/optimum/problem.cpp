// Prints the decision of a graph as numbers (frontier/recompute_problem.h), for a solver that is not ours.
//
// usage: fxcut_problem GRAPH.json > problem.json
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "frontier/recompute_problem.h"
#include "json/document.h"
#include "partition/partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

nlohmann::json problem_json(const RecomputeProblem& problem) {
  nlohmann::json items = nlohmann::json::array(), storages = nlohmann::json::array();
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    const auto inputs = problem.inputs_of(i);
    items.push_back({{"storage", item.savable ? static_cast<std::int64_t>(item.storage) : -1},
                     {"demanded", item.demanded},
                     {"never", item.never != Ban::None},
                     {"in_forward", item.in_forward},
                     {"run_cost", static_cast<double>(item.run_cost)},
                     {"inputs", std::vector<ItemIndex>(inputs.begin(), inputs.end())}});
  }
  for (const KeepableStorage& storage : problem.storages) storages.push_back(storage.bytes);
  return {{"items", std::move(items)}, {"storages", std::move(storages)}};
}

std::string problem_of(const std::string& path) {
  const auto document = Document::parse(read_file(path), path);
  const Settings settings;
  const Decision decision = decide(read_joint_graph(*document), settings, {}, kNeverHalt);
  const std::vector<std::int64_t> distance = distance_from_backward(decision.joint.graph, decision.users, decision.roles);
  const Analysis analysis{decision.joint, decision.users, decision.roles, distance, settings};
  return problem_json(costed_problem(analysis, decision.storages, estimator_of_frontier(settings))).dump();
}

}  // namespace
}  // namespace fxcut

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: fxcut_problem GRAPH.json\n");
    return 2;
  }
  try {
    fmt::print("{}\n", fxcut::problem_of(argv[1]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "fxcut_problem: {}\n", error.what());
    return 1;
  }
}
