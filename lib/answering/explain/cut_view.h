// The last minimum cut that was solved, from the view of single values.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "explain/explanation.h"
#include "partition/partition.h"
#include "solve/flow_network.h"

namespace fxcut {

// The range of weights within which the cut's decision on a value stays the same.
//
// With c as the capacity of one edge and all other capacities fixed, the value of the minimum cut is
//
//     min(without, with + c)
//
// with `without` for the cheapest cut that does not cut the edge, and `with` for the rest of the cheapest cut that does.
// So the edge is cut if c < without - with, and not cut if c is larger. An infinite c gives `without`; if the edge is not
// cut now, c = 0 gives `with`. At c = without - with both are minimum cuts, and the side that breaks ties decides. All
// of these are found by solving the cut again, in integers.

struct FoundLimit {
  WeightLimit limit;
  // The cheapest cut with the other decision on the edge; empty if there is none, or none at any weight.
  std::optional<MinCut> other;
};

// Whether the cut goes through the edge.
bool goes_through(const MinCut& cut, const FlowEdge& edge);

// For the finite edge at position `edge`. `cut` is solve_min_cut(network, side).
FoundLimit find_weight_limit(FlowNetwork network, const MinCut& cut, std::size_t edge, CutSide side);

struct WeighedFacts {
  Weight weight;
  WeightLimit limit;
  std::optional<AlternativeCut> alternative_cut;
};

class CutView {
 public:
  // Solves the minimum cut of the decision again.
  CutView(const Decision& decision, const Settings& settings);

  // Empty for values that the cut cannot pass through.
  std::optional<WeighedFacts> of(NodeId value) const;

 private:
  std::vector<WeighedValue> cut_by_first_only(const MinCut& first, const MinCut& second) const;

  const Decision& decision_;
  CutSide side_;
  FlowNetwork network_;
  MinCut cut_;
  std::vector<std::size_t> edge_of_;  // by node, its position in the network, or kNoEdge
};

}  // namespace fxcut
