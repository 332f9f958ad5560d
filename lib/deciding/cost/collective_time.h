// Run times of collectives on a device's links.
//
// A ring of n ranks sends each rank (n - 1) / n of the whole buffer to gather, to reduce and scatter, or to exchange it, and
// twice that to reduce it everywhere (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
// 2009; NCCL's tests count the same "bus bandwidth").
#pragma once

#include "cost/device_profile.h"
#include "graph/graph.h"

namespace fxcut {

// Milliseconds that a collective takes; `bytes` is the larger of its operands and results. For a group that the device lists, if
// the call or the list has the number of ranks: the group's latency, plus the ring's share of the bytes at the group's rate.
// Otherwise all bytes, twice for an all-reduce, at the rate of the device's links or of its memory.
double collective_ms(const Node& call, double bytes, const DeviceProfile& device);

}  // namespace fxcut
