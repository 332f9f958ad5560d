#include "offload/copies.h"

#include <algorithm>
#include <utility>

#include "classify/host_copies.h"
#include "classify/make_call.h"
#include "classify/operator_table.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

Argument sizes_argument(const Sizes& sizes) {
  Argument list;
  list.kind = Argument::Kind::List;
  for (const Size& size : sizes) {
    Argument& item = list.items.emplace_back();
    item.kind = size.expression ? Argument::Kind::Symbolic : Argument::Kind::Int;
    item.integer = size.hint;
    if (size.expression) append_size(size, item.text);
  }
  return list;
}

}  // namespace

std::shared_ptr<const Value> moved_value(const Value& value, const std::string& device) {
  Value moved = value;
  if (moved.tensor.device != device) moved.tensor.storage.reset();
  moved.tensor.device = device;
  return std::make_shared<const Value>(std::move(moved));
}

Node make_device_put(NodeId source, const std::string& device, std::shared_ptr<const Value> value, std::string name) {
  static const Operator callee = make_operator(kDevicePut);
  Arguments arguments = references(1);
  arguments.positional.push_back(device_argument(device));
  arguments.keyword.emplace_back("non_blocking", bool_argument(true));
  return make_call(callee, std::move(arguments), {source}, std::move(value), std::move(name));
}

Node make_copy(std::string_view target, NodeId source, std::shared_ptr<const Value> value, std::string name) {
  static const Operator callees[] = {make_operator(kOffload), make_operator(kPlaceToHost), make_operator(kPlaceToDevice)};
  const Operator& callee = *std::ranges::find(callees, target, &Operator::target);
  return make_call(callee, references(1), {source}, std::move(value), std::move(name));
}

Node make_reload(NodeId source, const Tensor& original, std::string name) {
  Value value;
  value.kind = Value::Kind::Tensor;
  value.tensor = original;
  value.tensor.storage.reset();
  Node node = make_plain_reload(source, original.device, std::make_shared<const Value>(std::move(value)), std::move(name));
  Arguments arguments = *node.arguments;
  arguments.positional.push_back(sizes_argument(original.shape));
  arguments.positional.push_back(sizes_argument(original.stride));
  node.arguments = std::make_shared<const Arguments>(std::move(arguments));
  return node;
}

Node make_plain_reload(NodeId source, const std::string& device, std::shared_ptr<const Value> value, std::string name) {
  static const Operator callee = make_operator(kReload);
  Arguments arguments = references(1);
  arguments.positional.push_back(device_argument(device));
  return make_call(callee, std::move(arguments), {source}, std::move(value), std::move(name));
}

Node make_wait(NodeId copy, std::optional<NodeId> source, std::shared_ptr<const Value> value, std::string name) {
  static const Operator callee = make_operator(kWaitTensor);
  std::vector<NodeId> inputs = {copy};
  if (source) inputs.push_back(*source);
  Arguments arguments = references(inputs.size());
  return make_call(callee, std::move(arguments), std::move(inputs), std::move(value), std::move(name));
}

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
                          NodeId before, const std::string& name, Namespace& names, Release release) {
  const auto on_device = moved_value(*editing.graph[source].value, original.device);
  const auto add = [&](Node node) { return editing.add_before(before, std::move(node)); };
  switch (dialect) {
    case OffloadDialect::Aten: return add(make_device_put(source, original.device, on_device, names.create(name)));
    case OffloadDialect::Xla: return add(make_copy(kPlaceToDevice, source, on_device, names.create(name)));
    case OffloadDialect::Ao: break;
  }
  if (!release.has(Change::ReloadsRestoreLayout)) {
    const NodeId copy = add(make_plain_reload(source, original.device, on_device, names.create("async_" + name)));
    return add(make_wait(copy, std::nullopt, on_device, names.create(name)));
  }
  const NodeId start = add(make_reload(source, original, names.create("async_" + name)));
  return add(make_wait(start, source, editing.graph[start].value, names.create(name)));
}

}  // namespace fxcut
