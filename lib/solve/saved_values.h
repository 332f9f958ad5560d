// Which values of the forward are saved: the decision itself, with its reasons.
#pragma once

#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/saving.h"
#include "frontier/frontier_facts.h"
#include "graph/wide.h"

namespace fxcut {

// What ties a node to the backward.
enum class Tie {
  None,
  ComputedInBackward,   // only the backward can compute it
  NeededInBackward,     // it is an output of the backward
  MustBeRecomputed,     // the user wants it computed again
};

std::string_view phrase_for(Tie tie);

// One minimum cut that was solved, and what it was solved over.
struct SolvedCut {
  BanOptions options;
  Wide value = 0;
  std::size_t vertices = 0;
  std::size_t edges = 0;
};

struct SavedValues {
  Partitioner partitioner = Partitioner::MinCut;  // the one that decided
  double budget = 1;
  std::vector<NodeId> saved;         // in execution order, or at a budget of 0 in the order of the inputs
  std::vector<SolvedCut> cuts;       // in the order in which they were solved
  // By node, what the last cut was decided by; empty where none was solved.
  std::vector<Ban> bans;
  std::vector<NodeId> banned;     // in the order in which they were banned
  std::vector<SavingCost> costs;
  std::vector<Tie> ties;
  std::vector<bool> in_backward;  // whether the backward has the value: saved, recomputed, or its own
  std::optional<FrontierFacts> frontier;  // where the frontier solver decided
};

// Solves the minimum cut under these bans, which `allowed` (by node; may be empty) lifts for some nodes, and puts its decision
// into `choice`; its value joins `choice.cuts`. Throws as choose_saved_values does.
void solve_cut(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed, SavedValues& choice);

// PyTorch's choose_saved_values_set for a budget of 0 (all inputs of the forward; where one of them cannot be saved, what
// save_within_budget finds) or 1 (the minimum cut). Throws Failure (NoPartition) where a value is needed by the backward that
// can neither be saved nor recomputed: with the nodes on the path, what ties each, and what to change.
SavedValues choose_saved_values(const Analysis& analysis, double budget);

}  // namespace fxcut
