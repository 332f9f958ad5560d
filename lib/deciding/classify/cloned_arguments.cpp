#include "classify/cloned_arguments.h"

#include <string_view>
#include <unordered_set>

namespace fxcut {
namespace {

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

}  // namespace

std::vector<const Argument*> cloned_arguments(const Node& call) {
  if (call.calls("higher_order.auto_functionalized")) return written_to(call);
  if (call.calls("higher_order.triton_kernel_wrapper_functional")) return named_to_be_cloned(call);
  return {};
}

}  // namespace fxcut
