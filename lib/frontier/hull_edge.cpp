#include "frontier/hull_edge.h"

#include <algorithm>

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

void HullEdge::offer_all(Incumbent& incumbent) const {
  std::vector<bool> side = cuts_.sink_side;
  incumbent.offer(relaxation_.kept_by(side));
  for (std::size_t s = 0; s < steps(); ++s) {
    for (const Vertex v : cuts_.components[s]) side[v] = true;
    if (step_bytes_[s] != 0) incumbent.offer(relaxation_.kept_by(side));
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
  std::vector<bool> side = cuts_.sink_side, taken(steps(), false);
  const auto take = [&](std::size_t step) {
    taken[step] = true;
    for (const Vertex v : cuts_.components[step]) side[v] = true;
  };
  for (std::size_t s = 0; s < best_steps; ++s) take(s);
  incumbent.offer(relaxation_.kept_by(side));
  for (std::size_t s = best_steps; s < steps(); ++s) {
    const bool has_all = std::all_of(cuts_.needs[s].begin(), cuts_.needs[s].end(), [&](std::uint32_t n) { return taken[n]; });
    if (!has_all || step_bytes_[s] < 0 || best_bytes + step_bytes_[s] > limit) continue;
    best_bytes += step_bytes_[s];
    take(s);
  }
  incumbent.offer(relaxation_.kept_by(side));
}

}  // namespace fxcut
