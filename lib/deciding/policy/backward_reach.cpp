#include "policy/backward_reach.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "classify/purity.h"
#include "policy/names.h"

namespace fxcut {
namespace {

std::vector<bool> depends_on_gradient(const Graph& graph) {
  std::vector<bool> depends(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    depends[i] = is_tangent(node) || std::any_of(node.inputs.begin(), node.inputs.end(),
                                                 [&](NodeId input) { return depends[index_of(input)]; });
  }
  return depends;
}

std::vector<bool> find_own(const JointGraph& joint, const std::vector<bool>& depends) {
  const Graph& graph = joint.graph;
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  const std::size_t num_forward = std::min(joint.num_forward_outputs, outputs.size());
  const std::vector<bool> needed = needed_for(graph, std::span(outputs).first(num_forward));
  std::vector<bool> own(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    own[i] = node.is_call() && !depends[i] && !needed[i] && !is_random(node) && !is_impure(node);
  }
  return own;
}

std::vector<bool> find_needed(const Graph& graph, const std::vector<bool>& depends, const std::vector<bool>& kept) {
  std::vector<bool> needed = depends;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (graph.nodes[i].is_output()) needed[i] = false;
    if (!needed[i] || kept[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) needed[index_of(input)] = true;
  }
  return needed;
}

}  // namespace

BackwardReach find_backward_reach(const JointGraph& joint, const std::vector<bool>& kept) {
  const std::vector<bool> depends = depends_on_gradient(joint.graph);
  return {find_own(joint, depends), find_needed(joint.graph, depends, kept)};
}

bool is_needed_without_name(const Graph& graph, const Users& users, NodeId input, const std::vector<bool>& needed,
                            const std::vector<NodeId>& same, const std::vector<std::string>& naming_operators) {
  std::vector<NodeId> open = {input};  // the input, and views of it that have no name yet
  std::unordered_set<NodeId> seen;     // a view may have several inputs
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    if (graph[id].provenance && !graph[id].provenance->checkpoint_name.empty()) continue;
    for (const NodeId user : users.of(id)) {
      if (is_naming(graph[user], naming_operators)) continue;
      if (same[index_of(user)] == input) {
        open.push_back(user);
      } else if (needed[index_of(user)]) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace fxcut
