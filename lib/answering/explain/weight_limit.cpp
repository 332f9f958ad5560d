#include "explain/weight_limit.h"

#include <utility>

namespace fxcut {

bool goes_through(const MinCut& cut, const FlowEdge& edge) {
  return !cut.on_sink_side[edge.from] && cut.on_sink_side[edge.to];
}

FoundLimit find_weight_limit(FlowNetwork network, const MinCut& cut, std::size_t edge, CutSide side) {
  using enum WeightLimit::Kind;
  FlowEdge& tried = network.edges[edge];
  const auto is_cut_at = [&](Wide capacity) {
    tried.capacity = capacity;
    return goes_through(solve_min_cut(network, side), tried);
  };
  const Wide weight = tried.capacity;
  Wide border = 0;
  FoundLimit found;
  if (goes_through(cut, tried)) {
    tried.infinite = true;
    if (!infinite_path(network).empty()) return {{Always, 0}, std::nullopt};
    found.other = solve_min_cut(network, side);
    tried.infinite = false;
    border = weight + (found.other->value - cut.value);
  } else {
    tried.capacity = 0;
    found.other = solve_min_cut(network, side);
    border = cut.value - found.other->value;
    if (border == 0 && !goes_through(*found.other, tried)) return {};
  }
  // It is cut below the border and not above; at the border the tie decides.
  found.limit = {UpTo, is_cut_at(border) ? border : border - 1};
  return found;
}

}  // namespace fxcut
