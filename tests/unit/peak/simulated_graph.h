// A graph as the searches for a low peak see it.
#pragma once

#include <initializer_list>
#include <string_view>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "peak/step_simulation.h"
#include "unit/analysed_graph.h"

namespace fxcut {

struct SimulatedGraph : AnalysedGraph {
  using AnalysedGraph::AnalysedGraph;

  ItemIndex item(std::string_view name) const { return simulation.item_of(id(name)); }
  StorageIndex storage(std::string_view name) const { return problem.items.at(item(name)).storage; }
  // The storages of these values, and the one that is always kept.
  KeptStorages kept(std::initializer_list<std::string_view> names) const {
    KeptStorages chosen(problem.storages.size(), false);
    chosen[kFreeStorage] = true;
    for (const std::string_view name : names) chosen[storage(name)] = true;
    return chosen;
  }

  StorageBytes storages = storage_bytes(joint.graph);
  RecomputeProblem problem = recompute_problem(analysis, storages, flops_by_node(analysis));
  StepSimulation simulation{analysis, problem, storages};
};

}  // namespace fxcut
