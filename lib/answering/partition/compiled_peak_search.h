// A limit of the peak that compiled code keeps to.
//
// Decisions are made within limits of the operators' peak (operators_limits.h), and the memory of each one's code is predicted. A
// search by the code's own peak then starts from these decisions (peak/save_within_compiled_peak.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "diagnostic/attempt.h"
#include "diagnostic/diagnostic.h"
#include "partition/operators_limits.h"
#include "partition/partition.h"
#include "peak/save_within_compiled_peak.h"
#include "settings/memory_limit.h"

namespace fxcut {

// The best partition under a limit of the operators' peak; its report also has the memory of compiled code.
using DecideWithinPeak = std::function<Attempt<Partition>(const MemoryLimit&)>;

// The partition found by such a search; nothing if there is none.
using SearchNear = std::function<std::optional<Partition>(const CompiledPeakRequest&)>;

// Partitions that were not made for a limit of the peak, and may be within one all the same; with their peak_limit.
using MakeOthers = std::function<std::vector<Partition>()>;

// The partition that recomputes least among those whose code is predicted to take no more than `limit`; with the limit `least`,
// the one whose code takes least. It is chosen from at most five partitions under limits of the operators' peak, the first with
// none, up to two by `near`, which may be empty, and `others`. With Spread::Many, if the decision without a limit does not fit,
// up to eight more are made for `near` to start from, at the operators' lowest peak and above, until `halt` says that time is up.
// With `least` they always are; then the second search by `near` is within the peak that the first has found, from decisions
// whose code comes close to that as well. Its bounds on recomputation and on the peak are those that `near` has proven. The
// failure if there is none has the lowest peak found.
Attempt<Partition> partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide,
                                                  const SearchNear& near = {}, Spread spread = Spread::Few,
                                                  const HaltRequested& halt = kNeverHalt, const MakeOthers& others = {});

}  // namespace fxcut
