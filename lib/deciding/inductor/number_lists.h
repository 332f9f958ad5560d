// Lists of numbers, such as the kernels that read each buffer, in two pieces of memory: a graph has thousands of them, and most
// are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fxcut {

class NumberLists {
 public:
  using Number = std::uint32_t;
  using Entry = std::pair<Number, Number>;  // the list, and what is in it

  NumberLists() = default;

  // `lists` lists; each has its entries in the order given.
  NumberLists(std::size_t lists, const std::vector<Entry>& entries) : end_(lists + 1, 0), numbers_(entries.size()) {
    for (const auto& [list, number] : entries) ++end_[list + 1];
    for (std::size_t list = 0; list < lists; ++list) end_[list + 1] += end_[list];
    std::vector<Number> next(end_.begin(), end_.end() - 1);
    for (const auto& [list, number] : entries) numbers_[next[list]++] = number;
  }

  std::size_t size() const { return end_.empty() ? 0 : end_.size() - 1; }
  std::span<const Number> operator[](std::size_t list) const {
    return {numbers_.data() + end_[list], numbers_.data() + end_[list + 1]};
  }

 private:
  std::vector<Number> end_;  // of the list before, by list
  std::vector<Number> numbers_;
};

}  // namespace fxcut
