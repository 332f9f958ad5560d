#include "policy/policy_subjects.h"

#include <algorithm>

namespace fxcut {
namespace {

bool is_of_backward(const Node& node) {
  return is_tangent(node) || node.meta.tag == PartitionerTag::IsBackward ||
         node.meta.tag == PartitionerTag::MustBeInBackward;
}

}  // namespace

std::vector<bool> find_subjects(const Graph& graph) {
  std::vector<bool> in_backward(graph.size(), false), subjects(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const auto depends = [&](NodeId input) { return in_backward[index_of(input)]; };
    in_backward[i] = is_of_backward(node) || std::any_of(node.inputs.begin(), node.inputs.end(), depends);
    subjects[i] = !in_backward[i] && (node.is_call() || is_primal(node));
  }
  return subjects;
}

NodeId computing_node(const Graph& graph, NodeId id) {
  const auto tuple = node_argument(graph[id], 0);
  const bool is_item = graph[id].calls("operator.getitem") && tuple && graph[*tuple].is_call();
  return is_item && !graph[*tuple].callee->is(Operator::View) ? *tuple : id;
}

}  // namespace fxcut
