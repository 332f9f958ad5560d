// Why a node's value is saved, recomputed, or neither, as plain data. explanation_text and explanation_json print it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/int128.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// The fate of a node of the graph as it was read.
enum class NodeOutcome {
  Saved,         // the forward returns its value for the backward
  Recomputed,    // both sides compute it
  OnBothSides,   // a constant, which both sides have
  ForwardOnly,
  BackwardOnly,
  OnNeitherSide, // no node of either side needs it
  Merged,        // a repeat of another node, which replaces it
  Dead,          // no node ever needed it
  Inlined,       // the call of a checkpointed region, or its result, replaced by the body
  Result,        // the output, of which each side returns a part
};

// Its name in JSON ("forward_only"), and a phrase for after the node's name.
std::string_view name_of(NodeOutcome outcome);
std::string_view phrase_for(NodeOutcome outcome);

// A path from a node that must be in the forward to one that must be in the backward.
struct NodePath {
  std::vector<DescribedNode> nodes;  // each is used by the next
  std::string from, to;              // the reasons for the first and the last node; may be empty
};

// The cost of saving a value in a cut: PyTorch's weight.
struct Weight {
  Int128 cost = 0;
  std::int64_t size_bytes = 0;
  int distance = 0;      // the bytes are multiplied by 1.1 to this power; 0 if they are not
  bool doubled = false;  // because fusion would keep the value out of memory
};

struct WeighedValue {
  std::string name;
  Int128 cost = 0;
};

// The cheapest cut with another decision on a value, whatever the value's own weight: the values that it saves and the
// original cut does not, and the reverse.
struct AlternativeCut {
  std::vector<WeighedValue> saves, no_longer_saved;
};

// The largest weight at which the cut saves a value, all else unchanged.
struct WeightLimit {
  enum class Kind { Never, UpTo, Always };
  Kind kind = Kind::Never;
  Int128 saved_up_to = 0;  // of UpTo
};

// The data of a value that the solver of a memory budget used.
struct KnapsackPart {
  bool is_saved = false;
  std::int64_t size_bytes = 0;
  double memory_share = 0;  // of the memory that the first cut saves, not counting the inputs
  double runtime = 0;
};

// The frontier solver's trade-off for one storage: its memory against the recomputation without it, all other storages fixed.
struct StorageTrade {
  bool is_saved = false;
  std::int64_t size_bytes = 0;
  bool is_possible = true;         // whether the opposite decision is; else it would recompute a value that must not be
  std::int64_t bytes_change = 0;   // of saved memory, with the opposite decision
  Int128 flops_change = 0;         // of recomputation
  Int128 cost_change = 0;          // of the same, in the unit of the solver's estimator
  double price_per_byte = 0;       // of memory, at the limit, in that unit
  const Estimator* estimator = nullptr;
};

// The same for a value that is saved in fewer bits, against saving it as it is. Costs are in the solver's unit.
struct FormTrade {
  Int128 cost = 0;                // of making the form and restoring the value
  std::int64_t bytes_change = 0;  // of saved memory, if it is saved as it is
  Int128 cost_change = 0;
  const Estimator* estimator = nullptr;
};

// The form in fewer bits in which the value is saved.
struct ExplainedForm {
  CompressedForm crosses_as;
  std::string why;
  std::optional<FormTrade> trade;  // if the frontier solver chose it
};

// A value that one of two decisions saves or recomputes, and the other does not.
struct ChangedValue {
  std::string name;
  std::int64_t size_bytes = 0;
  std::string place;  // the module, else the source line
};

// The changes if a recompute tag forces the other decision, found by deciding a second time.
struct Alternative {
  CheckpointPolicy tag = CheckpointPolicy::MustSave;
  std::string refused;     // why there is no such partition; the members below then have no meaning
  std::string adds_fault;  // a value that would differ from the joint graph's, and does not in the original decision; or empty
  std::int64_t saved_bytes_change = 0;
  std::int64_t saved_bytes_not_static_change = 0;
  Int128 recomputed_flops_change = 0;
  double recomputed_ms_change = 0;  // by the report's run_time, as are those of the step
  double step_ms_change = 0;
  double step_ms = 0;               // of the original decision
  Int128 peak_bytes_change = 0;
  std::vector<ChangedValue> saves, no_longer_saved, recomputes, no_longer_recomputed;

  bool changes_nothing() const {
    return saves.empty() && no_longer_saved.empty() && recomputes.empty() && no_longer_recomputed.empty();
  }
};

struct NodeExplanation {
  DescribedNode node;
  NodeOutcome outcome = NodeOutcome::Dead;
  std::string same_as;             // the node that a merged node was merged into
  bool offloaded = false;
  std::optional<ExplainedForm> form;
  Why why;
  std::optional<NodePath> path;    // that leads to the decision
  std::optional<Weight> weight;    // if a cut weighed the value
  std::optional<WeightLimit> limit;
  std::optional<AlternativeCut> alternative_cut;
  std::optional<KnapsackPart> knapsack;
  std::optional<StorageTrade> trade;
  std::vector<Alternative> alternatives;
  std::vector<std::string> notes;  // which parts do not apply, and why
};

// Values, alike in repeated layers, that free memory if all of them are recomputed instead.
struct Candidate {
  DescribedNode node;
  NodeOutcome outcome = NodeOutcome::Saved;
  Alternative alternative;
  std::vector<std::string> alike;  // the other values, of repeated layers
  std::string modules;             // of the value and these: "layers.0-31.mlp"

  std::int64_t freed_bytes() const;
  double freed_per_ms() const;  // infinite if recomputation does not increase
};

// The graph that was decided on, and how.
struct ExplainedGraph {
  std::string name;
  ReleaseChoice torch;
  Partitioner decided_by = Partitioner::MinCut;
  bool by_frontier = false;
  double memory_budget = 1;
  std::string runtime_estimator;  // of the knapsack
};

}  // namespace fxcut
