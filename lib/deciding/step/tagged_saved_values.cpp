#include "step/tagged_saved_values.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "classify/purity.h"

namespace fxcut {

SavedValues tagged_saved_values(const JointGraph& joint, const Roles& roles) {
  const Graph& graph = joint.graph;
  std::vector<bool> is_needed(graph.size(), false);  // in the backward
  SavedValues choice{.by = ByDefaultPartitioner{}};
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) is_needed[index_of(*outputs[i].node)] = true;
  }
  for (std::size_t i = graph.size() - 1; i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!is_needed[i] && !roles.tangents_closure[i]) continue;
    const bool is_computed = roles.tangents_closure[i] || node.opcode == Opcode::GetAttr ||
                             (node.is_call() && node.must_recompute() && !is_impure(node));
    if (!is_computed) {
      choice.saved.push_back(node_id(i));
    } else {
      for (const NodeId input : node.inputs) is_needed[index_of(input)] = true;
    }
  }
  std::reverse(choice.saved.begin(), choice.saved.end());
  return choice;
}

bool saves_as_tagged(const SavedValues& choice, const JointGraph& joint, const Roles& roles) {
  std::vector<NodeId> saved = choice.saved, tagged = tagged_saved_values(joint, roles).saved;
  std::ranges::sort(saved);
  std::ranges::sort(tagged);
  std::vector<NodeId> others;
  std::ranges::set_symmetric_difference(saved, tagged, std::back_inserter(others));
  return std::ranges::all_of(others, [&](NodeId id) { return joint.graph[id].has_symbol(); });
}

}  // namespace fxcut
