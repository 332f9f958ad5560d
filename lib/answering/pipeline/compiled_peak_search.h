// A limit of the peak that compiled code keeps to.
//
// Decisions are made under limits of the operators' peak, but compiled code takes another amount (inductor/predict_memory.h). So
// that limit is corrected by what is predicted of each decision's code: by the ratio of the two at first, then between a limit
// whose code takes too much and one whose code fits. fxcut.fit does the same with the code that inductor generates.
#pragma once

#include <functional>

#include "pipeline/pipeline.h"
#include "settings/memory_limit.h"

namespace fxcut {

// The best partition under a limit of the operators' peak, whose report has the memory of compiled code, too. Throws Failure
// (NoPartition) if there is none.
using DecideWithinPeak = std::function<Partition(const MemoryLimit&)>;

// Of at most five partitions, the first without a limit, one whose code is predicted to take no more than `limit`: the first that
// takes 98 % of it or needs no limit, else the largest; of the limit `least` the lowest. How far from the least recomputation it
// is, is known of the first only. Throws Failure (NoPartition) with the lowest peak that was found.
Partition partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide);

}  // namespace fxcut
