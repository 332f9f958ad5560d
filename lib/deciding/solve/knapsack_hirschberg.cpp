// PyTorch's dp_knapsack_sliding_hirschberg: the rows of knapsack_rows.h without a table of their predecessors. The
// items are halved; a row of each half gives the run time that it saves for each number of steps, and the split of the
// capacity with the largest sum of the two is passed to the halves, until one item is left: it is saved if it fits.
//
// PyTorch gives the first half one step more than the split leaves, so that the saved items may exceed the limit by a
// step a level; the same is done here. Items without memory are saved whatever the capacity, unless they have no run
// time.
#include <algorithm>

#include "solve/knapsack_rows.h"

namespace fxcut {
namespace {

struct Segment {
  std::size_t begin, end, capacity;  // the items' range, and their steps
};

class Halving {
 public:
  explicit Halving(const Knapsack& knapsack)
      : items_(stepped_items(knapsack)), capacity_(steps_of(knapsack.limit)), with_item_(capacity_ + 1) {}

  std::vector<bool> solve() {
    std::vector<bool> saved(items_.size(), false);
    std::vector<Segment> waiting;
    if (!items_.empty()) waiting.push_back({0, items_.size(), capacity_});
    while (!waiting.empty()) {
      const Segment segment = waiting.back();
      waiting.pop_back();
      if (segment.end - segment.begin == 1) {
        const SteppedItem& item = items_[segment.begin];
        saved[segment.begin] = item.steps <= segment.capacity && item.runtime > 0;
        continue;
      }
      const std::size_t middle = segment.begin + (segment.end - segment.begin) / 2;
      const std::size_t of_last = best_split(segment, middle);
      waiting.push_back({segment.begin, middle, std::min(segment.capacity + 1 - of_last, capacity_)});
      waiting.push_back({middle, segment.end, of_last});
    }
    return saved;
  }

 private:
  std::vector<float> row_of(std::size_t begin, std::size_t end, std::size_t capacity) {
    std::vector<float> row(capacity + 1, 0.0F);
    for (std::size_t i = begin; i < end; ++i) {
      weigh(items_[i], row.data(), row.size(), with_item_.data());
      take_better(items_[i], with_item_.data(), row.size(), row.data());
    }
    return row;
  }

  // The steps for the second half; the fewest among equally good splits.
  std::size_t best_split(const Segment& segment, std::size_t middle) {
    std::vector<float> sum = row_of(middle, segment.end, segment.capacity);
    const std::vector<float> first_half = row_of(segment.begin, middle, segment.capacity);
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += first_half[segment.capacity - m];
    return static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
  }

  std::vector<SteppedItem> items_;
  std::size_t capacity_;
  std::vector<float> with_item_;
};

}  // namespace

std::vector<bool> knapsack_hirschberg(const Knapsack& knapsack) { return Halving(knapsack).solve(); }

}  // namespace fxcut
