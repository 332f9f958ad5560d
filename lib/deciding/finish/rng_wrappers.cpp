#include "finish/rng_wrappers.h"

#include "classify/make_call.h"
#include "classify/operator_table.h"

namespace fxcut {
namespace {

Node make_wrapper(const Operator& callee, const Node& wrapped, Arguments arguments, std::vector<NodeId> inputs,
                  std::shared_ptr<const Value> value, std::string name) {
  Node node = make_call(callee, std::move(arguments), std::move(inputs), std::move(value), std::move(name));
  node.wrapped = std::make_shared<const std::string>(wrapped.name);
  return node;
}

// The wrapped call's arguments after the operator itself.
Arguments operator_first(const Node& wrapped) {
  Arguments arguments = *wrapped.arguments;
  Argument op;
  op.kind = Argument::Kind::Operator;
  op.text = wrapped.callee->target;
  op.callee = wrapped.callee;
  arguments.positional.insert(arguments.positional.begin(), std::move(op));
  return arguments;
}

}  // namespace

Node make_run_and_save(const Node& wrapped, std::int64_t state_bytes, std::string name) {
  static const Operator callee = make_operator("higher_order.run_and_save_rng_state");
  Value both;
  both.kind = Value::Kind::Tuple;
  both.items = {*state_value(state_bytes), wrapped.value ? *wrapped.value : Value{}};
  return make_wrapper(callee, wrapped, operator_first(wrapped), wrapped.inputs, std::make_shared<const Value>(std::move(both)),
                      std::move(name));
}

Node make_run_with(const Node& wrapped, NodeId state, std::string name) {
  static const Operator callee = make_operator("higher_order.run_with_rng_state");
  Arguments arguments = operator_first(wrapped);
  std::vector<NodeId> inputs = wrapped.inputs;
  arguments.positional.insert(arguments.positional.begin(), reference_to_input(inputs.size()));
  inputs.push_back(state);
  return make_wrapper(callee, wrapped, std::move(arguments), std::move(inputs), wrapped.value, std::move(name));
}

Node make_graph_safe(const Node& wrapped, NodeId generator, std::string name) {
  static const Operator callee = make_operator("higher_order.graphsafe_run_with_rng_state");
  Arguments arguments = operator_first(wrapped);
  std::vector<NodeId> inputs = wrapped.inputs;
  arguments.keyword.emplace_back("rng_state", reference_to_input(inputs.size()));
  inputs.push_back(generator);
  return make_wrapper(callee, wrapped, std::move(arguments), std::move(inputs), wrapped.value, std::move(name));
}

std::shared_ptr<const Value> state_value(std::int64_t size_bytes) {
  Value value;
  value.kind = Value::Kind::Tensor;
  value.tensor.dtype = find_dtype("uint8");
  value.tensor.shape = {{size_bytes, nullptr}};
  value.tensor.stride = {{1, nullptr}};
  value.tensor.device = "cpu";
  return std::make_shared<const Value>(std::move(value));
}

std::shared_ptr<const Value> generator_value() {
  Value value;
  value.kind = Value::Kind::Opaque;
  value.type_name = "Generator";
  return std::make_shared<const Value>(std::move(value));
}

Node make_getitem(NodeId tuple, std::int64_t position, std::string name) {
  static const Operator callee = make_operator("operator.getitem");
  return make_call(callee, {{reference_to_input(0), int_argument(position)}, {}}, {tuple}, nullptr, std::move(name));
}

Node make_placeholder(std::string target, std::string name) {
  Node node;
  node.opcode = Opcode::Placeholder;
  node.target = std::move(target);
  node.name = std::move(name);
  node.arguments = std::make_shared<const Arguments>();
  return node;
}

}  // namespace fxcut
