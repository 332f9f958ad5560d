#include "policy/names.h"

#include <algorithm>
#include <optional>

#include "text/comma_list.h"

namespace fxcut {
namespace {

// The name that a naming operator gives: its first argument that is a string.
std::optional<std::string> given_name(const Node& node) {
  for (const Argument& argument : node.arguments->positional) {
    if (argument.kind == Argument::Kind::String) return argument.text;
  }
  const Argument* name = node.arguments->find("name");
  return name && name->kind == Argument::Kind::String ? std::optional(name->text) : std::nullopt;
}

bool share_memory(const Node& a, const Node& b) {
  return a.storage() && a.storage() == b.storage();
}

}  // namespace

std::vector<std::string> naming_operators(const Settings& settings) {
  std::vector<std::string> targets = split_at_commas(settings.naming_operators);
  std::erase(targets, "");
  return targets;
}

bool is_naming(const Node& node, const std::vector<std::string>& naming_operators) {
  return node.is_call() &&
         std::find(naming_operators.begin(), naming_operators.end(), node.callee->target) != naming_operators.end();
}

namespace {

// The node whose memory this node shares, if it is a view or a name.
std::optional<NodeId> viewed(const Graph& graph, const Node& node, const std::vector<std::string>& naming_operators) {
  const auto source = node_argument(node, 0);
  if (!node.is_call() || !source) return std::nullopt;
  const bool views = node.callee->is(Operator::View) || share_memory(node, graph[*source]);
  // An item of a tuple of views is a view of what all of them view.
  const bool is_item_of_views =
      node.calls("operator.getitem") && graph[*source].is_call() && graph[*source].callee->is(Operator::View);
  return is_naming(node, naming_operators) || views || is_item_of_views ? source : std::nullopt;
}

bool is_part(const Node& view, const Node& whole) {
  return view.has_tensor() && whole.has_tensor() &&
         element_bytes(view.value->tensor) < element_bytes(whole.value->tensor);
}

}  // namespace

std::vector<NodeId> same_values(const Graph& graph, const std::vector<std::string>& naming_operators) {
  std::vector<NodeId> same(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto source = viewed(graph, graph.nodes[i], naming_operators);
    const NodeId whole = source ? same[index_of(*source)] : node_id(i);
    same[i] = is_part(graph.nodes[i], graph[whole]) ? node_id(i) : whole;
  }
  return same;
}

std::vector<NodeId> whole_values(const Graph& graph, const std::vector<NodeId>& same,
                                 const std::vector<std::string>& naming_operators) {
  std::vector<NodeId> wholes(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto source = viewed(graph, graph.nodes[i], naming_operators);
    wholes[i] = source ? wholes[index_of(same[index_of(*source)])] : node_id(i);
  }
  return wholes;
}

std::vector<NodeId> copied_values(const Graph& graph, const std::vector<NodeId>& same) {
  std::vector<NodeId> copied(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const bool is_copy = graph.nodes[i].calls("aten.clone.default");
    const auto source = is_copy ? node_argument(graph.nodes[i], 0) : std::nullopt;
    copied[i] = source ? copied[index_of(same[index_of(*source)])] : node_id(i);
  }
  return copied;
}

std::vector<NamedValue> find_names(const Graph& graph, const std::vector<NodeId>& same,
                                   const std::vector<std::string>& naming_operators) {
  std::vector<NamedValue> names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const auto add = [&](std::string name) { names.push_back({std::move(name), node_id(i), same[i]}); };
    if (is_naming(node, naming_operators)) {
      if (auto name = given_name(node)) add(std::move(*name));
    }
    if (node.provenance && !node.provenance->checkpoint_name.empty()) add(node.provenance->checkpoint_name);
  }
  return names;
}

}  // namespace fxcut
