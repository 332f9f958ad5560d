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
#pragma once

#include <cstddef>
#include <optional>

#include "explain/explanation.h"
#include "solve/flow_network.h"

namespace fxcut {

struct FoundLimit {
  WeightLimit limit;
  // The cheapest cut with the other decision on the edge; empty if there is none, or none at any weight.
  std::optional<MinCut> other;
};

// Whether the cut goes through the edge.
bool goes_through(const MinCut& cut, const FlowEdge& edge);

// For the finite edge at position `edge`. `cut` is solve_min_cut(network, side).
FoundLimit find_weight_limit(FlowNetwork network, const MinCut& cut, std::size_t edge, CutSide side);

}  // namespace fxcut
