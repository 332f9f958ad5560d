#include "peak/recompute_again.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "peak/spread_drops.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxDropsTried = 16;  // for each drop
constexpr int kSpreadLimitsAgain = 16, kCloserLimitsAgain = 8, kRoundsCloser = 2;
constexpr std::size_t kMaxRunsAgain = 8;  // of each node of the backward, on average

class Dropping {
 public:
  Dropping(BackwardWithDrops& backward, WorkBudget& work, std::vector<Drop> drops)
      : backward_(backward), work_(work), drops_(std::move(drops)) {
    try_with(drops_);
  }

  void lower_to(Int128 limit_bytes) {
    while (backward_.peak_bytes() > limit_bytes && backward_.is_peak_in_backward() && !work_.is_exhausted()) {
      const std::optional<Drop> best = find_best();
      if (best) drops_ = with(*best);
      if (!is_last_tried_) try_with(drops_);
      if (!best) return;
    }
  }

  // The latest drops first: they were made for the lowest peaks.
  void take_back(Int128 limit_bytes) {
    if (backward_.peak_bytes() > limit_bytes) return;
    Int128 cost = backward_.run_cost();
    for (std::size_t i = drops_.size(); i-- > 0 && !work_.is_exhausted();) {
      std::vector<Drop> fewer = drops_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      try_with(fewer);
      if (backward_.peak_bytes() > limit_bytes || backward_.run_cost() > cost) continue;
      cost = backward_.run_cost();
      drops_ = std::move(fewer);
    }
    try_with(drops_);
  }

  AgainPlan plan() const { return {backward_.again(), backward_.run_cost(), backward_.peak_bytes()}; }

 private:
  void try_with(const std::vector<Drop>& drops) {
    backward_.run(drops);
    work_.charge(backward_.work());
  }

  std::vector<Drop> with(const Drop& one) const {
    std::vector<Drop> more = drops_;
    more.insert(std::ranges::upper_bound(more, one.step, {}, &Drop::step), one);
    return more;
  }

  // The memory with the least cost per byte that its drop frees at the peak's step. Memories that cannot be the least are not
  // tried: a drop frees at most their own bytes, and at least they themselves are made again.
  std::optional<Drop> find_best() {
    const Int128 peak = backward_.peak_bytes(), cost = backward_.run_cost();
    const std::uint32_t step = backward_.peak_step();
    std::vector<std::uint32_t> candidates = backward_.droppable_at_peak();
    if (candidates.size() > kMaxDropsTried) candidates.resize(kMaxDropsTried);
    std::optional<Drop> best;
    double least = 0;
    is_last_tried_ = false;
    for (const std::uint32_t memory : candidates) {
      const Drop one{step, memory};
      if (best && backward_.least_price(memory) >= least) continue;
      try_with(with(one));
      is_last_tried_ = false;
      const Int128 freed = peak - backward_.most_at(step);
      if (backward_.peak_bytes() > peak || freed <= 0) continue;
      const double price = static_cast<double>(backward_.run_cost() - cost) / static_cast<double>(freed);
      if (best && price >= least) continue;
      best = one;
      least = price;
      is_last_tried_ = true;
    }
    return best;
  }

  BackwardWithDrops& backward_;
  WorkBudget& work_;
  std::vector<Drop> drops_;
  bool is_last_tried_ = false;  // the best drop
};

// Drops that are spread over the recomputation, for many limits.
class Spread {
 public:
  Spread(BackwardWithDrops& backward, WorkBudget& work) : backward_(backward), work_(work) {}

  // The cheapest within the limit, or the lowest if none is; nothing if nothing can be dropped.
  std::optional<std::vector<Drop>> best(Int128 limit_bytes) {
    backward_.run({});
    work_.charge(backward_.work());
    const Int128 top = backward_.peak_bytes();
    if (top <= limit_bytes || !backward_.is_peak_in_backward()) return std::nullopt;
    try_between(0, top, kSpreadLimitsAgain);
    Int128 width = top / kSpreadLimitsAgain;
    for (int round = 0; round < kRoundsCloser && !tries_.empty(); ++round) {
      const Int128 middle = std::ranges::min_element(tries_, {}, &Try::peak_bytes)->limit_bytes;
      try_between(std::max(Int128(0), middle - width), middle + width, kCloserLimitsAgain);
      width = 2 * width / kCloserLimitsAgain;
    }
    const auto rank = [&](const Try& one) { return std::pair(std::max(one.peak_bytes, limit_bytes), one.run_cost); };
    const auto best = std::ranges::min_element(tries_, {}, rank);
    if (best == tries_.end() || best->drops.empty()) return std::nullopt;
    return best->drops;
  }

 private:
  struct Try {
    Int128 limit_bytes = 0, peak_bytes = 0, run_cost = 0;
    std::vector<Drop> drops;
  };

  void try_between(Int128 first, Int128 last, int limits) {
    for (int i = 0; i <= limits && !work_.is_exhausted(); ++i) {
      const Int128 limit = first + (last - first) * i / limits;
      const auto rule = [&](const JustRecomputed& now) { return drops_within(now, limit); };
      auto drops = backward_.run_by(rule, kMaxRunsAgain * backward_.steps());
      work_.charge(backward_.work());
      if (drops) tries_.push_back({limit, backward_.peak_bytes(), backward_.run_cost(), *std::move(drops)});
    }
  }

  BackwardWithDrops& backward_;
  WorkBudget& work_;
  std::vector<Try> tries_;
};

}  // namespace

AgainPlan recompute_again(BackwardWithDrops& backward, Int128 limit_bytes, WorkBudget& work) {
  const auto lowered_from = [&](std::vector<Drop> drops) {
    Dropping dropping(backward, work, std::move(drops));
    dropping.lower_to(limit_bytes);
    dropping.take_back(limit_bytes);
    return dropping.plan();
  };
  AgainPlan one_by_one = lowered_from({});
  auto spread = Spread(backward, work).best(limit_bytes);
  if (!spread) return one_by_one;
  AgainPlan from_spread = lowered_from(*std::move(spread));
  const auto rank = [&](const AgainPlan& plan) {
    return std::pair(std::max(plan.peak_bytes, limit_bytes), plan.run_cost);
  };
  return rank(from_spread) < rank(one_by_one) ? from_spread : one_by_one;
}

}  // namespace fxcut
