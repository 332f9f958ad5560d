#include "classify/signs_of_relus.h"

#include <memory>
#include <utility>

#include "classify/make_call.h"
#include "classify/operator_table.h"

namespace fxcut {

std::optional<NodeId> value_of_gradient(const Graph& graph, const Node& node) {
  if (!node.calls("aten.threshold_backward.default") || !node_argument(node, 0) || !node_argument(node, 1) ||
      node.arguments->positional.size() != 3) {
    return std::nullopt;
  }
  const Argument& threshold = node.arguments->positional[2];
  if (threshold.kind != Argument::Kind::Int || threshold.integer != 0) return std::nullopt;
  NodeId value = *node_argument(node, 1);
  while (graph[value].is_call() && graph[value].packet() == "aten.detach") value = graph[value].inputs.front();
  return graph[value].has_tensor() ? std::optional(value) : std::nullopt;
}

std::string name_of_signs(const Node& value) { return value.name + "_le"; }

Node signs_of(const Node& value, NodeId id, std::string name, std::int64_t storage) {
  static const Operator le = make_operator("aten.le.Scalar");
  Value result = *value.value;
  result.tensor.dtype = find_dtype("bool");
  result.tensor.storage = storage;
  Arguments arguments = references(1);
  arguments.positional.push_back(int_argument(0));
  return make_call(le, std::move(arguments), {id}, std::make_shared<const Value>(std::move(result)), std::move(name));
}

}  // namespace fxcut
