#include "frontier/rounded_limit.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fxcut {

RoundedLimit rounded_limit(RecomputeProblem problem, std::int64_t limit_bytes, std::int64_t unit_bytes) {
  const std::int64_t rest = limit_bytes % unit_bytes, unit = unit_bytes - rest;
  for (KeepableStorage& storage : problem.storages) {
    storage.bytes = storage.bytes / unit_bytes * unit + std::max<std::int64_t>(0, storage.bytes % unit_bytes - rest);
  }
  return {std::move(problem), limit_bytes / unit_bytes * unit};
}

std::vector<std::int64_t> common_sizes(const RecomputeProblem& problem, std::int64_t limit_bytes, std::size_t most) {
  std::map<std::int64_t, Int128> bytes_of;
  for (const KeepableStorage& storage : problem.storages) {
    if (storage.bytes > 0 && storage.bytes <= limit_bytes) bytes_of[storage.bytes] += storage.bytes;
  }
  std::vector<std::pair<Int128, std::int64_t>> order;
  for (const auto& [size, bytes] : bytes_of) order.push_back({-bytes, size});
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> sizes;
  for (const auto& [bytes, size] : order) {
    if (sizes.size() < most) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace fxcut
