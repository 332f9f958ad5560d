#include "classify/functional.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {
namespace {

bool may_write_to_inputs(const Node& node, Release release) {
  if (node.calls("aten.shallow_copy_data_.default")) return release.has(Change::ShallowCopiesAreFunctional);
  return node.calls("aten.copy_.default") || node.calls("aten.set_.source_Tensor") || node.calls("fsdp.copy_.default");
}

// PyTorch/XLA marks donated buffers by calls on values of such names.
bool is_donated(const Node& node) { return node.name.find("set_buffer_donor_") != std::string::npos; }

}  // namespace

std::optional<NodeId> find_mutation(const JointGraph& joint) {
  const Graph& graph = joint.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || !node.callee->is_overload()) continue;
    const auto destination = node_argument(node, 0);
    const bool writes_to_input =
        destination && (graph[*destination].is_placeholder() || is_donated(graph[*destination]));
    const bool is_functional =
        may_write_to_inputs(node, joint.torch.release) ? writes_to_input : !node.callee->mutates;
    if (!is_functional) return node_id(i);
  }
  return std::nullopt;
}

bool must_fall_back_to_min_cut(const JointGraph& joint) {
  const auto& nodes = joint.graph.nodes;
  const bool has_regions =
      std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.must_recompute(); });
  return has_regions && (!joint.torch.release.has(Change::DefaultKeepsPlacement) || find_mutation(joint));
}

Failure neither_partitioner_decides(const JointGraph& joint) {
  const auto found = find_mutation(joint);
  if (!found) {
    return Failure(ExitStatus::NoPartition,
                   fmt::format("the backward needs nothing, and regions are to be recomputed: neither partitioner of PyTorch {} "
                               "decides such a graph",
                               joint.torch.release.version()),
                   "drop the recompute tags");
  }
  const Node& mutation = joint.graph[*found];
  return Failure(
      ExitStatus::NoPartition,
      fmt::format("the backward needs nothing, and '{}' ({}) writes to a value that is not an input while regions are to be "
                  "recomputed: neither of PyTorch's partitioners decides such a graph",
                  mutation.name, mutation.callee->target),
      "drop the recompute tags, or functionalize the graph");
}

}  // namespace fxcut
