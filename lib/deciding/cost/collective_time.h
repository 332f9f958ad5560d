// Run times of collectives on a device's links.
//
// A ring of n ranks sends each rank (n - 1) / n of the whole buffer to gather, to reduce and scatter, or to exchange it, and
// twice that to reduce it everywhere (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
// 2009; NCCL's tests count the same "bus bandwidth").
#pragma once

#include "cost/device_profile.h"
#include "graph/graph.h"

namespace fxcut {

// Milliseconds that the collective takes whose larger side, operands or results, has that many bytes. Of a group that the device
// lists: its latency, and the ring's share of the bytes at its rate, where the number of ranks is known from the call or the
// list. Else all bytes, of an all-reduce twice, at the rate of the device's links, or of its memory.
double collective_ms(const Node& call, double bytes, const DeviceProfile& device);

}  // namespace fxcut
