// The memory of a partition, by verify's own count.
#pragma once

#include "partition/partition.h"
#include "verify/counted_memory.h"

namespace fxcut {

// `joint` is the graph as it was read.
CountedMemory count_partition(const JointGraph& joint, const Partition& partition);

}  // namespace fxcut
