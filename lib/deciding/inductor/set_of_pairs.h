// Pairs of different numbers below 2^32, in order. Fusion tries thousands of pairs in each round: a node of a hash table for each
// would take longer than most trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fxcut {

class SetOfPairs {
 public:
  // Returns whether it is new.
  bool insert(std::uint32_t first, std::uint32_t second) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const std::uint64_t pair = std::uint64_t{first} << 32 | second;
    std::uint64_t& slot = slot_of(pair);
    if (slot != kFree) return false;
    slot = pair;
    ++size_;
    return true;
  }

 private:
  static constexpr std::uint64_t kFree = 0;  // no pair: its numbers would be the same

  std::uint64_t& slot_of(std::uint64_t pair) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (pair * 0x9e3779b97f4a7c15U) >> 32 & mask;  // 2^64 over the golden ratio: spreads the bits
    while (slots_[at] != kFree && slots_[at] != pair) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    const std::vector<std::uint64_t> before = std::exchange(slots_, std::vector<std::uint64_t>(2 * slots_.size(), kFree));
    for (const std::uint64_t pair : before) {
      if (pair != kFree) slot_of(pair) = pair;
    }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024, kFree);  // a power of two of them
};

}  // namespace fxcut
