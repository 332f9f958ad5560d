#include "offload/dialects.h"

#include "classify/host_copies.h"
#include "offload/copies.h"

namespace fxcut {

NodeId add_copy_to_host(Editing& editing, OffloadDialect dialect, NodeId source, NodeId after, const std::string& name,
                        Namespace& names) {
  const std::string host = "cpu";
  const auto on_host = moved_value(*editing.graph[source].value, host);
  const auto add = [&](Node node) { return after = editing.add_after(after, std::move(node)); };
  switch (dialect) {
    case OffloadDialect::Aten: return add(make_device_put(source, host, on_host, names.create(name)));
    case OffloadDialect::Xla: return add(make_copy(kPlaceToHost, source, on_host, names.create(name)));
    case OffloadDialect::Ao: break;
  }
  const NodeId start = add(make_copy(kOffload, source, on_host, names.create("async_" + name)));
  return add(make_wait(start, source, on_host, names.create(name)));
}

NodeId add_copy_from_host(Editing& editing, OffloadDialect dialect, NodeId source, const Tensor& original,
                          NodeId before, const std::string& name, Namespace& names) {
  const auto on_device = moved_value(*editing.graph[source].value, original.device);
  const auto add = [&](Node node) { return editing.add_before(before, std::move(node)); };
  switch (dialect) {
    case OffloadDialect::Aten: return add(make_device_put(source, original.device, on_device, names.create(name)));
    case OffloadDialect::Xla: return add(make_copy(kPlaceToDevice, source, on_device, names.create(name)));
    case OffloadDialect::Ao: break;
  }
  const NodeId start = add(make_reload(source, original, names.create("async_" + name)));
  return add(make_wait(start, source, editing.graph[start].value, names.create(name)));
}

}  // namespace fxcut
