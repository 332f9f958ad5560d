// The solvers for a memory budget between 0 and 1, a row each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "release/release.h"
#include "settings/settings.h"
#include "solve/knapsack.h"

namespace fxcut {

struct Settings;

struct BudgetSolver {
  std::string_view name;       // the value of the setting activation_memory_budget_solver
  KnapsackFunction* knapsack;  // null for the frontier solver, which decides on storages (folder frontier)

  std::optional<Change> since = {};  // the change that added it to PyTorch

  bool is_frontier() const { return knapsack == nullptr; }
};

// All solvers, the default one first.
const std::vector<BudgetSolver>& budget_solvers();

// The solver of the settings.
const BudgetSolver& budget_solver_of(const Settings& settings);

// fxcut's own.
RowOf<BudgetSolver> frontier_solver();

}  // namespace fxcut
