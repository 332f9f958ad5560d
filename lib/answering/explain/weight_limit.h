// How far a value's weight may move before the cut decides otherwise about it.
//
// With the capacity of one edge as c and all others as they are, the value of the minimum cut is
//
//     min(without, with + c)
//
// where `without` is the cheapest cut that leaves the edge whole and `with` the rest of the cheapest that goes through
// it. So the edge is cut below c = without - with and left whole above. An infinite c gives `without`, and where the
// edge is not cut now, c = 0 gives `with`; at the border itself both are minimum cuts, and the side that breaks ties
// tells. All of it is found by solving the cut again, in whole numbers.
#pragma once

#include <cstddef>
#include <optional>

#include "explain/explanation.h"
#include "solve/flow_network.h"

namespace fxcut {

struct FoundLimit {
  WeightLimit limit;
  // The cheapest cut that decides otherwise about the edge; none where no cut does, or none would at any weight.
  std::optional<MinCut> other;
};

// Whether the cut goes through the edge.
bool goes_through(const MinCut& cut, const FlowEdge& edge);

// Of the finite edge at position `edge`. `cut` is the network's own, by solve_min_cut with that `side`.
FoundLimit find_weight_limit(FlowNetwork network, const MinCut& cut, std::size_t edge, CutSide side);

}  // namespace fxcut
