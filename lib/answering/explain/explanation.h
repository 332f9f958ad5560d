// Why a node's value is saved, recomputed, or neither, as plain data. How it is shown is for explanation_text and
// explanation_json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/wide.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// What became of a node of the graph as it was read.
enum class NodeOutcome {
  Saved,         // the forward returns its value for the backward
  Recomputed,    // both sides compute it
  OnBothSides,   // a constant, which either side has
  ForwardOnly,
  BackwardOnly,
  OnNeitherSide, // nothing that either side computes needs it
  Merged,        // a repeat of another node, which stands for it
  Dead,          // nothing ever needed it
  Inlined,       // the call of a checkpointed region, or what it returned: its body stands for it
  Result,        // the output, of which each side returns a part
};

// A word for it ("forward_only"), and a phrase that goes on after the node's name ("only the forward computes it").
std::string_view name_of(NodeOutcome outcome);
std::string_view phrase_for(NodeOutcome outcome);

// Nodes from one that something ties to the forward to one that something ties to the backward.
struct NodePath {
  std::vector<DescribedNode> nodes;  // each taken by the next
  std::string from, to;          // what ties the first and the last; may be empty
};

// What saving costs in a cut: PyTorch's weight of the value.
struct Weight {
  Wide cost = 0;
  std::int64_t size_bytes = 0;
  int distance = 0;      // the bytes count 1.1 to the power of it; 0 where they do not
  bool doubled = false;  // because fusion would keep the value out of memory
};

struct WeighedValue {
  std::string name;
  Wide cost = 0;
};

// The cheapest cut that decides otherwise about a value, whatever the value's own weight: what it saves that the cut
// taken does not, and the reverse.
struct AlternativeCut {
  std::vector<WeighedValue> saves, saves_no_more;
};

// Up to which weight the cut saves a value, all else unchanged.
struct WeightLimit {
  enum class Kind { Never, UpTo, Always };
  Kind kind = Kind::Never;
  Wide saved_up_to = 0;  // of UpTo
};

// What the solver of a memory budget had to go by.
struct KnapsackPart {
  bool is_kept = false;
  std::int64_t size_bytes = 0;
  double memory_share = 0;  // of what the first cut saves beyond the inputs
  double runtime = 0;
};

// What the frontier solver weighs: a storage against what is run again without it, all other storages as they are.
struct StorageTrade {
  bool is_kept = false;
  std::int64_t size_bytes = 0;
  bool is_possible = true;         // that the reverse is; else something would run again that must not
  std::int64_t bytes_change = 0;   // of saved memory, if it were
  Wide cost_change = 0;            // in FLOPs that run again
  double price_per_byte = 0;       // of memory, at the limit
};

// A value that one of two decisions saves or recomputes and the other does not.
struct ChangedValue {
  std::string name;
  std::int64_t size_bytes = 0;
  std::string place;  // the module, else the source line
};

// What changes where a recompute tag forces the other decision, as the whole decision made again says.
struct Alternative {
  CheckpointPolicy tag = CheckpointPolicy::MustSave;
  std::string refused;  // why there is no such partition; what follows then means nothing
  std::int64_t saved_bytes_change = 0;
  std::int64_t saved_bytes_not_static_change = 0;
  Wide recomputed_flops_change = 0;
  Wide peak_bytes_change = 0;
  std::vector<ChangedValue> saves, saves_no_more, recomputes, recomputes_no_more;

  bool changes_nothing() const {
    return saves.empty() && saves_no_more.empty() && recomputes.empty() && recomputes_no_more.empty();
  }
};

struct NodeExplanation {
  DescribedNode node;
  NodeOutcome outcome = NodeOutcome::Dead;
  std::string same_as;             // of a merged node: the one that stands for it
  bool offloaded = false;
  Why why;
  std::optional<NodePath> path;          // that leads to the decision
  std::optional<Weight> weight;    // where a cut weighed the value
  std::optional<WeightLimit> limit;
  std::optional<AlternativeCut> other_cut;
  std::optional<KnapsackPart> knapsack;
  std::optional<StorageTrade> trade;
  std::vector<Alternative> alternatives;
  std::vector<std::string> notes;  // what does not apply, and why
};

// A value that frees memory if it is forced to be recomputed.
struct Candidate {
  DescribedNode node;
  NodeOutcome outcome = NodeOutcome::Saved;
  Alternative alternative;
  std::vector<std::string> alike;  // values of which the same can be expected: those of layers that repeat
  std::string modules;             // that all of these come from: "layers.0-31.mlp"

  std::int64_t freed_bytes() const;
  double freed_per_flop() const;  // infinite where nothing more runs again
};

// What all of it is about.
struct ExplainedGraph {
  std::string name;
  ReleaseChoice torch;
  Partitioner decided_by = Partitioner::MinCut;
  bool by_frontier = false;
  double memory_budget = 1;
  std::string runtime_estimator;  // of the knapsack
};

}  // namespace fxcut
