#include "normalise/mergeable_calls.h"

#include "classify/cloned_arguments.h"
#include "classify/purity.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

// The storages that the outputs are in: eager mode keeps these apart, so nothing in them is merged.
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

// The values that a functionalized mutation works on, by node (auto_functionalized, its version 2, and Triton kernels).
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

// What a gradient is computed from, by node.
std::vector<bool> needed_by_backward(const JointGraph& joint) {
  std::vector<bool> needed(joint.graph.size(), false);
  const std::vector<OutputLeaf> outputs = output_leaves(joint.graph);
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) needed[index_of(*outputs[i].node)] = true;
  }
  for (std::size_t i = joint.graph.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const NodeId input : joint.graph.nodes[i].inputs) needed[index_of(input)] = true;
  }
  return needed;
}

// Whether PyTorch knows, when it merges, that the operator draws random numbers. It looks at what it noted when the
// operator was registered; those of prims and rngprims are tagged after that.
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
