#include "policy/policy_subjects.h"

#include <fmt/format.h>

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

std::string describe(const PolicyMatch& match) {
  std::vector<std::string> parts;
  if (match.node) parts.push_back("node " + match.node->text());
  if (match.kind) parts.push_back(fmt::format("kind {}", name_of(*match.kind)));
  if (match.name) parts.push_back("name " + match.name->text());
  if (match.op) parts.push_back("op " + match.op->text());
  if (match.module) parts.push_back("module " + match.module->text());
  if (match.dtype) parts.push_back("dtype " + *match.dtype);
  if (match.min_bytes) parts.push_back(fmt::format("at least {} bytes", *match.min_bytes));
  if (match.max_bytes) parts.push_back(fmt::format("at most {} bytes", *match.max_bytes));
  if (match.ac_graph_id) parts.push_back(fmt::format("region {}", *match.ac_graph_id));
  if (match.every != 1) parts.push_back(fmt::format("every {}", match.every));
  return parts.empty() ? "everything" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace fxcut
