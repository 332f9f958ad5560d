#include "frontier/hull_edge.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace fxcut {
namespace {

constexpr std::int64_t kMaxSums = 1 << 16, kMinSums = 1 << 10;
constexpr std::int64_t kMaxWork = 1 << 27;  // sizes times steps: a few tenths of a second
constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace

std::vector<bool> smallest_cover(const std::vector<std::int64_t>& sizes, std::int64_t at_least) {
  std::vector<bool> taken(sizes.size(), false);
  if (at_least <= 0) return taken;
  std::int64_t all = 0, divisor = 0;
  for (const std::int64_t size : sizes) {
    all += size;
    divisor = std::gcd(divisor, size);
  }
  if (all <= at_least) return std::vector<bool>(sizes.size(), true);
  // Maximizes the sum of the sizes left out, which are rounded up so that enough is taken.
  const std::int64_t room = all - at_least;
  const std::int64_t most_sums = std::clamp(kMaxWork / static_cast<std::int64_t>(sizes.size()), kMinSums, kMaxSums);
  const std::int64_t step = std::max(divisor, room / most_sums + 1);
  const auto steps = static_cast<std::size_t>(room / step);
  std::vector<std::uint32_t> last(steps + 1, kNone);  // by sum in steps, the item that reached it first
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < sizes.size(); ++i) {
    const auto size = static_cast<std::size_t>((sizes[i] + step - 1) / step);
    for (std::size_t sum = std::min(steps, most + size); sum >= size && sum > 0; --sum) {
      if (last[sum] == kNone && (sum == size || last[sum - size] != kNone)) {
        last[sum] = i;
        most = std::max(most, sum);
      }
    }
  }
  taken.assign(sizes.size(), true);
  for (std::size_t sum = most; sum > 0;) {
    const std::uint32_t item = last[sum];
    taken[item] = false;
    sum -= static_cast<std::size_t>((sizes[item] + step - 1) / step);
  }
  return taken;
}

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

std::vector<HullEdge::Point> HullEdge::points() const {
  constexpr std::size_t kMaxPoints = 256;  // more than a chart can show
  const std::size_t stride = steps() / kMaxPoints + 1;
  std::vector<Point> points{{0, first_bytes_}};
  std::int64_t bytes = first_bytes_;
  for (std::size_t s = 0; s < steps(); ++s) {
    bytes += step_bytes_[s];
    if (step_bytes_[s] != 0 && (s + 1) % stride == 0) points.push_back({s + 1, bytes});
  }
  return points;
}

KeptStorages HullEdge::kept_after(std::size_t steps) const {
  std::vector<bool> side = cuts_.sink_side;
  for (std::size_t s = 0; s < steps; ++s) take(s, side);
  return relaxation_.kept_by(side);
}

void HullEdge::for_each(const std::function<void(const KeptStorages&)>& visit) const {
  std::vector<bool> side = cuts_.sink_side;
  std::size_t taken = 0;
  for (const Point& point : points()) {
    for (; taken < point.steps; ++taken) take(taken, side);
    visit(relaxation_.kept_by(side));
  }
}

void HullEdge::take(std::size_t step, std::vector<bool>& side) const {
  for (const Vertex v : cuts_.components[step]) side[v] = true;
}

std::vector<bool> HullEdge::nearest_prefix(std::int64_t limit_bytes) const {
  std::size_t best_steps = steps() + 1;
  std::int64_t best_bytes = -1, bytes = first_bytes_;
  for (std::size_t s = 0; s <= steps(); ++s) {
    if (bytes <= limit_bytes && bytes > best_bytes) {
      best_bytes = bytes;
      best_steps = s;
    }
    if (s < steps()) bytes += step_bytes_[s];
  }
  std::vector<bool> taken(steps(), false);
  // If no prefix is within the limit, all steps come nearest.
  std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(std::min(best_steps, steps())), true);
  return taken;
}

std::int64_t HullEdge::bytes_after(const std::vector<bool>& taken) const {
  std::int64_t bytes = first_bytes_;
  for (std::size_t s = 0; s < steps(); ++s) bytes += taken[s] ? step_bytes_[s] : 0;
  return bytes;
}

void HullEdge::offer_nearest(Incumbent& incumbent) const {
  std::vector<bool> taken = nearest_prefix(incumbent.limit_bytes());
  incumbent.offer(relaxation_.kept_by(side_of(taken)));
  fill(taken, incumbent.limit_bytes() - bytes_after(taken));
  incumbent.offer(relaxation_.kept_by(side_of(taken)));
}

std::vector<bool> HullEdge::independent() const {
  // Whether it needs, or is needed by, a step with bytes; steps come after those that they need.
  std::vector<bool> needs_bytes(steps(), false), is_needed(steps(), false), independent(steps());
  for (std::size_t s = 0; s < steps(); ++s) {
    needs_bytes[s] = std::ranges::any_of(cuts_.needs[s], [&](std::uint32_t n) { return needs_bytes[n] || step_bytes_[n] != 0; });
  }
  for (std::size_t s = steps(); s-- > 0;) {
    for (const std::uint32_t n : cuts_.needs[s]) is_needed[n] = is_needed[n] || is_needed[s] || step_bytes_[s] != 0;
    independent[s] = step_bytes_[s] != 0 && !needs_bytes[s] && !is_needed[s];
  }
  return independent;
}

void HullEdge::offer_best_sum(Incumbent& incumbent) const {
  std::vector<bool> taken = nearest_prefix(incumbent.limit_bytes());
  const std::vector<bool> free = independent();
  std::vector<std::size_t> choosable;
  std::vector<std::int64_t> sizes;
  for (std::size_t s = 0; s < steps(); ++s) {
    if (!free[s]) continue;
    taken[s] = step_bytes_[s] > 0;  // first the most bytes, and then enough fewer
    choosable.push_back(s);
    sizes.push_back(std::abs(step_bytes_[s]));
  }
  const std::vector<bool> fewer = smallest_cover(sizes, bytes_after(taken) - incumbent.limit_bytes());
  for (std::size_t i = 0; i < choosable.size(); ++i) {
    if (fewer[i]) taken[choosable[i]] = !taken[choosable[i]];
  }
  for (std::size_t s = steps(); s-- > 0;) {
    for (const std::uint32_t n : cuts_.needs[s]) taken[n] = taken[n] || taken[s];
  }
  incumbent.offer(relaxation_.kept_by(side_of(taken)));
}

std::vector<bool> HullEdge::side_of(const std::vector<bool>& taken) const {
  std::vector<bool> side = cuts_.sink_side;
  for (std::size_t s = 0; s < steps(); ++s) {
    if (taken[s]) take(s, side);
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
  constexpr std::size_t kMaxStepsToFill = 1 << 22;
  std::size_t rounds_left = 8 + kMaxStepsToFill / (steps() + 1);  // of a chain each round may take one step only
  for (bool changes = true; changes && rounds_left > 0; --rounds_left) {
    changes = false;
    for (const std::size_t s : order) {
      const std::int64_t more_bytes = taken[s] ? -step_bytes_[s] : step_bytes_[s];
      if (more_bytes <= 0 || more_bytes > room_bytes) continue;
      const bool may_change =
          taken[s] ? std::ranges::none_of(needed_by[s], is_taken) : std::ranges::all_of(cuts_.needs[s], is_taken);
      if (!may_change) continue;
      taken[s] = !taken[s];
      room_bytes -= more_bytes;
      changes = true;
    }
  }
}

}  // namespace fxcut
