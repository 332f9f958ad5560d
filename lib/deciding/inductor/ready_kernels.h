// The kernels whose dependencies have all run, by the memory they take and leave: finds the next one in inductor's least-peak
// order (torch/_inductor/memory.py, topological_sort_lpmf) without visiting each.
//
// A tree over all kernels, those that allocate least first, whose inner nodes know the best ready kernel below them: the kernels
// that stay below a peak are a prefix of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fxcut {

class ReadyKernels {
 public:
  using Position = std::uint32_t;

  // By kernel: the bytes it allocates, and its position in an order that breaks ties.
  ReadyKernels(const std::vector<std::int64_t>& size, const std::vector<Position>& position);

  bool empty() const { return best_[1] == kNothing; }

  // Adds the kernel, or updates what it will free.
  void put(Position kernel, std::int64_t frees);
  void remove(Position kernel);
  bool contains(Position kernel) const { return best_[leaf(kernel)] != kNothing; }

  // Among kernels that allocate at most `gap`, the one that leaves the least; if there is none, among those that allocate least.
  Position best_within(std::int64_t gap) const;

 private:
  using Left = std::pair<std::int64_t, Position>;  // bytes that it leaves, and its position
  static constexpr Left kNothing{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<Position>::max()};

  std::size_t leaf(Position kernel) const { return leaves_ + rank_[kernel]; }
  void set(std::size_t leaf, const Left& left);
  Left best_in(std::size_t begin, std::size_t end) const;
  std::size_t first() const;

  std::vector<std::int64_t> sizes_;  // by rank
  std::vector<Position> rank_;       // by kernel
  std::vector<Position> position_;   // by kernel
  std::vector<Position> at_;         // by position: the kernel
  std::size_t leaves_ = 1;
  std::vector<Left> best_;           // of node i: of its children 2i and 2i + 1
};

}  // namespace fxcut
