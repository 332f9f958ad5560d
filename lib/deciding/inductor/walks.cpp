#include "inductor/walks.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace fxcut {

std::optional<Walk> walk_of(const Extents& strides, const Loops& loops) {
  if (strides.size() != loops.sizes.size()) return {};
  Walk walk;
  for (const std::size_t i : loops.order) {
    const std::int64_t size = loops.sizes[i], stride = strides[i];
    if (size != 1) walk.push_back({size, stride});
  }
  while (!walk.empty() && walk.back().second == 0) walk.pop_back();
  return walk;
}

Walk merged(const Walk& walk) {
  Walk result;
  for (const auto& [size, stride] : walk) {
    if (!result.empty() && result.back().second == stride * size) result.back() = {result.back().first * size, stride};
    else result.push_back({size, stride});
  }
  if (!result.empty() && result.back().second == 0) result.pop_back();
  return result;
}

Walk merged_by_stride(Walk walk) {
  std::ranges::stable_sort(walk, std::greater<>(), [](const auto& loop) { return loop.second; });
  return merged(walk);
}

}  // namespace fxcut
