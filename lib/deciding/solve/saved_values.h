// Which values of the forward are saved: the decision itself, with its reasons.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/saving.h"
#include "graph/wide.h"
#include "solve/frontier_facts.h"

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

// A costly value that a memory budget's knapsack keeps or not.
struct KnapsackItem {
  NodeId node;
  double memory_share = 0;  // of what the first cut saves beyond the inputs
  double runtime = 0;       // of recomputing it, in the settings' estimator's unit
  bool is_saved = false;
};

// What a memory budget's knapsack was solved over.
struct SolvedKnapsack {
  std::size_t candidates = 0;  // costly values that might be recomputed
  std::size_t saved = 0;       // of these, those that it keeps
  std::vector<KnapsackItem> items = {};  // the candidates
};

struct SavedValues {
  Partitioner partitioner = Partitioner::MinCut;  // the one that decided
  double budget = 1;
  std::vector<NodeId> saved;         // in execution order; where saves_inputs is set, in the order of the inputs
  bool saves_inputs = false;  // all inputs are saved, whatever the last cut says: the budget allows for nothing else
  std::vector<SolvedCut> cuts;       // in the order in which they were solved
  std::optional<SolvedKnapsack> knapsack;  // where the budget needed one
  // By node, what the last cut was decided by; empty where none was solved.
  std::vector<Ban> bans;
  std::vector<NodeId> banned;     // in the order in which they were banned
  std::vector<SavingCost> costs;
  std::vector<Tie> ties;
  std::vector<bool> in_backward;  // whether the backward has the value: saved, recomputed, or its own
  std::optional<FrontierFacts> frontier;  // where the frontier solver decided
  std::set<NodeId> mended;  // saved besides, so that the backward does not compute again what would be another value
  std::set<NodeId> states;  // random calls whose generator's state is saved besides, for the same reason
  bool is_replayed = false;  // a report says it, and nothing was solved: its reasons are there
};

// Solves the minimum cut under these bans, which `allowed` (by node; may be empty) lifts for some nodes, and puts its
// decision into `choice`; its value joins `choice.cuts`. Throws as choose_saved_values does.
void solve_cut(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed,
               SavedValues& choice);

// PyTorch's choose_saved_values_set. A budget of 1 is the minimum cut, 0 all inputs of the forward; between them, and
// at 0 where an input cannot be saved, it is what save_within_budget finds. Throws Failure (NoPartition) where a value
// is needed by the backward that can neither be saved nor recomputed: with the nodes on the path, what ties each, and
// what to change; and where the settings' solver or run time estimator does not get along with the graph.
SavedValues choose_saved_values(const Analysis& analysis, double budget);

}  // namespace fxcut
