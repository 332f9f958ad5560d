#include "solve/budget_solvers.h"

namespace fxcut {

// Each in knapsack_NAME.cpp, whose head explains its algorithm.
KnapsackFunction knapsack_dp, knapsack_greedy, knapsack_ilp, knapsack_hirschberg, knapsack_knee;

const std::vector<BudgetSolver>& budget_solvers() {
  static const std::vector<BudgetSolver> solvers = {
      {"dp", knapsack_dp},
      {"greedy", knapsack_greedy},
      {"ilp", knapsack_ilp},
      {"dp_knapsack_sliding_hirschberg", knapsack_hirschberg, Change::HirschbergSolver},
      {"dynamic_memory_budget_dp", knapsack_knee, Change::KneeSolver},
      {"frontier", nullptr},
  };
  return solvers;
}

const BudgetSolver& budget_solver_of(const Settings& settings) {
  return settings.activation_memory_budget_solver.in(budget_solvers());
}

RowOf<BudgetSolver> frontier_solver() {
  std::size_t row = 0;
  while (!budget_solvers()[row].is_frontier()) ++row;
  return {row};
}

}  // namespace fxcut
