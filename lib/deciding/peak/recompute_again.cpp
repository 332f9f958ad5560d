#include "peak/recompute_again.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace fxcut {
namespace {

constexpr std::size_t kMostDropsTried = 16;  // for each drop

class Dropping {
 public:
  Dropping(BackwardWithDrops& backward, Effort& effort) : backward_(backward), effort_(effort) { try_with(drops_); }

  void lower_to(Wide limit_bytes) {
    while (backward_.peak_bytes() > limit_bytes && backward_.is_peak_in_backward() && !effort_.is_spent()) {
      const std::optional<Drop> best = find_best();
      if (best) drops_ = with(*best);
      if (!is_last_tried_) try_with(drops_);
      if (!best) return;
    }
  }

  // The last ones first: they were made for the lowest peaks.
  void take_back(Wide limit_bytes) {
    if (backward_.peak_bytes() > limit_bytes) return;
    Wide cost = backward_.run_cost();
    for (std::size_t i = drops_.size(); i-- > 0 && !effort_.is_spent();) {
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
    effort_.take(backward_.steps_a_run());
    backward_.run(drops);
  }

  std::vector<Drop> with(const Drop& one) const {
    std::vector<Drop> more = drops_;
    more.insert(std::ranges::upper_bound(more, one.step, {}, &Drop::step), one);
    return more;
  }

  // The least cost for the bytes that it frees at the peak's step. What cannot be the least is not tried: no more is freed than its
  // bytes, and at least itself is made again.
  std::optional<Drop> find_best() {
    const Wide peak = backward_.peak_bytes(), cost = backward_.run_cost();
    const std::uint32_t step = backward_.peak_step();
    std::vector<std::uint32_t> candidates = backward_.droppable_at_peak();
    if (candidates.size() > kMostDropsTried) candidates.resize(kMostDropsTried);
    std::optional<Drop> best;
    double least = 0;
    is_last_tried_ = false;
    for (const std::uint32_t memory : candidates) {
      const Drop one{step, memory};
      if (best && backward_.least_price(memory) >= least) continue;
      try_with(with(one));
      is_last_tried_ = false;
      const Wide freed = peak - backward_.most_at(step);
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
  Effort& effort_;
  std::vector<Drop> drops_;
  bool is_last_tried_ = false;  // the best drop
};

}  // namespace

AgainPlan recompute_again(BackwardWithDrops& backward, Wide limit_bytes, Effort& effort) {
  Dropping dropping(backward, effort);
  dropping.lower_to(limit_bytes);
  dropping.take_back(limit_bytes);
  return dropping.plan();
}

}  // namespace fxcut
