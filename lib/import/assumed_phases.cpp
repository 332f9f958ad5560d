#include "import/assumed_phases.h"

#include "classify/operator_table.h"
#include "import/name_references.h"

namespace fxcut {
namespace {

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

}  // namespace

std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs) {
  const std::size_t forward_end = find_forward_end(graph, num_forward_outputs);
  std::vector<PartitionerTag> tags(graph.nodes.size(), PartitionerTag::None);
  std::vector<bool> depends(graph.nodes.size(), false);
  for (std::size_t i = 0; i + 1 < graph.nodes.size(); ++i) {
    const TextNode& node = graph.nodes[i];
    depends[i] = is_tangent_input(node);
    for (const std::size_t input : inputs_of(graph, i)) depends[i] = depends[i] || depends[input];
    const bool is_input = node.opcode == Opcode::Placeholder;
    const bool writes = node.opcode == Opcode::CallFunction && make_operator(node.target).mutates;
    const bool is_forward = !depends[i] && (i <= forward_end || writes || is_input);
    tags[i] = is_forward ? PartitionerTag::IsForward : PartitionerTag::IsBackward;
  }
  return tags;
}

}  // namespace fxcut
