#include "graph/graph.h"

#include <algorithm>

namespace fxcut {
namespace {

bool placeholder_named(const Node& node, std::string_view part) {
  return node.is_placeholder() && node.target.find(part) != std::string::npos;
}

std::int64_t after_storages(const Value& value) {
  std::int64_t after = value.is_tensor() ? value.tensor.storage.value_or(-1) + 1 : 0;
  for (const Value& item : value.items) after = std::max(after, after_storages(item));
  return after;
}

}  // namespace

Users::Users(const Graph& graph) : begin_(graph.size() + 2, 0) {
  // Two passes of a counting sort; `last` keeps a user with a repeated input from being counted twice.
  std::vector<std::uint32_t> last(graph.size(), kNoOrigin);
  const auto for_each_use = [&](const auto& use) {
    std::fill(last.begin(), last.end(), kNoOrigin);
    for (std::uint32_t user = 0; user < graph.size(); ++user) {
      for (const NodeId input : graph.nodes[user].inputs) {
        if (std::exchange(last[index_of(input)], user) != user) use(index_of(input), user);
      }
    }
  };
  for_each_use([&](std::size_t input, std::uint32_t) { ++begin_[input + 2]; });
  for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  users_.resize(begin_.back());
  for_each_use([&](std::size_t input, std::uint32_t user) { users_[begin_[input + 1]++] = node_id(user); });
}

bool is_unbacked(const JointGraph& joint, const std::string& symbol) {
  const auto found = joint.symbols.find(symbol);
  if (found != joint.symbols.end()) return !found->second.backed;
  return symbol.starts_with('u') || symbol.starts_with("zuf");
}

std::size_t count_calls(const Graph& graph) {
  return static_cast<std::size_t>(std::ranges::count_if(graph.nodes, &Node::is_call));
}

std::vector<OutputLeaf> output_leaves(const Graph& graph) {
  std::vector<OutputLeaf> leaves;
  const Node& output = graph.output();
  for (const Argument& argument : output.arguments->positional) {
    for_each_leaf(argument, [&](const Argument& leaf) {
      if (leaf.kind == Argument::Kind::Node) {
        leaves.push_back({output.inputs[leaf.index], nullptr});
      } else {
        leaves.push_back({std::nullopt, &leaf});
      }
    });
  }
  return leaves;
}

void mark_ancestors(const Graph& graph, std::vector<bool>& marked) {
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!marked[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) marked[index_of(input)] = true;
  }
}

std::vector<bool> needed_for(const Graph& graph, std::span<const OutputLeaf> outputs) {
  std::vector<bool> needed(graph.size(), false);
  for (const OutputLeaf& output : outputs) {
    if (output.node) needed[index_of(*output.node)] = true;
  }
  mark_ancestors(graph, needed);
  return needed;
}

std::int64_t first_unused_storage(const Graph& graph) {
  std::int64_t first = 0;
  for (const Node& node : graph.nodes) first = std::max(first, node.value ? after_storages(*node.value) : 0);
  return first;
}

std::vector<std::string> placeholder_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.is_placeholder()) names.push_back(node.name);
  }
  return names;
}

std::set<std::string_view> attribute_names(const Graph& graph) {
  std::set<std::string_view> names;
  for (const Node& node : graph.nodes) {
    if (node.opcode == Opcode::GetAttr) names.insert(node.target);
  }
  return names;
}

const Argument* argument_of(const Node& call, std::optional<std::size_t> position, std::string_view name) {
  const auto& positional = call.arguments->positional;
  return position && *position < positional.size() ? &positional[*position] : call.arguments->find(name);
}

std::optional<NodeId> node_argument(const Node& node, std::size_t position) {
  if (!node.is_call() || position >= node.arguments->positional.size()) return std::nullopt;
  const Argument& argument = node.arguments->positional[position];
  if (argument.kind != Argument::Kind::Node) return std::nullopt;
  return node.inputs[argument.index];
}

std::optional<std::int64_t> item_position(const Node& node) {
  if (!node.calls("operator.getitem") || node.arguments->positional.size() < 2) return std::nullopt;
  const Argument& key = node.arguments->positional[1];
  return key.kind == Argument::Kind::Int ? std::optional(key.integer) : std::nullopt;
}

const Subgraph* find_subgraph(const JointGraph& joint, const Node& call, std::size_t position) {
  const auto attribute = node_argument(call, position);
  if (!attribute || joint.graph[*attribute].opcode != Opcode::GetAttr) return nullptr;
  const auto found = std::find_if(joint.subgraphs.begin(), joint.subgraphs.end(),
                                  [&](const auto& named) { return named.name == joint.graph[*attribute].target; });
  return found == joint.subgraphs.end() ? nullptr : &found->subgraph;
}

bool is_tangent(const Node& node) { return placeholder_named(node, "tangents"); }

bool uses_gradient(const Graph& graph, const Node& node) {
  return node.meta.is_after_loss() ||
         std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) { return is_tangent(graph[input]); });
}

bool is_forward_seed(const Node& node) {
  return placeholder_named(node, "fwd_seed") || placeholder_named(node, "fwd_base_offset");
}

bool is_backward_seed(const Node& node) {
  return placeholder_named(node, "bwd_seed") || placeholder_named(node, "bwd_base_offset");
}

bool is_primal(const Node& node) {
  return node.is_placeholder() && !is_tangent(node) && !is_forward_seed(node) && !is_backward_seed(node);
}

bool is_backward_state(const Node& node) {
  return node.is_placeholder() && node.value && node.value->kind == Value::Kind::BackwardState;
}

bool is_assert_only(const Graph& graph, const Users& users, NodeId id) {
  const Node& node = graph[id];
  if (!node.value || node.value->kind != Value::Kind::SymBool) return false;
  const auto users_of = users.of(id);
  return !users_of.empty() && std::all_of(users_of.begin(), users_of.end(),
                                        [&](NodeId user) { return graph[user].calls("aten._assert_scalar.default"); });
}

std::vector<NodeId> find_nodes(const Graph& graph, bool (*matches)(const Node&)) {
  std::vector<NodeId> found;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (matches(graph.nodes[i])) found.push_back(node_id(i));
  }
  return found;
}

bool is_opaque(const Node& node) { return node.value && node.value->kind == Value::Kind::Opaque; }

bool is_script_object(const Node& node) {
  return is_opaque(node) && node.value->type_name.find("ScriptObject") != std::string::npos;
}

}  // namespace fxcut
