#include "solve/knapsack.h"

#include <algorithm>

#include "diagnostic/diagnostic.h"

namespace fxcut {

const std::vector<KnapsackSolverRow>& knapsack_solvers() {
  static const std::vector<KnapsackSolverRow> solvers = {
      {"dp", knapsack_dp},
      {"greedy", knapsack_greedy},
      {"ilp", knapsack_ilp},
      {"dp_knapsack_sliding_hirschberg", knapsack_hirschberg},
      {"dynamic_memory_budget_dp", knapsack_knee},
  };
  return solvers;
}

KnapsackSolver find_knapsack_solver(std::string_view name) {
  const auto& solvers = knapsack_solvers();
  const auto found =
      std::find_if(solvers.begin(), solvers.end(), [&](const KnapsackSolverRow& row) { return row.name == name; });
  if (found == solvers.end()) throw InternalError("there is no knapsack solver '" + std::string(name) + "'");
  return found->solve;
}

}  // namespace fxcut
