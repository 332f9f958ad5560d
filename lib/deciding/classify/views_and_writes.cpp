#include "classify/views_and_writes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fxcut {
namespace {

bool shares_storage(const Node& input, const Tensor& tensor) {
  return input.has_tensor() && tensor.storage && input.value->tensor.storage == tensor.storage;
}

using Names = std::unordered_set<std::string_view>;

// auto_functionalized(op, name=value, ...) clones the arguments that `op` writes to.
std::vector<const Argument*> written_to(const Node& call) {
  std::vector<const Argument*> cloned;
  const auto& [positional, keyword] = *call.arguments;
  const Operator* wrapped = positional.empty() ? nullptr : positional.front().callee;
  if (!wrapped) return cloned;
  const Names names(wrapped->mutable_arguments.begin(), wrapped->mutable_arguments.end());
  for (const auto& [name, value] : keyword) {
    if (names.contains(name)) cloned.push_back(&value);
  }
  return cloned;
}

// triton_kernel_wrapper_functional(tensors_to_clone=[names], kwargs={name: value}).
std::vector<const Argument*> named_to_be_cloned(const Node& call) {
  std::vector<const Argument*> cloned;
  const Argument* to_clone = call.arguments->find("tensors_to_clone");
  const Argument* tensors = call.arguments->find("kwargs");
  if (!to_clone || !tensors) return cloned;
  Names names;
  for (const Argument& name : to_clone->items) names.insert(name.text);
  for (std::size_t i = 0; i < tensors->keys.size(); ++i) {
    if (names.contains(tensors->keys[i])) cloned.push_back(&tensors->items[i]);
  }
  return cloned;
}

std::vector<NodeId> each_once(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

bool waits_for_argument(const Node& call) {
  return call.calls("ao.wait_tensor.default") || call.calls("_c10d_functional.wait_tensor.default");
}

std::optional<NodeId> find_returned_input(const Node& call) {
  if (waits_for_argument(call) && !call.inputs.empty()) return call.inputs.front();
  const Argument* out = call.callee->is_collective() && call.callee->mutates ? call.arguments->find("out") : nullptr;
  if (!out || out->kind != Argument::Kind::Node) return std::nullopt;
  return call.inputs[out->index];
}

bool computes_nothing(const Graph& graph, const Node& call) {
  if (call.callee->mutates) return false;
  if (call.callee->is(Operator::View) || call.calls("operator.getitem") || waits_for_argument(call)) return true;
  if (call.calls("_c10d_functional.wait_tensors.default")) return true;
  return call.has_tensor() && std::any_of(call.inputs.begin(), call.inputs.end(), [&](NodeId input) {
           return shares_storage(graph[input], call.value->tensor);
         });
}

bool copies_elements(const Node& call) {
  constexpr std::array<std::string_view, 3> kCopies = {"prims.convert_element_type", "aten._to_copy", "aten.clone"};
  return std::ranges::find(kCopies, call.callee->packet) != kCopies.end();
}

std::vector<const Argument*> cloned_arguments(const Node& call) {
  if (call.calls("higher_order.auto_functionalized")) return written_to(call);
  if (call.calls("higher_order.triton_kernel_wrapper_functional")) return named_to_be_cloned(call);
  return {};
}

bool writes(const Node& node) { return node.is_call() && node.callee->mutates; }

std::vector<NodeId> written_inputs(const Node& call) {
  const Operator& op = *call.callee;
  std::vector<NodeId> written;
  for (std::size_t i = 0; i < op.mutable_arguments.size(); ++i) {
    const std::optional<std::size_t> position = op.mutable_positions[i];
    const Argument* given = argument_of(call, position, op.mutable_arguments[i]);
    if (!given && !position) return each_once(call.inputs);
    if (!given) continue;  // its default, which is not a tensor
    for_each_leaf(*given, [&](const Argument& leaf) {
      if (leaf.kind == Argument::Kind::Node) written.push_back(call.inputs[leaf.index]);
    });
  }
  return each_once(op.mutable_arguments.empty() ? call.inputs : written);
}

}  // namespace fxcut
