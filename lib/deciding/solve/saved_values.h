// Which values of the forward are saved: the decision itself, with who made it and what it was made by.
#pragma once

#include <set>
#include <variant>
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

// What PyTorch's min cut partitioner solved, one after another.
struct Solved {
  std::vector<SolvedCut> cuts;
  std::vector<KnapsackItem> knapsack;  // empty where the cuts alone met the budget
};

// By node, what a solver decides by and what it decides.
struct NodeFacts {
  std::vector<Ban> bans;
  std::vector<SavingCost> costs;
  std::vector<Tie> ties;
  std::vector<bool> in_backward;  // whether the backward has the value: saved, recomputed, or its own
};

// Who decides, each with what only it knows.
struct ByDefaultPartitioner {};  // PyTorch's
struct ByMinCut {                // PyTorch's, under a memory budget or none
  Solved solved;
  NodeFacts nodes;               // of the last cut
};
struct ByZeroBudget {};          // the inputs are saved, in their order
struct ByLackOfCandidates {      // as well, since the budget's knapsack has nothing to choose among
  Solved solved;
  NodeFacts nodes;               // of the last cut
};
struct ByFrontier {
  NodeFacts nodes;
  FrontierFacts facts;
};
struct ByOther {                 // a report that is replayed, or another rank
  Partitioner partitioner;
  Solved solved;                 // before the other was asked
};
using DecidedBy = std::variant<ByDefaultPartitioner, ByMinCut, ByZeroBudget, ByLackOfCandidates, ByFrontier, ByOther>;

struct SavedValues {
  DecidedBy by;
  std::vector<NodeId> saved = {};  // in execution order, where `by` does not say another
  double budget = 1;  // of memory, that it was decided under
  std::set<NodeId> mended = {};  // saved besides, so that the backward does not compute again what would be another value
  std::set<NodeId> states = {};  // random calls whose generator's state is saved besides, for the same reason

  // What `Decider` knows, or null where another decided.
  template <typename Decider>
  const Decider* decided_by() const {
    return std::get_if<Decider>(&by);
  }
};

Partitioner partitioner_of(const SavedValues& choice);

// Whether all inputs are saved, whatever a cut says: the budget allows for nothing else.
bool saves_inputs(const SavedValues& choice);

// What was solved; nothing where neither cut nor knapsack was.
Solved solved_by(const SavedValues& choice);

// What a solver went by; null where none decided.
const NodeFacts* node_facts(const SavedValues& choice);

// By node.
std::vector<Tie> find_ties(const Analysis& analysis);

// A minimum cut, and what it saves.
struct CutAnswer {
  SolvedCut cut;
  NodeFacts nodes;
  std::vector<NodeId> banned;  // in the order in which they were banned
  std::vector<NodeId> saved;   // in execution order
};

// The minimum cut under these bans, which `allowed` (by node; may be empty) lifts for some nodes. Throws as
// choose_saved_values does.
CutAnswer solve_cut(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed = {});

// PyTorch's choose_saved_values_set. A budget of 1 is the minimum cut, 0 all inputs of the forward; between them, and
// at 0 where an input cannot be saved, it is what save_within_budget finds. Throws Failure (NoPartition) where a value
// is needed by the backward that can neither be saved nor recomputed: with the nodes on the path, what ties each, and
// what to change; and where the settings' solver or run time estimator does not get along with the graph.
SavedValues choose_saved_values(const Analysis& analysis, double budget);

}  // namespace fxcut
