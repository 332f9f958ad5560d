#include "inductor/ready_kernels.h"

#include <algorithm>
#include <numeric>

namespace fxcut {

ReadyKernels::ReadyKernels(const std::vector<std::int64_t>& size, const std::vector<Position>& position)
    : rank_(size.size()), position_(position), at_(size.size()) {
  std::vector<Position> by_size(size.size());
  std::iota(by_size.begin(), by_size.end(), Position{0});
  std::ranges::stable_sort(by_size, {}, [&](Position kernel) { return size[kernel]; });
  for (const Position kernel : by_size) {
    rank_[kernel] = static_cast<Position>(sizes_.size());
    sizes_.push_back(size[kernel]);
    at_[position[kernel]] = kernel;
  }
  while (leaves_ < size.size()) leaves_ *= 2;
  best_.assign(2 * leaves_, kNothing);
}

void ReadyKernels::put(Position kernel, std::int64_t frees) {
  set(leaf(kernel), {sizes_[rank_[kernel]] - frees, position_[kernel]});
}

void ReadyKernels::remove(Position kernel) { set(leaf(kernel), kNothing); }

void ReadyKernels::set(std::size_t leaf, const Left& left) {
  best_[leaf] = left;
  for (std::size_t i = leaf / 2; i > 0; i /= 2) best_[i] = std::min(best_[2 * i], best_[2 * i + 1]);
}

ReadyKernels::Left ReadyKernels::best_in(std::size_t begin, std::size_t end) const {
  Left best = kNothing;
  for (begin += leaves_, end += leaves_; begin < end; begin /= 2, end /= 2) {
    if (begin % 2 == 1) best = std::min(best, best_[begin++]);
    if (end % 2 == 1) best = std::min(best, best_[--end]);
  }
  return best;
}

// The rank of the first ready kernel.
std::size_t ReadyKernels::first() const {
  std::size_t i = 1;
  while (i < leaves_) i = 2 * i + (best_[2 * i] == kNothing ? 1 : 0);
  return i - leaves_;
}

ReadyKernels::Position ReadyKernels::best_within(std::int64_t gap) const {
  const auto end_of = [&](std::int64_t size) {
    return static_cast<std::size_t>(std::ranges::upper_bound(sizes_, size) - sizes_.begin());
  };
  Left best = best_in(0, end_of(gap));
  if (best == kNothing) best = best_in(first(), end_of(sizes_[first()]));
  return at_[best.second];
}

}  // namespace fxcut
