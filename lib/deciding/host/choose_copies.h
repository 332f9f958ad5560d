// Which of the saved storages are copied to the host, so that the rest stays within a limit.
//
// Copies share a channel in each direction. To the host a storage goes after its last use in the forward, which waits at
// its end for the last of them; back it comes from the begin of the backward on, in the order of first uses, each of which
// waits for it. So the storages of early layers are the ones to copy: they have the longest time, and late ones cannot
// hide.
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
