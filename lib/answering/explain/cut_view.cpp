#include "explain/cut_view.h"

#include "solve/saving_network.h"

namespace fxcut {
namespace {

constexpr std::size_t kNoEdge = static_cast<std::size_t>(-1);

FlowNetwork network_of(const Decision& decision, const Settings& settings) {
  const auto distance = distance_from_backward(decision.joint.graph, decision.users, decision.roles);
  return saving_network({decision.joint, decision.users, decision.roles, distance, settings}, *node_facts(decision.choice));
}

bool is_edge_of_node(const FlowNetwork& network, const FlowEdge& edge) {
  return edge.from != network.source && edge.to == edge.from + 1 && edge.from % 2 == 0 && edge.to != network.sink;
}

}  // namespace

bool goes_through(const MinCut& cut, const FlowEdge& edge) {
  return !cut.on_sink_side[edge.from] && cut.on_sink_side[edge.to];
}

FoundLimit find_weight_limit(FlowNetwork network, const MinCut& cut, std::size_t edge, CutSide side) {
  using enum WeightLimit::Kind;
  FlowEdge& tried = network.edges[edge];
  const auto is_cut_at = [&](Int128 capacity) {
    tried.capacity = capacity;
    return goes_through(solve_min_cut(network, side), tried);
  };
  const Int128 weight = tried.capacity;
  Int128 border = 0;
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

CutView::CutView(const Decision& decision, const Settings& settings)
    : decision_(decision), side_(settings.cut_side), network_(network_of(decision, settings)),
      cut_(solve_min_cut(network_, side_)), edge_of_(decision.joint.graph.size(), kNoEdge) {
  for (std::size_t e = 0; e < network_.edges.size(); ++e) {
    const FlowEdge& edge = network_.edges[e];
    if (is_edge_of_node(network_, edge) && !edge.infinite) edge_of_[index_of(node_of(edge.from))] = e;
  }
}

std::optional<WeighedFacts> CutView::of(NodeId value) const {
  const std::size_t edge = edge_of_[index_of(value)];
  if (edge == kNoEdge) return std::nullopt;
  const SavingCost& saving = node_facts(decision_.choice)->costs[index_of(value)];
  const FoundLimit found = find_weight_limit(network_, cut_, edge, side_);
  WeighedFacts facts{{saving.cost, saving.size_bytes, saving.distance, !saving.materialized}, found.limit, {}};
  if (found.other) {
    facts.alternative_cut = AlternativeCut{cut_by_first_only(*found.other, cut_), cut_by_first_only(cut_, *found.other)};
  }
  return facts;
}

std::vector<WeighedValue> CutView::cut_by_first_only(const MinCut& first, const MinCut& second) const {
  std::vector<WeighedValue> values;
  for (std::size_t i = 0; i < edge_of_.size(); ++i) {
    if (edge_of_[i] == kNoEdge) continue;
    const FlowEdge& edge = network_.edges[edge_of_[i]];
    if (goes_through(first, edge) && !goes_through(second, edge)) {
      values.push_back({decision_.joint.graph.nodes[i].name, edge.capacity});
    }
  }
  return values;
}

}  // namespace fxcut
