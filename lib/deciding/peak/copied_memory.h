// The memory of storages that are copied to the host and back, in a simulated step.
//
// A copy to the host frees its memory when it ends, and a copy from the host takes memory when it begins. In the dialect ao both
// follow the clock of the computing stream (offload/copy_times.h): copies in one direction share a channel, and a copy from the
// host begins as late as computation can still hide it, where offload/offload.h puts it in the graphs. In the other dialects
// the graphs have each copy right after the last use and right before the first, whether or not it runs beside computation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/int128.h"
#include "host/host_channel.h"
#include "host/storage_uses.h"

namespace fxcut {

// Memory of a simulated step; steps are of the forward, then of the backward.
struct SimulatedMemory {
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  std::uint32_t first_step = 0, last_step = 0;
  std::int64_t bytes = 0;
  NodeId node{0};  // that made it
  bool in_backward = false;
  bool is_form = false;  // of fewer bits, of the node's value
};

struct CopyChannel {
  HostChannel channel;
  const std::vector<Int128>& run_times;  // by node, picoseconds
};

struct StorageCopy {
  NodeId value;
  bool is_form = false;  // of fewer bits, of the value
  std::int64_t bytes = 0;                                                          // that the channel carries
  std::uint32_t forward = SimulatedMemory::kNowhere, backward = SimulatedMemory::kNowhere;  // its memories on both sides
  std::uint32_t first_use = SimulatedMemory::kNowhere;                                  // the step of the backward
};

struct StepsOfSides {
  std::span<const NodeId> steps;
  std::size_t forward_steps = 0;
};

// Sets the last step of the copies' memory in the forward, which before is that of the last use, and its first step in the
// backward. Returns the picoseconds for which the step waits.
double place_copies(const std::vector<StorageCopy>& copies, const StepsOfSides& sides, const CopyChannel& channel,
                    std::vector<SimulatedMemory>& memories);

}  // namespace fxcut
