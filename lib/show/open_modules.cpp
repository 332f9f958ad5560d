#include "show/open_modules.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace fxcut {
namespace {

// What opening a module adds: boxes for its own nodes and for each module in it.
std::size_t boxes_within(const Graph& graph, const ModuleTree& tree, const Folding& folding, std::uint32_t module) {
  const OwnBoxes own = own_boxes(graph, tree.modules[module]);
  const auto& children = tree.modules[module].children;
  const auto closed = std::count_if(children.begin(), children.end(),
                                    [&](std::uint32_t child) { return !folding.instances[child].empty(); });
  return own.calls + own.inputs + static_cast<std::size_t>(closed);
}

// By module: the nodes in it and all within it.
std::vector<std::size_t> sizes(const ModuleTree& tree) {
  std::vector<std::size_t> size(tree.modules.size());
  for (std::size_t m = tree.modules.size(); m-- > 0;) {
    size[m] += tree.modules[m].nodes.size();
    if (m != ModuleTree::kRoot) size[tree.modules[m].parent] += size[m];
  }
  return size;
}

}  // namespace

OwnBoxes own_boxes(const Graph& graph, const Module& module) {
  const auto inputs = static_cast<std::size_t>(std::count_if(
      module.nodes.begin(), module.nodes.end(), [&](NodeId id) { return graph[id].is_placeholder(); }));
  return {std::min(module.nodes.size() - inputs, kMostNodeBoxes), inputs > kMostInputBoxes ? 1 : inputs};
}

std::vector<bool> open_modules(const Graph& graph, const ModuleTree& tree, const Folding& folding,
                               std::size_t most_boxes, const std::vector<bool>& first) {
  struct Candidate {
    bool is_first;
    std::uint32_t depth;
    std::size_t size;
    std::uint32_t module;
    // The largest of a queue comes first: what has to be open, then the outer, the larger, the earlier.
    bool operator<(const Candidate& other) const {
      return std::tuple(is_first, other.depth, size, other.module) <
             std::tuple(other.is_first, depth, other.size, module);
    }
  };
  const std::vector<std::size_t> size = sizes(tree);
  std::vector<bool> is_open(tree.modules.size());
  std::priority_queue<Candidate> queue;
  const auto consider = [&](std::uint32_t m) { queue.push({first[m], tree.modules[m].depth, size[m], m}); };
  consider(ModuleTree::kRoot);
  std::size_t boxes = 1;
  while (!queue.empty()) {
    const Candidate next = queue.top();
    queue.pop();
    const std::size_t after = boxes - 1 + boxes_within(graph, tree, folding, next.module);
    const bool is_outermost = next.depth == 0;  // the two sides
    if (after > most_boxes && !next.is_first && !is_outermost) continue;
    boxes = after;
    is_open[next.module] = true;
    for (const std::uint32_t child : tree.modules[next.module].children) {
      if (!folding.instances[child].empty()) consider(child);
    }
  }
  return is_open;
}

}  // namespace fxcut
