#include "normalise/mergeable_calls.h"

#include <algorithm>
#include <span>

#include "classify/cloned_arguments.h"
#include "classify/purity.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

// The storages of the outputs: eager mode keeps these apart, so values in them are not merged.
std::unordered_set<std::int64_t> output_storages(const Graph& graph) {
  std::unordered_set<std::int64_t> storages;
  for (const NodeId id : graph.output().inputs) {
    const Node& node = graph[id];
    if (node.has_tensor() && node.value->tensor.storage) storages.insert(*node.value->tensor.storage);
  }
  return storages;
}

// Marks the nodes in `argument`, a node or a list of nodes.
void collect_nodes(const Node& call, const Argument& argument, std::vector<bool>& marked) {
  for_each_leaf(argument, [&](const Argument& leaf) {
    if (leaf.kind == Kind::Node) marked[index_of(call.inputs[leaf.index])] = true;
  });
}

// By node, whether a functionalized mutation (auto_functionalized, its version 2, and Triton kernels) writes to its
// value.
std::vector<bool> mutation_bases(const Graph& graph) {
  std::vector<bool> bases(graph.size(), false);
  for (const Node& node : graph.nodes) {
    if (node.calls("higher_order.auto_functionalized_v2")) {
      if (const Argument* all = node.arguments->find("_all_bases")) collect_nodes(node, *all, bases);
    } else {
      for (const Argument* base : cloned_arguments(node)) collect_nodes(node, *base, bases);
    }
  }
  return bases;
}

// By node, whether a gradient is computed from it.
std::vector<bool> needed_by_backward(const JointGraph& joint) {
  const std::vector<OutputLeaf> outputs = output_leaves(joint.graph);
  return needed_for(joint.graph, std::span(outputs).subspan(std::min(joint.num_forward_outputs, outputs.size())));
}

// Whether PyTorch's merge treats the operator as random. It uses facts from the registration of the operator; those of
// prims and rngprims are tagged later.
bool changes_generator(const Operator& op) {
  return op.seeded_random && op.space != "prims" && op.space != "rngprims";
}

}  // namespace

MergeableCalls::MergeableCalls(const JointGraph& joint)
    : output_storages_(output_storages(joint.graph)),
      spares_impure_(joint.torch.release.has(Change::CseSparesImpure)) {
  if (joint.torch.release.has(Change::CseSparesMutationBases)) mutation_bases_ = mutation_bases(joint.graph);
  if (joint.torch.release.has(Change::CseByBackwardNeed)) needed_by_backward_ = needed_by_backward(joint);
}

bool MergeableCalls::contains(const Node& node, std::size_t position) const {
  if (!node.is_call() || node.callee->is(Operator::NeverDeduplicated) || node.callee->packet == "aten.empty") {
    return false;
  }
  if (spares_impure_ && (is_impure(node) || changes_generator(*node.callee))) return false;
  if (!mutation_bases_.empty() && mutation_bases_[position]) return false;
  return !(node.has_tensor() && node.value->tensor.storage && output_storages_.contains(*node.value->tensor.storage));
}

}  // namespace fxcut
