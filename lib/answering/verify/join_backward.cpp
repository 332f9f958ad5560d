#include "verify/join_backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "graph/rebuild.h"

namespace fxcut {
namespace {

// Nodes with a get_attr of a subgraph refer to it under a name that no other part has.
constexpr std::string_view kOfWeightPart = "weight part: ";

bool has_subgraph(const Subgraphs& subgraphs, const std::string& name) {
  return std::ranges::any_of(subgraphs, [&](const NamedSubgraph& one) { return one.name == name; });
}

// For each gradient, whether it is that of a parameter or buffer: there is one for each primal, in their order, then those of
// values from other stages.
std::vector<bool> of_weights_in(const JointGraph& joint) {
  std::vector<bool> of_weights;
  for (const Node& node : joint.graph.nodes) {
    if (!is_primal(node)) continue;
    const bool is_mesh = is_opaque(node) && !of_weights.empty();  // belongs to the DTensor whose local tensor precedes it
    of_weights.push_back(is_mesh ? bool(of_weights.back()) : node.meta.static_lifetime);
  }
  of_weights.resize(output_leaves(joint.graph).size() - joint.num_forward_outputs, false);
  return of_weights;
}

// The node of the first part for each input of the second.
std::vector<NodeId> handed_over(const Graph& first, const std::vector<OutputLeaf>& returned, const Graph& second,
                                std::vector<Mismatch>& mismatches) {
  std::vector<NodeId> nodes;
  for (const Node& node : second.nodes) {
    if (!node.is_placeholder()) continue;
    const std::size_t position = nodes.size();
    const std::optional<NodeId> given = position < returned.size() ? returned[position].node : std::nullopt;
    const std::string name = given ? first[*given].name : "nothing";
    if (name != node.name) {
      mismatches.push_back(
          {fmt::format("weight part: input {}", position), name + ", which the input part returns there", node.name});
    }
    nodes.push_back(given.value_or(kNoNode));
  }
  if (nodes.size() < returned.size()) {
    mismatches.push_back({"weight part: inputs", fmt::format("{} values", returned.size()), fmt::format("{}", nodes.size())});
  }
  return nodes;
}

// Appends the calls of the second part to those of the first; returns their new nodes, by node of the second.
std::vector<NodeId> append(const JointGraph& second, const std::vector<NodeId>& handed, Graph& whole) {
  std::vector<NodeId> now;
  auto next = handed.begin();
  for (const Node& node : second.graph.nodes) {
    if (node.is_placeholder()) {
      now.push_back(*next++);
      continue;
    }
    if (node.is_output()) break;
    Node moved = node;
    for (NodeId& input : moved.inputs) input = now[index_of(input)];
    if (node.opcode == Opcode::GetAttr && has_subgraph(second.subgraphs, node.target)) {
      moved.target = std::string(kOfWeightPart) + node.target;
    }
    whole.nodes.push_back(std::move(moved));
    now.push_back(node_id(whole.size() - 1));
  }
  return now;
}

}  // namespace

JointGraph join_backward(const JointGraph& joint, const JointGraph& input_part, const JointGraph& weight_part,
                         std::vector<Mismatch>& mismatches) {
  const std::vector<bool> of_weights = of_weights_in(joint);
  const auto num_gradients = static_cast<std::size_t>(std::ranges::count(of_weights, false));
  std::vector<OutputLeaf> first = output_leaves(input_part.graph), second = output_leaves(weight_part.graph);
  const std::size_t own = std::min(num_gradients, first.size());
  const std::vector<OutputLeaf> held(first.begin() + static_cast<std::ptrdiff_t>(own), first.end());
  const std::vector<NodeId> handed = handed_over(input_part.graph, held, weight_part.graph, mismatches);
  if (std::ranges::count(handed, kNoNode) > 0) return input_part;
  first.resize(own);
  JointGraph whole = input_part;
  whole.graph.nodes.pop_back();
  using Owners = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  whole.graph.operators = std::make_shared<const Owners>(input_part.graph.operators, weight_part.graph.operators);
  const std::vector<NodeId> now = append(weight_part, handed, whole.graph);
  for (OutputLeaf& leaf : second) {
    if (leaf.node) leaf.node = now[index_of(*leaf.node)];
  }
  std::vector<OutputLeaf> gradients;
  std::size_t inputs = 0, weights = 0;
  for (const bool is_weight : of_weights) {
    const std::vector<OutputLeaf>& part = is_weight ? second : first;
    std::size_t& next = is_weight ? weights : inputs;
    if (next < part.size()) gradients.push_back(part[next++]);
  }
  for (; weights < second.size(); ++weights) gradients.push_back(second[weights]);
  whole.graph.nodes.push_back(returning(input_part.graph.output(), gradients));
  for (const NamedSubgraph& named : weight_part.subgraphs) {
    whole.subgraphs.push_back({std::string(kOfWeightPart) + named.name, named.subgraph});
  }
  return whole;
}

}  // namespace fxcut
