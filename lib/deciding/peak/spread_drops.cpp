#include "peak/spread_drops.h"

#include <algorithm>
#include <cmath>

#include "memory/bytes_in_use.h"

namespace fxcut {
namespace {

constexpr double kWideCrossing = 1.5;  // times the median of the narrow ones: too wide to divide there

// C(n, k) as far as it matters here; 0 for k < 0.
double binomial(double n, double k) {
  double value = k < 0 || n < k ? 0 : 1;
  for (double i = 1; i <= k && value > 0 && value < 1e12; ++i) value *= (n - k + i) / i;
  return value;
}

// Units that `states` kept ones, the first included, reverse if each runs at most `runs` times.
double reversible(double states, double runs) { return states < 0 ? 0 : binomial(states + runs, std::min(states, runs)); }

class Spreading {
 public:
  Spreading(const JustRecomputed& now, Int128 limit_bytes) : made_(now.made), room_(limit_bytes - now.bytes_besides) {}

  std::vector<std::uint32_t> drops() {
    if (most_if_all_are_kept() <= room_) return {};
    find_crossings();
    find_boundaries();
    keep_spread();
    std::vector<std::uint32_t> dropped;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (made_[i].is_needed_later && !is_kept_[i]) dropped.push_back(made_[i].memory);
    }
    return dropped;
  }

 private:
  // By memory in the order in which they are made: how many are made up to its last use.
  std::vector<std::size_t> find_last_uses() const {
    std::vector<std::size_t> last(made_.size());
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const auto after = std::ranges::upper_bound(made_, made_[i].last, {}, &JustRecomputed::Memory::first);
      last[i] = static_cast<std::size_t>(after - made_.begin());
    }
    return last;
  }

  Int128 most_if_all_are_kept() {
    last_ = find_last_uses();
    BytesInUse in_use(made_.size());
    for (std::size_t i = 0; i < made_.size(); ++i) {
      in_use.add(made_[i].bytes, i, made_[i].is_needed_later ? made_.size() : std::max(last_[i], i + 1) - 1);
    }
    return in_use.add_up().bytes;
  }

  // After each memory that is made: the bytes that are made up to there and used to make later ones. What is not needed later
  // cannot be kept, so that nothing is divided where it crosses.
  void find_crossings() {
    crossing_.assign(made_.size() + 1, 0);
    std::vector<int> unkept(made_.size() + 1, 0);
    for (std::size_t i = 0; i < made_.size(); ++i) {
      if (last_[i] <= i + 1) continue;
      crossing_[i] += made_[i].bytes;
      crossing_[last_[i] - 1] -= made_[i].bytes;
      if (made_[i].is_needed_later) continue;
      ++unkept[i];
      --unkept[last_[i] - 1];
    }
    for (std::size_t i = 1; i < made_.size(); ++i) {
      crossing_[i] += crossing_[i - 1];
      unkept[i] += unkept[i - 1];
    }
    is_divisible_.resize(made_.size());
    for (std::size_t i = 0; i < made_.size(); ++i) is_divisible_[i] = unkept[i] == 0 && crossing_[i] > 0;
  }

  // The narrow boundaries: no wider than those beside them, and not much wider than half of all such boundaries.
  void find_boundaries() {
    std::vector<Int128> widths;
    for (std::size_t i = 0; i + 1 < made_.size(); ++i) {
      if (!is_divisible_[i] || is_wider_than_beside(i)) continue;
      boundaries_.push_back(i);
      widths.push_back(crossing_[i]);
    }
    if (widths.empty()) return;
    const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
    std::ranges::nth_element(widths, middle);
    crossing_bytes_ = *middle;
    const double most = kWideCrossing * static_cast<double>(crossing_bytes_);
    std::erase_if(boundaries_, [&](std::size_t i) { return static_cast<double>(crossing_[i]) > most; });
  }

  bool is_wider_than_beside(std::size_t i) const {
    const auto is_wider_than = [&](std::size_t other) { return is_divisible_[other] && crossing_[i] > crossing_[other]; };
    return (i > 0 && is_wider_than(i - 1)) || (i + 2 < made_.size() && is_wider_than(i + 1));
  }

  void keep_spread() {
    is_kept_.assign(made_.size(), false);
    const std::size_t units = boundaries_.size() + 1;
    std::size_t begin = boundaries_.empty() ? 0 : boundaries_.back() + 1;
    Int128 room = room_ - keep_from(begin);
    std::size_t unit = 0;  // that is not divided from those before it
    while (unit + 1 < units && room >= crossing_bytes_) {
      const auto kept = static_cast<std::size_t>(room / crossing_bytes_);
      const std::size_t left = units - unit;
      unit += kept >= left - 1 ? 1 : units_before_kept(left, kept);
      room -= keep_crossing(boundaries_[unit - 1]);
    }
    if (unit + 1 == units) keep_more(begin, room);
  }

  // All that is made from there on and needed later. Returns its bytes.
  Int128 keep_from(std::size_t begin) {
    Int128 bytes = 0;
    for (std::size_t i = begin; i < made_.size(); ++i) bytes += keep(i);
    return bytes;
  }

  // Called for one boundary after the other.
  Int128 keep_crossing(std::size_t boundary) {
    for (; reached_ <= boundary; ++reached_) crossing_now_.push_back(reached_);
    std::erase_if(crossing_now_, [&](std::size_t i) { return last_[i] <= boundary + 1; });
    Int128 bytes = 0;
    for (const std::size_t i : crossing_now_) bytes += keep(i);
    return bytes;
  }

  // With room left, from the end on, which is needed first.
  void keep_more(std::size_t begin, Int128 room) {
    while (begin > 0 && (is_kept_[begin - 1] || made_[begin - 1].bytes <= room)) room -= keep(--begin);
  }

  Int128 keep(std::size_t i) {
    if (!made_[i].is_needed_later || is_kept_[i]) return 0;
    is_kept_[i] = true;
    return made_[i].bytes;
  }

  const std::vector<JustRecomputed::Memory>& made_;
  const Int128 room_;
  std::vector<std::size_t> last_;
  std::vector<Int128> crossing_;      // after each
  std::vector<bool> is_divisible_;    // the same
  std::vector<std::size_t> boundaries_;
  Int128 crossing_bytes_ = 0;              // of a narrow one
  std::vector<std::size_t> crossing_now_;  // at the last kept boundary
  std::size_t reached_ = 0;                // by it
  std::vector<bool> is_kept_;
};

}  // namespace

std::size_t units_before_kept(std::size_t units, std::size_t kept) {
  const auto all = static_cast<double>(units), states = static_cast<double>(kept + 1);
  double runs = 1;
  while (reversible(states, runs) < all) ++runs;
  // The split of Revolve's adjoint loop, by which the fewest units run as often as `runs`.
  const double fewer_runs = reversible(states, runs - 1), fewer_of_both = reversible(states - 1, runs - 1);
  const double two_fewer_states = reversible(states - 2, runs - 1);
  double before = all - fewer_of_both - two_fewer_states;
  if (all <= fewer_runs + two_fewer_states) before = reversible(states, runs - 2);
  else if (all >= reversible(states, runs) - reversible(states - 3, runs)) before = fewer_runs;
  return static_cast<std::size_t>(std::clamp(before, 1.0, all - 1));
}

std::vector<std::uint32_t> drops_within(const JustRecomputed& now, Int128 limit_bytes) {
  return Spreading(now, limit_bytes).drops();
}

}  // namespace fxcut
