#include "import/assumed_phases.h"

#include <algorithm>

#include "classify/operator_table.h"

namespace fxcut {
namespace {

void for_each_name(const PythonExpression& expression, const auto& visit) {
  if (expression.is(PythonExpression::Kind::Name)) visit(expression.text);
  for (const PythonExpression& item : expression.items) for_each_name(item, visit);
  for (const auto& keyword : expression.keywords) for_each_name(keyword.value, visit);
}

// The positions of the earlier nodes that node number `reader` uses, in order; may repeat.
std::vector<std::size_t> inputs_of(const TextGraph& graph, std::size_t reader) {
  std::vector<std::size_t> inputs;
  const auto add = [&](const std::string& name) {
    const auto found = graph.index.find(name);
    if (found != graph.index.end() && found->second < reader) inputs.push_back(found->second);
  };
  for (const PythonExpression& argument : graph.nodes[reader].arguments) for_each_name(argument, add);
  for (const auto& keyword : graph.nodes[reader].keywords) for_each_name(keyword.value, add);
  return inputs;
}

bool is_tangent_input(const TextNode& node) {
  return node.opcode == Opcode::Placeholder && node.target.find("tangents") != std::string::npos;
}

// The last node on which the forward's outputs depend.
std::size_t find_forward_end(const TextGraph& graph, std::size_t num_forward_outputs) {
  const PythonExpression& returned = graph.nodes.back().arguments[0];
  std::size_t end = 0;
  const auto needs = [&](const std::string& name) {
    const auto found = graph.index.find(name);
    if (found != graph.index.end() && found->second + 1 < graph.nodes.size()) end = std::max(end, found->second);
  };
  for (std::size_t i = 0; i < std::min(num_forward_outputs, returned.items.size()); ++i) {
    for_each_name(returned.items[i], needs);
  }
  return end;
}

bool keeps_for_backward(const TextNode& node) {
  return node.target == "aten.detach.default" || node.target == "aten.alias.default";
}

// Whether the node, which no output of the forward needs, still belongs to its input in the forward: it is an item of the
// input's results, or the detached value that autograd keeps of it. The backward detaches that once more.
bool belongs_to_input(const TextGraph& graph, const TextNode& node, const std::vector<std::size_t>& inputs) {
  if (node.target == "operator.getitem") return true;
  return keeps_for_backward(node) && !inputs.empty() && !keeps_for_backward(graph.nodes[inputs[0]]);
}

bool is_tagged_forward(const std::vector<PartitionerTag>& tags, const std::vector<std::size_t>& inputs) {
  return !inputs.empty() && tags[inputs[0]] == PartitionerTag::IsForward;
}

}  // namespace

std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs) {
  const std::size_t forward_end = find_forward_end(graph, num_forward_outputs);
  std::vector<PartitionerTag> tags(graph.nodes.size(), PartitionerTag::None);
  std::vector<bool> depends(graph.nodes.size(), false);
  bool backward_began = false;
  for (std::size_t i = 0; i + 1 < graph.nodes.size(); ++i) {
    const TextNode& node = graph.nodes[i];
    depends[i] = is_tangent_input(node);
    const std::vector<std::size_t> inputs = inputs_of(graph, i);
    for (const std::size_t input : inputs) depends[i] = depends[i] || depends[input];
    const bool is_input = node.opcode == Opcode::Placeholder;
    const bool writes = node.opcode == Opcode::CallFunction && make_operator(node.target).mutates;
    backward_began = backward_began || (depends[i] && !is_input);
    const bool is_kept = !backward_began && belongs_to_input(graph, node, inputs) && is_tagged_forward(tags, inputs);
    const bool is_forward = !depends[i] && (i <= forward_end || is_input || is_kept);
    const bool is_epilogue = !depends[i] && writes && !is_forward;
    tags[i] = is_forward    ? PartitionerTag::IsForward
              : is_epilogue ? PartitionerTag::MustBeInForward
                            : PartitionerTag::IsBackward;
  }
  return tags;
}

}  // namespace fxcut
