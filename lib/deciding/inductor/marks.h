// A set of numbers below a bound that one increment empties: searches of a graph need one so often that building a set for each
// would take longer than most searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fxcut {

class Marks {
 public:
  explicit Marks(std::size_t bound) : marked_in_(bound, 0) {}

  void clear() {
    ++round_;
    size_ = 0;
  }
  // Returns whether it is new.
  bool insert(std::uint32_t number) {
    if (std::exchange(marked_in_[number], round_) == round_) return false;
    ++size_;
    return true;
  }
  bool contains(std::uint32_t number) const { return marked_in_[number] == round_; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::uint32_t> marked_in_;  // by number: the last round that marked it; 0: none
  std::uint32_t round_ = 1;
  std::size_t size_ = 0;
};

}  // namespace fxcut
