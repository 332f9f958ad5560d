// The nodes that copy a value between a device and the host.
//
// On the device's own stream a copy is one node, prims.device_put, that the device waits for. On a stream of its own it
// is two: ao.offload or ao.reload starts the copy, and ao.wait_tensor waits for it; the wait also takes the source, so
// that its memory is not reused while it is read.
#pragma once

#include <string>

#include "graph/graph.h"

namespace fxcut {

// What the value is on the host, or, given the device, back on it. A copy to where the value is already is the value.
std::shared_ptr<const Value> moved_value(const Value& value, const std::string& device);

// prims.device_put.default(source, device, non_blocking=True).
Node make_device_put(NodeId source, const std::string& device, std::shared_ptr<const Value> value, std::string name);

// ao.offload.default(source).
Node make_offload(NodeId source, std::shared_ptr<const Value> value, std::string name);

// ao.reload.default(source, device, sizes, strides), these of `original`.
Node make_reload(NodeId source, const Tensor& original, std::string name);

// xla.place_to_host.default(source) and xla.place_to_device.default(source).
Node make_place_to_host(NodeId source, std::shared_ptr<const Value> value, std::string name);
Node make_place_to_device(NodeId source, std::shared_ptr<const Value> value, std::string name);

// ao.wait_tensor.default(copy, source).
Node make_wait(NodeId copy, NodeId source, std::shared_ptr<const Value> value, std::string name);

}  // namespace fxcut
