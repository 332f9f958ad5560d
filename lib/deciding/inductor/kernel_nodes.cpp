#include "inductor/kernel_nodes.h"

#include <algorithm>
#include <set>

#include "classify/views_and_writes.h"

namespace fxcut {

NodesOfKernels::NodesOfKernels(const Graph& graph, const Kernels& program)
    : graph_(graph), program_(program), is_stored_(graph.size()) {
  for (const Buffer& buffer : program.buffers) is_stored_[index_of(buffer.node)] = true;
}

std::vector<NodeId> NodesOfKernels::of(const FusedKernel& kernel) const {
  std::set<NodeId> found;
  std::vector<NodeId> left;
  for (const KernelId part : kernel.parts) left.push_back(program_.kernels[part].node);
  while (!left.empty()) {
    const NodeId id = left.back();
    left.pop_back();
    if (!found.insert(id).second || kernel.library) continue;
    for (const NodeId input : graph_[id].inputs) {
      if (graph_[input].is_call() && !is_stored_[index_of(input)]) left.push_back(input);
    }
  }
  std::vector<NodeId> nodes(found.begin(), found.end());
  const auto is_view = [&](NodeId id) { return graph_[id].is_call() && computes_nothing(graph_, graph_[id]); };
  if (!std::ranges::all_of(nodes, is_view)) std::erase_if(nodes, is_view);
  return nodes;
}

}  // namespace fxcut
