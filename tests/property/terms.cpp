#include "terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace fxcut {
namespace {

using Term = Terms::Term;

constexpr std::array<std::string_view, 4> kCopies = {"prims.device_put.default", "ao.offload.default",
                                                     "ao.reload.default", "ao.wait_tensor.default"};

std::string text_of(const Argument& argument, const std::vector<Term>& inputs) {
  if (argument.kind == Argument::Kind::Node) return fmt::format("#{}", inputs[argument.index]);
  std::string text = fmt::format("{}:{}:{}:{}:{}(", static_cast<int>(argument.kind), argument.integer, argument.real,
                                 argument.imaginary, argument.text);
  for (std::size_t i = 0; i < argument.items.size(); ++i) {
    if (i < argument.keys.size()) text += argument.keys[i] + "=";
    text += text_of(argument.items[i], inputs) + ",";
  }
  return text + ")";
}

// A call of `target` with positional arguments and the node's keyword arguments.
std::string call_text(std::string_view target, std::span<const Argument> positional, const Node& node,
                      const std::vector<Term>& inputs) {
  std::string text = fmt::format("{}(", target);
  for (const Argument& argument : positional) text += text_of(argument, inputs) + ",";
  for (const auto& [key, argument] : node.arguments->keyword) text += key + "=" + text_of(argument, inputs) + ",";
  return text + ")";
}

std::string state_before(Term drawn) { return fmt::format("the state that {} is drawn from", drawn); }

}  // namespace

std::vector<Term> Terms::of_outputs(const Graph& graph, const std::map<std::string, Term>& inputs) {
  std::vector<Term> terms;               // by node
  std::map<std::size_t, Term> drawn_by;  // by node that returns a state and a result: the result
  for (const Node& node : graph.nodes) {
    std::vector<Term> operands;
    for (const NodeId input : node.inputs) operands.push_back(terms[index_of(input)]);
    if (node.is_placeholder()) {
      terms.push_back(inputs.at(node.name));
    } else if (!node.is_call()) {
      terms.push_back(make(node.target));
    } else if (std::find(kCopies.begin(), kCopies.end(), node.callee->target) != kCopies.end()) {
      terms.push_back(operands.front());
    } else if (node.calls("higher_order.run_and_save_rng_state")) {
      const std::span<const Argument> arguments = node.arguments->positional;
      const Term drawn = make(call_text(arguments[0].text, arguments.subspan(1), node, operands));
      drawn_by.emplace(terms.size(), drawn);
      terms.push_back(make(fmt::format("({}, {})", make(state_before(drawn)), drawn)));
    } else if (node.calls("higher_order.run_with_rng_state")) {
      const std::span<const Argument> arguments = node.arguments->positional;
      const Term drawn = make(call_text(arguments[1].text, arguments.subspan(2), node, operands));
      const Term state = operands[arguments[0].index];
      terms.push_back(state == make(state_before(drawn)) ? drawn : make(fmt::format("{} under {}", drawn, state)));
    } else if (node.calls("operator.getitem") && drawn_by.contains(index_of(node.inputs.front()))) {
      const Term drawn = drawn_by.at(index_of(node.inputs.front()));
      terms.push_back(node.arguments->positional[1].integer == 1 ? drawn : make(state_before(drawn)));
    } else {
      terms.push_back(make(call_text(node.callee->target, node.arguments->positional, node, operands)));
    }
  }
  std::vector<Term> outputs;
  for (const OutputLeaf& leaf : output_leaves(graph)) {
    outputs.push_back(leaf.node ? terms[index_of(*leaf.node)] : make(text_of(*leaf.constant, {})));
  }
  return outputs;
}

}  // namespace fxcut
