#include "frontier/decision_order.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace fxcut {
namespace {

class Ordering {
 public:
  explicit Ordering(const RecomputeProblem& problem)
      : problem_(problem), anchor_(problem.items.size()), users_left_(problem.items.size(), 0) {
    for (ItemIndex i = 0; i < anchor_.size(); ++i) anchor_[i] = anchor_of(i);
    for (const ItemIndex input : problem.inputs) ++users_left_[input];
  }

  std::vector<ItemIndex> run() {
    for (ItemIndex i = 0; i < anchor_.size(); ++i) {
      if (users_left_[i] == 0) ready_.push({anchor_[i], i});
    }
    while (!ready_.empty() || !at_once_.empty()) take(next());
    return std::move(order_);
  }

 private:
  bool needs_no_other(ItemIndex i) const {
    const auto is_available = [&](ItemIndex input) { return problem_.items[input].is_always_available(); };
    return problem_.items[i].never != Ban::None || std::ranges::all_of(problem_.inputs_of(i), is_available);
  }

  // The item of the forward that it comes right before.
  ItemIndex anchor_of(ItemIndex i) const {
    if (problem_.items[i].in_forward || needs_no_other(i)) return i;
    ItemIndex last = 0;
    for (const ItemIndex input : problem_.inputs_of(i)) {
      if (!problem_.items[input].is_always_available()) last = std::max(last, anchor_[input]);
    }
    return last;
  }

  ItemIndex next() {
    ItemIndex next = 0;
    if (at_once_.empty()) {
      next = ready_.top().second;
      ready_.pop();
    } else {
      next = at_once_.back();
      at_once_.pop_back();
    }
    return next;
  }

  void take(ItemIndex i) {
    order_.push_back(i);
    for (const ItemIndex input : problem_.inputs_of(i)) {
      if (--users_left_[input] > 0) continue;
      if (needs_no_other(input)) {
        at_once_.push_back(input);
      } else {
        ready_.push({anchor_[input], input});
      }
    }
  }

  const RecomputeProblem& problem_;
  std::vector<ItemIndex> anchor_;            // by item
  std::vector<std::uint32_t> users_left_;    // by item, those not yet in the order
  std::priority_queue<std::pair<ItemIndex, ItemIndex>> ready_;  // anchors and items, the last first
  std::vector<ItemIndex> at_once_;                              // before those
  std::vector<ItemIndex> order_;
};

}  // namespace

std::vector<ItemIndex> decision_order(const RecomputeProblem& problem) { return Ordering(problem).run(); }

}  // namespace fxcut
