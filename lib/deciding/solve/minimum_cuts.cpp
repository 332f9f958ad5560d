// If the end of an edge with residual capacity is on the sink's side, so is its start. So the sink sides of the minimum
// cuts are the sets closed under this, and vertices that imply each other are one: the strongly connected components of
// the residual graph, found by Tarjan's search without recursion.
#include "solve/minimum_cuts.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace fxcut {
namespace {

constexpr std::uint32_t kNotYetSeen = 0xffffffff;

class Components {
 public:
  Components(const Residual& residual, const std::vector<bool>& left_out)
      : residual_(residual),
        left_out_(left_out),
        of(residual.vertices(), kNotYetSeen),
        seen_at_(residual.vertices(), kNotYetSeen),
        lowest_(residual.vertices(), 0) {
    for (Vertex v = 0; v < residual.vertices(); ++v) {
      if (!left_out[v] && seen_at_[v] == kNotYetSeen) search(v);
    }
  }

  // Calls `visit` with the end of each edge from `v` that has residual capacity.
  template <typename Visit>
  void for_each_next(Vertex v, const Visit& visit) const {
    for (std::uint32_t e = residual_.begin[v]; e < residual_.begin[v + 1]; ++e) {
      if (residual_.left[e] > 0 && !left_out_[residual_.to[e]]) visit(residual_.to[e]);
    }
  }

 private:
  struct Frame {
    Vertex vertex;
    std::uint32_t edge;
  };

  void enter(Vertex v) {
    seen_at_[v] = lowest_[v] = clock_++;
    open_.push_back(v);
    frames_.push_back({v, residual_.begin[v]});
  }
  void search(Vertex start) {
    enter(start);
    while (!frames_.empty()) {
      auto& [v, e] = frames_.back();
      if (e == residual_.begin[v + 1]) {
        leave();
        continue;
      }
      const std::uint32_t edge = e++;
      const Vertex next = residual_.to[edge];
      if (residual_.left[edge] == 0 || left_out_[next]) continue;
      if (seen_at_[next] == kNotYetSeen) {
        enter(next);
      } else if (of[next] == kNotYetSeen) {
        lowest_[v] = std::min(lowest_[v], seen_at_[next]);
      }
    }
  }
  void leave() {
    const Vertex v = frames_.back().vertex;
    frames_.pop_back();
    if (!frames_.empty()) {
      std::uint32_t& above = lowest_[frames_.back().vertex];
      above = std::min(above, lowest_[v]);
    }
    if (lowest_[v] != seen_at_[v]) return;
    Vertex last;
    do {
      last = open_.back();
      open_.pop_back();
      of[last] = count;
    } while (last != v);
    ++count;
  }

  const Residual& residual_;
  const std::vector<bool>& left_out_;

 public:
  std::vector<std::uint32_t> of;  // by vertex; kNotYetSeen if it is left out
  std::uint32_t count = 0;

 private:
  std::vector<std::uint32_t> seen_at_, lowest_;
  std::vector<Vertex> open_;
  std::vector<Frame> frames_;
  std::uint32_t clock_ = 0;
};

// The components, each after those it needs, otherwise by their first vertex.
std::vector<std::uint32_t> order_by_need(const std::vector<std::vector<Vertex>>& members,
                                         const std::vector<std::vector<std::uint32_t>>& needed_by) {
  std::vector<std::uint32_t> missing(members.size(), 0), order;
  for (const auto& takers : needed_by) {
    for (const std::uint32_t taker : takers) ++missing[taker];
  }
  using Ready = std::pair<Vertex, std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t c = 0; c < members.size(); ++c) {
    if (missing[c] == 0) ready.emplace(members[c].front(), c);
  }
  while (!ready.empty()) {
    const std::uint32_t c = ready.top().second;
    ready.pop();
    order.push_back(c);
    for (const std::uint32_t taker : needed_by[c]) {
      if (--missing[taker] == 0) ready.emplace(members[taker].front(), taker);
    }
  }
  return order;
}

}  // namespace

MinimumCuts find_minimum_cuts(const FlowNetwork& network) {
  Residual residual(network);
  MinimumCuts cuts;
  cuts.value = find_max_flow(network, residual);
  cuts.sink_side = reached(residual, network.sink, true);
  std::vector<bool> settled = reached(residual, network.source, false);
  for (Vertex v = 0; v < network.vertices; ++v) settled[v] = settled[v] || cuts.sink_side[v];

  const Components components(residual, settled);
  std::vector<std::vector<Vertex>> members(components.count);
  std::vector<std::vector<std::uint32_t>> needed_by(components.count);
  for (Vertex v = 0; v < network.vertices; ++v) {
    if (settled[v]) continue;
    members[components.of[v]].push_back(v);
    components.for_each_next(v, [&](Vertex next) {
      if (components.of[next] != components.of[v]) needed_by[components.of[v]].push_back(components.of[next]);
    });
  }
  for (auto& takers : needed_by) {
    std::sort(takers.begin(), takers.end());
    takers.erase(std::unique(takers.begin(), takers.end()), takers.end());
  }
  const std::vector<std::uint32_t> order = order_by_need(members, needed_by);
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t p = 0; p < order.size(); ++p) position[order[p]] = p;
  cuts.needs.resize(order.size());
  for (std::uint32_t p = 0; p < order.size(); ++p) {
    for (const std::uint32_t taker : needed_by[order[p]]) cuts.needs[position[taker]].push_back(p);
    cuts.components.push_back(std::move(members[order[p]]));
  }
  return cuts;
}

}  // namespace fxcut
