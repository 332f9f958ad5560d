#include "host/choose_copies.h"

#include <algorithm>

namespace fxcut {
namespace {

// As many of `uses` as are needed, in order; then without those that turn out not to be needed.
std::vector<StorageUse> take_first(const std::vector<StorageUse>& uses, std::int64_t needed) {
  std::vector<StorageUse> taken;
  std::int64_t bytes = 0;
  for (const StorageUse& use : uses) {
    if (bytes >= needed) break;
    taken.push_back(use);
    bytes += use.freed;
  }
  std::int64_t spare = bytes - needed;
  for (std::size_t i = taken.size(); i-- > 0;) {
    if (taken[i].freed > spare) continue;
    spare -= taken[i].freed;
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return taken;
}

std::int64_t bytes_of(const std::vector<StorageUse>& uses) {
  std::int64_t bytes = 0;
  for (const StorageUse& use : uses) bytes += use.bytes;
  return bytes;
}

std::int64_t freed_by(const std::vector<StorageUse>& uses) {
  std::int64_t bytes = 0;
  for (const StorageUse& use : uses) bytes += use.freed;
  return bytes;
}

}  // namespace

double waiting_for(std::vector<StorageUse> copied, double forward_time, const HostChannel& channel) {
  if (!channel.overlaps) return 2 * channel.picoseconds_per_byte * static_cast<double>(bytes_of(copied));
  std::ranges::stable_sort(copied, {}, &StorageUse::last_in_forward);
  double free_at = 0;
  for (const StorageUse& use : copied) {
    free_at = std::max(free_at, use.last_in_forward) + channel.picoseconds_per_byte * static_cast<double>(use.bytes);
  }
  double waiting = std::max(0.0, free_at - forward_time);
  std::ranges::stable_sort(copied, {}, &StorageUse::first_in_backward);
  double arrived = 0, late = 0;
  for (const StorageUse& use : copied) {
    arrived += channel.picoseconds_per_byte * static_cast<double>(use.bytes);
    late = std::max(late, arrived - use.first_in_backward);
  }
  return waiting + late;
}

std::optional<Copies> choose_copies(const std::vector<StorageUse>& uses, std::int64_t needed, double forward_time,
                                    const HostChannel& channel) {
  if (needed <= 0) return Copies{};
  if (freed_by(uses) < needed) return std::nullopt;
  std::optional<Copies> best;
  const auto try_order = [&](const auto& key) {
    std::vector<StorageUse> ordered = uses;
    std::ranges::stable_sort(ordered, {}, key);
    Copies copies{take_first(ordered, needed), 0, 0};
    copies.bytes = bytes_of(copies.copied);
    if (copies.bytes > channel.most_bytes) return;
    copies.waiting = waiting_for(copies.copied, forward_time, channel);
    if (!best || copies.waiting < best->waiting) best = std::move(copies);
  };
  try_order([](const StorageUse& use) { return use.last_in_forward - use.first_in_backward; });
  try_order([](const StorageUse& use) { return use.last_in_forward; });
  try_order([](const StorageUse& use) { return -use.first_in_backward; });
  try_order([](const StorageUse& use) { return use.bytes; });
  try_order([](const StorageUse& use) { return static_cast<double>(use.bytes) / static_cast<double>(use.freed); });
  return best;
}

}  // namespace fxcut
