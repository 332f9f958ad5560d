#include "cost/fusibility.h"

#include <algorithm>

namespace fxcut {
namespace {

constexpr std::string_view kTritonWrapper = "higher_order.triton_kernel_wrapper_functional";

bool refers_to(const Node& call, const Argument& argument, NodeId id) {
  return argument.kind == Argument::Kind::Node && call.inputs[argument.index] == id;
}

bool is_or_holds(const Node& call, const Argument& argument, NodeId id) {
  if (refers_to(call, argument, id)) return true;
  return argument.kind == Argument::Kind::List &&
         std::any_of(argument.items.begin(), argument.items.end(),
                     [&](const Argument& item) { return refers_to(call, item, id); });
}

// auto_functionalized(op, ...) clones what `op` writes to.
bool fuses_into_auto_functionalized(const Node& user, NodeId producer) {
  if (!user.calls("higher_order.auto_functionalized") || user.arguments->positional.empty()) return false;
  const Operator* wrapped = user.arguments->positional.front().callee;
  if (!wrapped) return false;
  for (const std::string& name : wrapped->mutable_arguments) {
    const Argument* argument = user.arguments->find(name);
    if (argument && is_or_holds(user, *argument, producer)) return true;
  }
  return false;
}

// triton_kernel_wrapper_functional(tensors_to_clone=[names], kwargs={name: value}).
bool fuses_into_triton_wrapper(const Node& user, NodeId producer) {
  if (!user.calls(kTritonWrapper)) return false;
  const Argument* cloned = user.arguments->find("tensors_to_clone");
  const Argument* kwargs = user.arguments->find("kwargs");
  if (!cloned || !kwargs) return false;
  for (std::size_t i = 0; i < kwargs->keys.size(); ++i) {
    const bool is_cloned = std::any_of(cloned->items.begin(), cloned->items.end(),
                                       [&](const Argument& name) { return name.text == kwargs->keys[i]; });
    if (is_cloned && refers_to(user, kwargs->items[i], producer)) return true;
  }
  return false;
}

bool is_item_of_triton_wrapper(const Graph& graph, const Node& node) {
  return node.calls("operator.getitem") && !node.inputs.empty() && graph[node.inputs.front()].calls(kTritonWrapper);
}

}  // namespace

bool is_fusible(const Graph& graph, NodeId producer, NodeId user) {
  const Node& a = graph[producer];
  const Node& b = graph[user];
  if (!b.is_call()) return false;
  const bool both_fuse = a.is_call() && a.callee->is(Operator::Fusible) && b.callee->is(Operator::Fusible);
  if (both_fuse && !is_item_of_triton_wrapper(graph, a)) return true;
  return b.callee->packet == "aten.cat" || fuses_into_auto_functionalized(b, producer) ||
         fuses_into_triton_wrapper(b, producer);
}

}  // namespace fxcut
