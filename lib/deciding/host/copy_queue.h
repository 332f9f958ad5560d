// The maximum lateness of copies that share a channel and run in a fixed order; only some of the order's copies are made.
//
// Two numbers describe a range of the order: how long its copies take, and how late the latest is if the first starts at once.
// They can be combined from two adjacent ranges, so a tree of ranges gives the result after each change in logarithmic time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace fxcut {

class CopyQueue {
 public:
  // Picoseconds. `late`: how long after its due time the latest copy ends; minus infinity for an empty range.
  struct Part {
    double took = 0;
    double late = -std::numeric_limits<double>::infinity();
  };

  // `parts`: by place; a copy that takes `took` and is due at `due` is {took, took - due}.
  explicit CopyQueue(std::vector<Part> parts = {}) : size_(parts.size()), parts_(std::move(parts)) {
    parts_.insert(parts_.begin(), size_, Part{});
    for (std::size_t i = size_; i-- > 1;) parts_[i] = joined(parts_[2 * i], parts_[2 * i + 1]);
  }

  void set(std::size_t place, const Part& part) {
    std::size_t i = place + size_;
    for (parts_[i] = part; i > 1; i /= 2) parts_[i / 2] = joined(parts_[i & ~std::size_t{1}], parts_[i | 1]);
  }

  // Sums over the positions in [first, last).
  Part of(std::size_t first, std::size_t last) const {
    Part left, right;
    for (first += size_, last += size_; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) left = joined(left, parts_[first++]);
      if (last % 2 == 1) right = joined(parts_[--last], right);
    }
    return joined(left, right);
  }
  std::size_t size() const { return size_; }

  static Part joined(const Part& a, const Part& b) { return {a.took + b.took, std::max(a.late, a.took + b.late)}; }

 private:
  std::size_t size_;
  std::vector<Part> parts_;  // a tree whose leaves come last
};

}  // namespace fxcut
