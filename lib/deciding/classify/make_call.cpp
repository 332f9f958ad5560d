#include "classify/make_call.h"

#include <utility>

namespace fxcut {
namespace {

Argument argument(Argument::Kind kind) {
  Argument made;
  made.kind = kind;
  return made;
}

Argument named(Argument::Kind kind, std::string text) {
  Argument made = argument(kind);
  made.text = std::move(text);
  return made;
}

}  // namespace

Node make_call(const Operator& callee, Arguments arguments, std::vector<NodeId> inputs, std::shared_ptr<const Value> value,
               std::string name) {
  Node node;
  node.name = std::move(name);
  node.callee = &callee;
  node.arguments = std::make_shared<const Arguments>(std::move(arguments));
  node.inputs = std::move(inputs);
  node.value = std::move(value);
  return node;
}

Arguments references(std::size_t count) {
  Arguments arguments;
  for (std::size_t i = 0; i < count; ++i) arguments.positional.push_back(reference_to_input(i));
  return arguments;
}

Argument int_argument(std::int64_t number) {
  Argument made = argument(Argument::Kind::Int);
  made.integer = number;
  return made;
}

Argument float_argument(double number) {
  Argument made = argument(Argument::Kind::Float);
  made.real = number;
  return made;
}

Argument bool_argument(bool is_true) {
  Argument made = argument(Argument::Kind::Bool);
  made.integer = is_true ? 1 : 0;
  return made;
}

Argument dtype_argument(const Dtype& dtype) { return named(Argument::Kind::Dtype, std::string(dtype.name)); }

Argument device_argument(const std::string& device) { return named(Argument::Kind::Device, device); }

}  // namespace fxcut
