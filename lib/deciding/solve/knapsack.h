// The 0/1 knapsack of memory budgets: which of the costly values to save within a limit, so that recomputing the rest
// costs least. Each solver has a file knapsack_NAME.cpp, whose head explains its algorithm, and a row in
// budget_solvers.cpp; all are PyTorch's (torch/_functorch/_activation_checkpointing/knapsack.py) and choose exactly as
// PyTorch's do, except that `ilp` may choose another of several optima.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace fxcut {

struct Knapsack {
  std::vector<double> memory;   // by item: of saving it, as a share of one whole
  std::vector<double> runtime;  // by item: of recomputing it, 0 or more
  double limit = 0;             // on the memory of all saved items: a share of the same whole
  bool by_linspace = false;     // limits below that one are steps of numpy.linspace, which rounds otherwise
};

// For each item, whether it is saved. Throws KnapsackFailure if PyTorch's solver fails, too.
using KnapsackFunction = std::vector<bool>(const Knapsack&);

struct KnapsackFailure : std::exception {
  KnapsackFailure(std::string reason, std::vector<std::size_t> on) : why(std::move(reason)), items(std::move(on)) {}
  const char* what() const noexcept override { return why.c_str(); }

  std::string why;                 // "it divides by ..."
  std::vector<std::size_t> items;  // the items that it fails on
};

}  // namespace fxcut
