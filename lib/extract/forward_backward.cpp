#include "extract/forward_backward.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "extract/symbol_bindings.h"

namespace fxcut {
namespace {

std::vector<NodeId> placeholders(const Graph& graph, bool (*is_wanted)(const Node&)) {
  std::vector<NodeId> found;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_wanted(graph.nodes[i])) found.push_back(node_id(i));
  }
  return found;
}

template <typename... Lists>
std::vector<NodeId> concatenate(const Lists&... lists) {
  std::vector<NodeId> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

// A collective that nobody waits for but a dead wait_tensor.
bool is_used(const Graph& backward, const Users& users, NodeId id) {
  const auto takers = users.of(id);
  return !std::all_of(takers.begin(), takers.end(), [&](NodeId user) {
    return backward[user].calls("_c10d_functional.wait_tensor.default") && users.of(user).empty();
  });
}

// The names of the placeholders that need not be passed on: nothing uses them, or they are the backward state, which
// travels on its own.
std::set<std::string_view> unused_placeholders(const Graph& backward) {
  const Users users(backward);
  std::set<std::string_view> unused;
  for (std::size_t i = 0; i < backward.size(); ++i) {
    const Node& node = backward.nodes[i];
    if (!node.is_placeholder()) continue;
    if (!is_used(backward, users, node_id(i)) || is_backward_state(node)) unused.insert(node.name);
  }
  return unused;
}

// Sorts the saved nodes by what they are.
Crossing sort_saved(const Graph& graph, const Users& users, const std::vector<NodeId>& saved) {
  Crossing sorted;
  for (const NodeId id : saved) {
    if (graph[id].has_symbol()) {
      if (!is_assert_only(graph, users, id)) sorted.symbols.push_back(id);
    } else if (is_opaque(graph[id])) {
      sorted.opaques.push_back(id);
    } else {
      sorted.values.push_back(id);
    }
  }
  return sorted;
}

// Drops what the backward does not use. A backward state that is used is no saved value, but is passed on all the same.
void drop_unused(const Graph& graph, const Graph& backward, Crossing& crossing) {
  const std::set<std::string_view> unused = unused_placeholders(backward);
  for (auto* list : {&crossing.values, &crossing.opaques, &crossing.symbols}) {
    std::erase_if(*list, [&](NodeId id) { return unused.contains(graph[id].name); });
  }
}

std::vector<OutputLeaf> as_outputs(const std::vector<NodeId>& nodes) {
  std::vector<OutputLeaf> outputs;
  for (const NodeId id : nodes) outputs.push_back({id, nullptr});
  return outputs;
}

}  // namespace

ForwardBackward extract_forward_backward(const JointGraph& joint, const Users& users, const Roles& roles,
                                         const std::vector<NodeId>& saved) {
  const Graph& graph = joint.graph;
  const auto tangents = placeholders(graph, is_tangent), backward_seeds = placeholders(graph, is_backward_seed);
  const auto backward_states = placeholders(graph, is_backward_state);
  std::vector<OutputLeaf> forward_outputs = output_leaves(graph);
  const auto border = forward_outputs.begin() + static_cast<std::ptrdiff_t>(joint.num_forward_outputs);
  const std::vector<OutputLeaf> backward_outputs(border, forward_outputs.end());
  forward_outputs.erase(border, forward_outputs.end());

  Crossing crossing = sort_saved(graph, users, saved);
  const auto extract_backward = [&](const std::vector<NodeId>& inputs) {
    return extract_graph(graph, inputs, backward_outputs, Side::Backward);
  };
  const Extracted trial =
      extract_backward(concatenate(crossing.symbols, crossing.opaques, crossing.values, tangents, backward_seeds));
  drop_unused(graph, trial.graph, crossing);
  crossing.symbols = bind_symbols(joint, crossing.symbols, concatenate(crossing.values, tangents));
  std::stable_partition(crossing.values.begin(), crossing.values.end(),
                        [&](NodeId id) { return !graph[id].meta.saved_without_version_check; });

  const std::vector<OutputLeaf> saved_outputs =
      as_outputs(concatenate(crossing.values, crossing.opaques, crossing.symbols));
  forward_outputs.insert(forward_outputs.end(), saved_outputs.begin(), saved_outputs.end());
  Extracted forward = extract_graph(graph, roles.inputs, forward_outputs, Side::Forward);
  Extracted backward = extract_backward(
      concatenate(crossing.symbols, crossing.values, crossing.opaques, tangents, backward_seeds, backward_states));
  return {std::move(forward), std::move(backward), std::move(crossing)};
}

}  // namespace fxcut
