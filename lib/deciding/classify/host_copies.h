// The operators that copy a value between a device and the host: one table for all that make, time or look through them.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Both ways: its device says which.
inline constexpr std::string_view kDevicePut = "prims.device_put.default";
// On a stream of their own; who waits for them takes the copy and its source.
inline constexpr std::string_view kOffload = "ao.offload.default";
inline constexpr std::string_view kReload = "ao.reload.default";
inline constexpr std::string_view kWaitTensor = "ao.wait_tensor.default";
// What XLA puts in the place of a copy.
inline constexpr std::string_view kPlaceToHost = "xla.place_to_host.default";
inline constexpr std::string_view kPlaceToDevice = "xla.place_to_device.default";

// What the names of copies on the host begin with; their values' names follow.
inline constexpr std::string_view kOnHost = "cpu_offload_";

// Whether the call copies, whichever way.
bool is_host_copy(const Node& call);

// Whether it copies to the host; also in a graph that was traced on the CPU, where the copy's device tells nothing.
bool copies_to_host(const Node& node);

}  // namespace fxcut
