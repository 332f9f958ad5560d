// Chooses the saved storages to copy to the host, so that the rest stays within a limit.
//
// Copies share a channel in each direction. A storage is copied to the host after its last use in the forward, whose end waits
// for the last copy; it is copied back from the start of the backward on, in the order of first uses, each of which waits for its
// copy. So storages of early layers are the ones to copy: they have the most time, and copies of late ones cannot be hidden.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/host_channel.h"
#include "host/storage_uses.h"

namespace fxcut {

struct Copies {
  std::vector<StorageUse> copied;
  std::int64_t bytes = 0;  // of host memory
  double waiting = 0;  // picoseconds for which forward and backward wait
};

// The time for which the step waits if these are copied.
double waiting_for(std::vector<StorageUse> copied, double forward_time, const HostChannel& channel);

// Copies that free at least `needed` bytes, among `uses`, chosen so that the step waits for them as little as it can; none if
// that is not possible.
std::optional<Copies> choose_copies(const std::vector<StorageUse>& uses, std::int64_t needed, double forward_time,
                                    const HostChannel& channel);

}  // namespace fxcut
