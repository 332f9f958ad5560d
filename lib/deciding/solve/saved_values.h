// The decision: which values of the forward are saved, by which solver, and the facts that it used.
#pragma once

#include <map>
#include <set>
#include <variant>
#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/saving.h"
#include "graph/int128.h"
#include "solve/frontier_facts.h"

namespace fxcut {

// Why a node is in the backward.
enum class BackwardReason {
  None,
  ComputedInBackward,   // only the backward can compute it
  NeededInBackward,     // an output of the backward
  MustBeRecomputed,     // by its checkpoint policy
};

std::string_view phrase_for(BackwardReason tie);

// One solved minimum cut.
struct SolvedCut {
  BanOptions options;
  Int128 value = 0;
  std::size_t vertices = 0;
  std::size_t edges = 0;
};

// A candidate of a memory budget's knapsack.
struct KnapsackItem {
  NodeId node;
  double memory_share = 0;  // of the amount that the first cut saves above the inputs
  double runtime = 0;       // of recomputing it, in the unit of the settings' estimator
  bool is_saved = false;
};

// The problems that PyTorch's min cut partitioner solved, in order.
struct Solved {
  std::vector<SolvedCut> cuts;
  std::vector<KnapsackItem> knapsack;  // empty if the cuts alone met the budget
};

// For each node, input and result of a solver.
struct NodeFacts {
  std::vector<Ban> bans;
  std::vector<SavingCost> costs;
  std::vector<BackwardReason> backward_reasons;
  std::vector<bool> in_backward;  // whether the backward has the value: saved, recomputed, or its own
};

// The deciders, each with its own facts.
struct ByDefaultPartitioner {};  // PyTorch's
struct ByMinCut {                // PyTorch's, with or without a memory budget
  Solved solved;
  NodeFacts nodes;               // of the last cut
};
struct ByZeroBudget {};          // the inputs are saved, in their order
struct ByLackOfCandidates {      // the same, because the budget's knapsack has no candidates
  Solved solved;
  NodeFacts nodes;               // of the last cut
};
struct ByFrontier {
  NodeFacts nodes;
  FrontierFacts facts;
};
struct ByOther {                 // a replayed report, or another rank
  Partitioner partitioner;
  Solved solved;                 // before the other's decision was applied
};
using DecidedBy = std::variant<ByDefaultPartitioner, ByMinCut, ByZeroBudget, ByLackOfCandidates, ByFrontier, ByOther>;

// A value that the backward has recomputed before and recomputes again, just before that node runs. From there on its users take
// the new value.
struct RecomputedAgain {
  NodeId value;
  NodeId before;
};

// The form of fewer bits in which a saved value crosses.
struct CompressedAs {
  Compression how = Compression::None;
  const Dtype* dtype = nullptr;
};

struct SavedValues {
  DecidedBy by;
  std::vector<NodeId> saved = {};  // in execution order, unless `by` has another
  double budget = 1;  // of memory
  std::set<NodeId> repaired = {};  // saved in addition, since recomputing in the backward would give another value
  std::map<NodeId, CompressedAs> compressed = {};  // of `saved`
  std::set<NodeId> to_host = {};  // of `saved`, those that the solver has copied to the host
  std::vector<RecomputedAgain> again = {};  // in the order in which they run
  std::map<NodeId, HostCopy> copies = {};  // of values that are to be offloaded, where PyTorch's time would give another value
  std::set<NodeId> effects = {};  // of the backward, that PyTorch's reordering would lose
  std::set<NodeId> states = {};  // random calls whose generator's state is saved in addition, for the same reason

  // The facts of `Decider`, or null if another decided.
  template <typename Decider>
  const Decider* decided_by() const {
    return std::get_if<Decider>(&by);
  }
};

Partitioner partitioner_of(const SavedValues& choice);

// Whether all inputs are saved without a cut: the budget permits nothing else.
bool saves_inputs(const SavedValues& choice);

// The solved problems; empty if there was neither cut nor knapsack.
Solved solved_by(const SavedValues& choice);

// Input and result of the solver; null if none decided.
const NodeFacts* node_facts(const SavedValues& choice);

// Indexed by node.
std::vector<BackwardReason> find_backward_reasons(const Analysis& analysis);

// A minimum cut, and the values that it saves.
struct CutAnswer {
  SolvedCut cut;
  NodeFacts nodes;
  std::vector<NodeId> banned;  // in the order in which they were banned
  std::vector<NodeId> saved;   // in execution order
};

// The minimum cut under these bans, which `allowed` (by node; may be empty) lifts for some nodes. Throws like
// choose_saved_values.
CutAnswer solve_cut(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed = {});

// PyTorch's choose_saved_values_set. A budget of 1 is the minimum cut, 0 all inputs of the forward; between them, and
// at 0 if an input cannot be saved, the result of save_within_budget. Throws Failure (NoPartition) if the backward
// needs a value that can neither be saved nor recomputed, with the nodes on the path, the reason for each, and what to
// change; and if the settings' solver or run time estimator fails on the graph.
SavedValues choose_saved_values(const Analysis& analysis, double budget);

}  // namespace fxcut
