#include "step/forward_ends.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "step/backward_regions.h"

namespace fxcut {
namespace {

bool is_forward_call(const Node& node) { return node.is_call() && !node.meta.is_after_loss(); }

// For each node, whether an output or an effect needs it.
std::vector<bool> find_live(const Graph& step) {
  std::vector<bool> live(step.size(), false);
  for (std::size_t i = 0; i < step.size(); ++i) live[i] = is_impure(step.nodes[i]);
  mark_ancestors(step, live);
  return live;
}

// The same for what the forward returns and does.
std::vector<bool> find_needed_by_forward(const Graph& step) {
  std::vector<bool> needed(step.size(), false);
  for (std::size_t i = 0; i < step.size(); ++i) needed[i] = is_forward_call(step.nodes[i]) && is_impure(step.nodes[i]);
  for (const OutputLeaf& leaf : output_leaves(step)) {
    if (leaf.node && !step[*leaf.node].meta.is_after_loss()) needed[index_of(*leaf.node)] = true;
  }
  mark_ancestors(step, needed);
  return needed;
}

class Ends {
 public:
  explicit Ends(const Graph& step) : step_(step), live_(find_live(step)), uses_calls_(step.size(), false) {
    for (std::size_t i = 0; i < step.size(); ++i) {
      for (const NodeId input : step.nodes[i].inputs) {
        const Node& given = step[input];
        const bool passes_on = given.is_call() && computes_nothing(step, given);
        if (given.is_call() && (!passes_on || uses_calls_[index_of(input)])) uses_calls_[i] = true;
      }
    }
  }

  std::optional<std::size_t> before(std::size_t position) const {
    for (std::size_t i = position; i-- > 0;) {
      const Node& node = step_.nodes[i];
      if (is_forward_call(node) && live_[i] && uses_calls_[i] && !computes_nothing(step_, node)) return i;
    }
    return std::nullopt;
  }

 private:
  const Graph& step_;
  const std::vector<bool> live_;
  std::vector<bool> uses_calls_;  // by node, through views
};

}  // namespace

std::vector<NodeId> find_unreturned_ends(const Graph& step) {
  std::vector<NodeId> found;
  const std::vector<bool> needed = find_needed_by_forward(step);
  const Ends ends(step);
  for (const BackwardRegion& region : backward_regions(step, find_backward(step))) {
    const std::optional<std::size_t> end = ends.before(region.begin);
    if (!end || needed[*end]) continue;
    if (found.empty() || found.back() != node_id(*end)) found.push_back(node_id(*end));
  }
  return found;
}

}  // namespace fxcut
