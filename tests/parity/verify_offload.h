// What holds of values that spend the time between forward and backward on the host.
#pragma once

#include <string>
#include <vector>

#include "verify_partition.h"

namespace fxcut {

// What is wrong, a sentence each; empty where all holds:
// - only values marked should_offload are offloaded or reported as refused, never both, and of those that the forward
//   has none is passed over; without the setting there are neither;
// - the forward copies an offloaded value to the host, and nothing takes the value behind the beginning of the copy;
// - the backward copies it back to its device, nothing there takes the host's copy otherwise, and the value itself is
//   not there;
// - the report's totals are the sums of its rows.
std::vector<std::string> verify_offload(const Json& joint, const WrittenPartition& written);

}  // namespace fxcut
