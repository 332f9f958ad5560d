// Nodes that copy a value between a device and the host, and their order in each dialect.
//
// On the device's own stream a copy is one node, prims.device_put, that the device waits for. On a separate stream it
// is two: ao.offload or ao.reload starts the copy, and ao.wait_tensor waits for it; the source is an argument of the
// wait, too, so that its memory is not reused while it is read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/editing.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "settings/settings.h"

namespace fxcut {

// The value in host memory, or, given the device, back on it. A copy to the same device is the value itself.
std::shared_ptr<const Value> moved_value(const Value& value, const std::string& device);

// prims.device_put.default(source, device, non_blocking=True).
Node make_device_put(NodeId source, const std::string& device, std::shared_ptr<const Value> value, std::string name);

// The copy by an operator whose only argument is the source: kOffload, kPlaceToHost or kPlaceToDevice.
Node make_copy(std::string_view target, NodeId source, std::shared_ptr<const Value> value, std::string name);

// ao.reload.default(source, device, sizes, strides), with those of `original`.
Node make_reload(NodeId source, const Tensor& original, std::string name);

// ao.reload.default(source, device): what has the layout of the copy.
Node make_plain_reload(NodeId source, const std::string& device, std::shared_ptr<const Value> value, std::string name);

// ao.wait_tensor.default(copy, source), or with the copy alone.
Node make_wait(NodeId copy, std::optional<NodeId> source, std::shared_ptr<const Value> value, std::string name);

// Adds the copy of a tensor to the host after a node, and returns it. `names` creates its name from `name`; in the
// dialect ao the node that starts the copy has a name with the prefix "async_".
NodeId add_copy_to_host(Editing& editing, OffloadDialect dialect, NodeId source, NodeId after, const std::string& name,
                        Namespace& names);

// The same for a copy of `source` from the host back to the device of `original`; its nodes are added before a node. In the
// dialect ao it has the layout of `original`, if the release restores that.
NodeId add_copy_from_host(Editing& editing, OffloadDialect dialect, NodeId source, const Tensor& original,
                          NodeId before, const std::string& name, Namespace& names, Release release);

}  // namespace fxcut
