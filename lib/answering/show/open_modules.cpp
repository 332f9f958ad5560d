#include "show/open_modules.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace fxcut {
namespace {

// The number of boxes that opening a module adds: for its own nodes and for each module in it.
std::size_t boxes_within(const Graph& graph, const GraphModules& tree, const Folding& folding, std::uint32_t module,
                         std::size_t most_own) {
  const OwnBoxes own = own_boxes(graph, tree.nodes[module], most_own);
  return own.calls + own.inputs + std::min(modules_within(tree, folding, module), kMaxModuleBoxes);
}

// For each module: the number of nodes in it and all within it, times that of the layers it represents.
std::vector<std::size_t> sizes(const GraphModules& tree, const Folding& folding) {
  std::vector<std::size_t> size(tree.modules.size()), times(tree.modules.size(), 1);
  for (std::size_t m = tree.modules.size(); m-- > 0;) {
    size[m] += tree.nodes[m].size();
    if (m != ModuleTree::kRoot) size[tree.modules[m].parent] += size[m];
  }
  for (std::size_t m = 0; m < tree.modules.size(); ++m) {
    times[m] = times[tree.modules[m].parent] * std::max<std::size_t>(folding.instances[m].size(), 1);
    size[m] *= times[m];
  }
  return size;
}

}  // namespace

std::size_t modules_within(const GraphModules& tree, const Folding& folding, std::uint32_t module) {
  const auto& children = tree.modules[module].children;
  return static_cast<std::size_t>(std::count_if(
      children.begin(), children.end(), [&](std::uint32_t child) { return !folding.instances[child].empty(); }));
}

OwnBoxes own_boxes(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t most_calls) {
  const auto inputs = static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].is_placeholder(); }));
  return {std::min(nodes.size() - inputs, most_calls), inputs > kMaxInputBoxes ? 1 : inputs};
}

std::vector<bool> open_modules(const Graph& graph, const GraphModules& tree, const Folding& folding,
                               const OpeningLimits& limits) {
  struct Candidate {
    bool must_open;
    std::size_t size;
    std::uint32_t module;
    // The largest of a queue is first: modules that must be open, then the larger, then the earlier.
    bool operator<(const Candidate& other) const {
      return std::tuple(must_open, size, other.module) < std::tuple(other.must_open, other.size, module);
    }
  };
  const std::vector<std::size_t> size = sizes(tree, folding);
  std::vector<bool> is_open(tree.modules.size());
  std::priority_queue<Candidate> queue;
  const auto consider = [&](std::uint32_t m) {
    queue.push({limits.opened[m] || tree.modules[m].depth <= 1, size[m], m});
  };
  consider(ModuleTree::kRoot);
  std::size_t boxes = 1;
  while (!queue.empty()) {
    const Candidate next = queue.top();
    queue.pop();
    const std::size_t after = boxes - 1 + boxes_within(graph, tree, folding, next.module, limits.most_own[next.module]);
    if (after > limits.most_boxes && !next.must_open) continue;
    boxes = after;
    is_open[next.module] = true;
    const bool has_room = modules_within(tree, folding, next.module) <= kMaxModuleBoxes;
    for (const std::uint32_t child : tree.modules[next.module].children) {
      if (!folding.instances[child].empty() && (has_room || limits.opened[child])) consider(child);
    }
  }
  return is_open;
}

}  // namespace fxcut
