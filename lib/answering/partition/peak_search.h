// A limit of the peak that the finished graphs meet.
#pragma once

#include <memory>
#include <optional>

#include "partition/partition.h"

namespace fxcut {

// The partition under the limit in the settings (peak_bytes_limit; `least`: the lowest peak that is found). The decision uses
// a simulation of the step's memory (peak/step_simulation.h); if additions of later passes, such as states of random
// generators, raise the peak above the limit, it is repeated with a lower one. With `memory_of: compiled` the limit is on the
// predicted peak of compiled code (compiled_peak_search.h). The report's `peak_limit` has the quality of the result. Throws
// Failure (NoPartition) if no decision within the limit was found, with the lowest peak that was.
Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies = {},
                                const HaltRequested& halt = kNeverHalt, const PassDone& done = kNoProgress,
                                const std::optional<ForcedTag>& forced = {});

struct Basis {
  Settings settings;
  std::shared_ptr<const Decision> decision;  // null: decide() makes it under the settings
};

// What decisions can be compared with that of the settings: where these limit the peak, the decision within it, and settings that
// decide in one search, within its saved bytes and with the means that it uses (best_means.h). With recompute_again the settings
// are returned unchanged. Throws what partition_within_peak() does.
Basis basis_of_comparisons(const JointGraph& joint, const Settings& given, const PolicyStack& policies,
                           const HaltRequested& halt);

}  // namespace fxcut
