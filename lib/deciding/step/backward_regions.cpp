#include "step/backward_regions.h"

#include <algorithm>

namespace fxcut {

bool has_annotated_backward(const Graph& step) {
  return std::ranges::any_of(step.nodes, [](const Node& node) { return node.meta.backward_phase; });
}

std::vector<bool> find_backward(const Graph& step) {
  const bool by_phase = has_annotated_backward(step);
  std::vector<bool> is_backward;
  is_backward.reserve(step.size());
  for (const Node& node : step.nodes) {
    is_backward.push_back(by_phase ? node.meta.backward_phase : node.meta.autograd_backward);
  }
  return is_backward;
}

void mark_as_backward(Node& node, bool is_annotated) {
  node.meta.autograd_backward = true;
  node.meta.backward_phase = is_annotated;
  node.meta.phase = StepPhase::Backward;
}

std::vector<BackwardRegion> backward_regions(const Graph& step, const std::vector<bool>& is_backward) {
  std::vector<BackwardRegion> regions;
  bool is_open = false;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (!is_backward[i]) {
      is_open = false;
      continue;
    }
    if (!is_open) regions.push_back({i, i, false});
    is_open = true;
    BackwardRegion& region = regions.back();
    region.end = i + 1;
    region.needs_recomputed |= std::ranges::any_of(
        step.nodes[i].inputs, [&](NodeId input) { return step[input].must_recompute(); });
  }
  return regions;
}

}  // namespace fxcut
