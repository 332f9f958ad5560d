// A limit of the peak that compiled code keeps to.
//
// Decisions are made within limits of the operators' peak (operators_limits.h), and the memory of each one's code is predicted.
// What is found so is where a search by the code's own peak begins (peak/save_within_compiled_peak.h).
#pragma once

#include <functional>

#include "diagnostic/diagnostic.h"
#include "peak/save_within_compiled_peak.h"
#include "pipeline/operators_limits.h"
#include "pipeline/pipeline.h"
#include "settings/memory_limit.h"

namespace fxcut {

// The best partition under a limit of the operators' peak; its report also has the memory of compiled code. Throws Failure
// (NoPartition) if there is none.
using DecideWithinPeak = std::function<Partition(const MemoryLimit&)>;

// The partition that such a search ends with. Throws Failure (NoPartition) if there is none.
using SearchNear = std::function<Partition(const CompiledPeakSearch&)>;

// Of at most five partitions within limits of the operators' peak, the first without one, and up to two by `near`, which may be
// empty, the one that recomputes least of those whose code is predicted to take no more than `limit`; of the limit `least` the
// one whose code takes least. With Spread::Many, where what is decided without a limit does not fit, up to eight more are made
// for `near` to begin from, at the operators' lowest peak and above, until `halt` says that there is no time. How far it is from
// the least recomputation, and from the least peak of all, is what `near` has proven. Throws Failure (NoPartition) with the
// lowest peak that was found.
Partition partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide, const SearchNear& near = {},
                                         Spread spread = Spread::Few, const HaltRequested& halt = kNeverHalt);

// Of no decision within the limit, with the lowest peak that was found.
Failure above_limit_compiled(const MemoryLimit& limit, const PredictedMemoryReport& lowest);

}  // namespace fxcut
