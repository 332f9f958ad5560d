// Union-find over numbers, by halving paths (Tarjan and van Leeuwen, 1984).
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace fxcut {

class DisjointSets {
 public:
  // Each number below `count` is a set of its own.
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  // The number that stands for the set.
  std::size_t find(std::size_t of) {
    while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
    return of;
  }

  // Joins the sets; the second's number then stands for both.
  void join(std::size_t first, std::size_t second) { parent_[find(first)] = find(second); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace fxcut
