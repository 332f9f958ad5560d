// Copies that share a channel, one after the other in a fixed order of which only some are made: how late they are at most.
//
// For a range of the order two numbers are enough: how long its copies take, and how late one of them is if the first begins at
// once. Those of two ranges make those of both, so that a tree of ranges tells the whole after each change, in the logarithm of
// their number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace fxcut {

class CopyQueue {
 public:
  // Picoseconds. `late`: of the end of a copy, against the time by which it should be done; of none, never.
  struct Part {
    double took = 0;
    double late = -std::numeric_limits<double>::infinity();
  };

  // By place; a copy that takes `took` and should be done at `due` is {took, took - due}.
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
