#include "frontier/hull_edge.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace fxcut {

HullEdge::HullEdge(const Relaxation& relaxation, const Price& price)
    : relaxation_(relaxation), cuts_(find_minimum_cuts(relaxation.network(price))) {
  first_bytes_ = relaxation.constant_bytes();
  for (Vertex v = 0; v < cuts_.sink_side.size(); ++v) {
    if (cuts_.sink_side[v]) first_bytes_ += relaxation.bytes_of(v);
  }
  for (const auto& component : cuts_.components) {
    std::int64_t bytes = 0;
    for (const Vertex v : component) bytes += relaxation.bytes_of(v);
    step_bytes_.push_back(bytes);
  }
}

void HullEdge::for_each(const std::function<void(const KeptStorages&)>& visit) const {
  std::vector<bool> side = cuts_.sink_side;
  visit(relaxation_.kept_by(side));
  for (std::size_t s = 0; s < steps(); ++s) {
    for (const Vertex v : cuts_.components[s]) side[v] = true;
    if (step_bytes_[s] != 0) visit(relaxation_.kept_by(side));
  }
}

void HullEdge::offer_nearest(Incumbent& incumbent) const {
  const std::int64_t limit = incumbent.limit_bytes();
  std::size_t best_steps = 0;
  std::int64_t best_bytes = -1, bytes = first_bytes_;
  for (std::size_t s = 0; s <= steps(); ++s) {
    if (bytes <= limit && bytes > best_bytes) {
      best_bytes = bytes;
      best_steps = s;
    }
    if (s < steps()) bytes += step_bytes_[s];
  }
  if (best_bytes < 0) return;
  std::vector<bool> taken(steps(), false);
  for (std::size_t s = 0; s < best_steps; ++s) taken[s] = true;
  incumbent.offer(relaxation_.kept_by(side_of(taken)));
  fill(taken, limit - best_bytes);
  incumbent.offer(relaxation_.kept_by(side_of(taken)));
}

std::vector<bool> HullEdge::side_of(const std::vector<bool>& taken) const {
  std::vector<bool> side = cuts_.sink_side;
  for (std::size_t s = 0; s < steps(); ++s) {
    if (!taken[s]) continue;
    for (const Vertex v : cuts_.components[s]) side[v] = true;
  }
  return side;
}

void HullEdge::fill(std::vector<bool>& taken, std::int64_t room_bytes) const {
  std::vector<std::size_t> order(steps());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(step_bytes_[a]) > std::abs(step_bytes_[b]);
  });
  std::vector<std::vector<std::uint32_t>> needed_by(steps());
  for (std::uint32_t s = 0; s < steps(); ++s) {
    for (const std::uint32_t needed : cuts_.needs[s]) needed_by[needed].push_back(s);
  }
  const auto is_taken = [&](std::uint32_t s) { return taken[s]; };
  for (bool changes = true; changes;) {
    changes = false;
    for (const std::size_t s : order) {
      const std::int64_t more_bytes = taken[s] ? -step_bytes_[s] : step_bytes_[s];
      if (more_bytes <= 0 || more_bytes > room_bytes) continue;
      const bool may_change = taken[s] ? std::none_of(needed_by[s].begin(), needed_by[s].end(), is_taken)
                                       : std::all_of(cuts_.needs[s].begin(), cuts_.needs[s].end(), is_taken);
      if (!may_change) continue;
      taken[s] = !taken[s];
      room_bytes -= more_bytes;
      changes = true;
    }
  }
}

}  // namespace fxcut
