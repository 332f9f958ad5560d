#include "soundness/last_needs.h"

#include <algorithm>
#include <utility>

#include "classify/purity.h"

namespace fxcut {

LastNeeds::LastNeeds(const JointGraph& joint, const Histories& histories)
    : joint_(joint), histories_(histories), is_backward_(joint.graph.size(), false), need_(joint.graph.size(), 0) {
  find_backward();
  find_needs();
}

void LastNeeds::find_backward() {
  const Graph& graph = joint_.graph;
  first_ = graph.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.is_output()) continue;
    is_backward_[i] = is_tangent(node) || must_be_in_backward(node) ||
                      std::ranges::any_of(node.inputs, [&](NodeId input) { return is_backward_[index_of(input)]; });
    if (is_backward_[i] && first_ == graph.size() && uses_gradient(graph, node)) first_ = i;
  }
}

// Values that the backward's own nodes use exist before the first of these: a whole step recomputes them there at the latest,
// while other graphs may drop and recompute them again. Values needed only by recomputed ones come with the last of these.
void LastNeeds::find_needs() {
  const Graph& graph = joint_.graph;
  const std::size_t output = graph.size() - 1;
  std::vector<bool> is_used_in_order(graph.size(), false);
  const std::vector<OutputLeaf> leaves = output_leaves(graph);
  for (std::size_t i = joint_.num_forward_outputs; i < leaves.size(); ++i) {
    if (!leaves[i].node) continue;
    need_[index_of(*leaves[i].node)] = output;
    is_used_in_order[index_of(*leaves[i].node)] = true;
  }
  for (std::size_t i = output; i-- > 0;) {
    const bool in_order = runs_in_order(i);
    for (const NodeId id : graph.nodes[i].inputs) {
      const std::size_t input = index_of(id);
      if (in_order && joint_.step) need_[input] = i;  // the first use is the last one found
      else if (in_order) need_[input] = std::max(need_[input], i);
      else if (!joint_.step || !is_used_in_order[input]) need_[input] = std::max(need_[input], need_[i]);
      if (in_order) is_used_in_order[input] = true;
    }
  }
}

const std::vector<History>& LastNeeds::shortened(History history) {
  const auto [known, is_new] = shortened_.try_emplace(history);
  if (is_new) {
    std::vector<History>& all = known->second;
    all.push_back(history);
    while (history != kUntouched && runs_in_order(index_of(histories_.last_write(history)))) {
      all.push_back(history = histories_.before(history));
    }
    std::ranges::reverse(all);
  }
  return known->second;
}

std::vector<Found> LastNeeds::before_last_need(std::size_t call, std::vector<Found> at_end) {
  for (Found& found : at_end) {
    const std::vector<History>& all = shortened(found.history);
    // The first is the shortest; each other ends in a write that the backward runs in order.
    const auto later = std::ranges::partition_point(
        all.begin() + 1, all.end(), [&](History history) { return index_of(histories_.last_write(history)) < need_[call]; });
    found.history = *(later - 1);
  }
  std::erase_if(at_end, [](const Found& found) { return found.history == kUntouched; });
  return at_end;
}

}  // namespace fxcut
