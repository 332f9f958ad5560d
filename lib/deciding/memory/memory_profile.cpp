#include "memory/memory_profile.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

using Owner = Allocation::Owner;

std::int64_t bytes_of(const std::vector<Allocation>& allocations, Owner owner) {
  std::int64_t bytes = 0;
  for (const Allocation& allocation : allocations) bytes += allocation.owner == owner ? allocation.size_bytes : 0;
  return bytes;
}

std::vector<MemoryUse> add_up(const Lifetimes& lifetimes) {
  MemoryCurve curve(lifetimes.steps.size());
  for (const Allocation& allocation : lifetimes.allocations) {
    if (allocation.owner == Owner::Step) curve.add(allocation.size_bytes, allocation.first_step, allocation.last_step);
  }
  return std::move(curve).add_up();
}

std::vector<Allocation> find_alive(const std::vector<Allocation>& allocations, std::size_t step) {
  std::vector<Allocation> alive;
  for (const Allocation& allocation : allocations) {
    const bool is_there = allocation.first_step <= step && step <= allocation.last_step;
    if (allocation.owner == Owner::Step && is_there && allocation.size_bytes > 0) alive.push_back(allocation);
  }
  std::stable_sort(alive.begin(), alive.end(),
                   [](const Allocation& a, const Allocation& b) { return a.size_bytes > b.size_bytes; });
  return alive;
}

}  // namespace

MemoryProfile profile_memory(Lifetimes lifetimes) {
  MemoryProfile profile;
  profile.curve = add_up(lifetimes);
  const auto is_lower = [](const MemoryUse& a, const MemoryUse& b) { return a.bytes < b.bytes; };
  const auto peak = std::max_element(profile.curve.begin(), profile.curve.end(), is_lower);
  profile.peak_step = static_cast<std::size_t>(peak - profile.curve.begin());
  profile.static_bytes = bytes_of(lifetimes.allocations, Owner::Parameters);
  profile.input_bytes = bytes_of(lifetimes.allocations, Owner::Inputs);
  profile.at_peak = find_alive(lifetimes.allocations, profile.peak_step);
  profile.steps = std::move(lifetimes.steps);
  profile.allocations = std::move(lifetimes.allocations);
  return profile;
}

}  // namespace fxcut
