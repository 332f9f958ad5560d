// The operators that copy a value between device and host: one table for all code that creates, times or skips them.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Copies to its device argument.
inline constexpr std::string_view kDevicePut = "prims.device_put.default";
// On a separate stream; a wait has the copy and its source as arguments.
inline constexpr std::string_view kOffload = "ao.offload.default";
inline constexpr std::string_view kReload = "ao.reload.default";
inline constexpr std::string_view kWaitTensor = "ao.wait_tensor.default";
// XLA's counterparts of a copy.
inline constexpr std::string_view kPlaceToHost = "xla.place_to_host.default";
inline constexpr std::string_view kPlaceToDevice = "xla.place_to_device.default";

// The prefix of the names of copies in host memory, before the names of their values.
inline constexpr std::string_view kOnHost = "cpu_offload_";

// Whether the call copies, in either direction.
bool is_host_copy(const Node& call);

// Whether it copies to the host; also in a graph traced on the CPU, where the copy's device does not distinguish.
bool copies_to_host(const Node& node);

}  // namespace fxcut
