// The 0/1 knapsack of memory budgets: which of the costly values to save within a limit, so that the rest takes the
// least time to recompute. Each solver has a file knapsack_NAME.cpp, whose head tells its algorithm, and a row in
// budget_solvers.cpp; all of them are PyTorch's (torch/_functorch/_activation_checkpointing/knapsack.py), and choose just
// what PyTorch's choose but for `ilp`, which may take another of several choices that are equally good.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace fxcut {

struct Knapsack {
  std::vector<double> memory;   // by item: what saving it takes, as a share of one whole
  std::vector<double> runtime;  // by item: what recomputing it takes, 0 or more
  double limit = 0;             // on the memory of all that is saved: a share of the same whole
};

// By item, whether it is saved. Throws KnapsackFailure where PyTorch's solver fails as well.
using KnapsackFunction = std::vector<bool>(const Knapsack&);

struct KnapsackFailure : std::exception {
  KnapsackFailure(std::string reason, std::vector<std::size_t> on) : why(std::move(reason)), items(std::move(on)) {}
  const char* what() const noexcept override { return why.c_str(); }

  std::string why;                 // "it divides by ..."
  std::vector<std::size_t> items;  // that it fails on
};

}  // namespace fxcut
