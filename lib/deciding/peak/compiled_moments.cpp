#include "peak/compiled_moments.h"

#include <algorithm>
#include <span>

#include "inductor/lowering_rules.h"
#include "inductor/max_pooling.h"
#include "inductor/scatters.h"
#include "peak/rest_of_backward.h"

namespace fxcut {
namespace {

// Whether its kernel is a call of a library, for which all that it reads and makes has buffers.
bool is_library_call(const Graph& graph, const Node& node) {
  if (!node.is_call() || lowering_of(node) != Lowering::Extern || node.inputs.empty()) return false;
  return !is_concatenation_or_padding(node) && !is_scatter(graph, node) && !is_max_pooling(node);
}

bool is_item_of_reduction(const Graph& graph, const Node& node) {
  const Node& call = node.calls("operator.getitem") ? graph[node.inputs.front()] : node;
  return call.is_call() && lowering_of(call) == Lowering::Reduction;
}

// Gives the storages these sizes; those of size 0 become free ones.
void resize(RecomputeProblem& problem, const std::vector<std::int64_t>& bytes) {
  for (Item& item : problem.items) {
    if (!item.has_storage() || bytes[item.storage] > 0) continue;
    item.storage = kFreeStorage;
    item.is_view = false;
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) problem.storages[s].bytes = bytes[s];
}

}  // namespace

CompiledMoments::CompiledMoments(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation)
    : a_(analysis), problem_(problem), simulation_(simulation), buffers_(analysis, problem),
      is_of_item_(analysis.graph().size(), false), is_result_(problem.items.size(), false) {
  const std::vector<OutputLeaf> leaves = output_leaves(a_.graph());
  const auto of_forward = std::min(a_.joint.num_forward_outputs, leaves.size());
  is_live_ = needed_for(a_.graph(), std::span(leaves).subspan(of_forward));
  for (const Item& item : problem_.items) is_of_item_[buffers_.memory_of(item.node)] = true;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i].node) continue;
    if (i < of_forward) outputs_.push_back(*leaves[i].node);
    else if (const ItemIndex item = simulation_.item_of(*leaves[i].node); item != kNoItem) is_result_[item] = true;
  }
  // Between the two steps of a reduction neither its operand is in memory, nor its result.
  const std::vector<bool> unsaved = is_in_memory_unsaved(problem_, a_);
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    is_in_memory_unsaved_.push_back(unsaved[i] || is_item_of_reduction(a_.graph(), a_.node(problem_.items[i].node)));
  }
  find_calls();
}

void CompiledMoments::find_calls() {
  const Graph& graph = a_.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_live_[i] && is_tangent(graph.nodes[i])) tangents_.push_back(node_id(i));
  }
  for (const NodeId id : simulation_.backward_nodes()) {
    if (is_live_[index_of(id)] && is_library_call(graph, a_.node(id))) calls_.push_back(id);
  }
}

CertainMoment CompiledMoments::between() const {
  std::vector<NodeId> others = outputs_;
  others.insert(others.end(), tangents_.begin(), tangents_.end());
  std::vector<std::int64_t> bytes = buffers_.between();
  std::vector<bool> is_output(a_.graph().size(), false);
  for (const NodeId id : outputs_) is_output[buffers_.memory_of(id)] = true;
  for (const Item& item : problem_.items) {
    if (item.storage != kNoStorage && !item.is_form() && is_output[buffers_.memory_of(item.node)]) bytes[item.storage] = 0;
  }
  CertainMoment moment{problem_, buffers_.of_nodes(others)};
  resize(moment.problem, bytes);
  return moment;
}

// By node, whether it is the call or depends on it.
std::vector<bool> CompiledMoments::after(NodeId call) const {
  std::vector<bool> is_after(a_.graph().size(), false);
  is_after[index_of(call)] = true;
  for (std::size_t i = index_of(call) + 1; i < is_after.size(); ++i) {
    const std::vector<NodeId>& inputs = a_.graph().nodes[i].inputs;
    is_after[i] = is_live_[i] && std::ranges::any_of(inputs, [&](NodeId input) { return is_after[index_of(input)]; });
  }
  return is_after;
}

// By node, whether one of the backward's own among these reads it.
std::vector<bool> CompiledMoments::needed_by(const std::vector<bool>& nodes) const {
  std::vector<bool> needed(nodes.size(), false);
  for (const NodeId id : simulation_.backward_nodes()) {
    if (!nodes[index_of(id)]) continue;
    for (const NodeId input : a_.node(id).inputs) needed[index_of(input)] = true;
  }
  return needed;
}

CertainMoment CompiledMoments::at(NodeId call) const {
  const std::vector<bool> needed = needed_by(after(call));
  std::vector<NodeId> others = {call};
  const auto add = [&](NodeId id) {
    if (!is_of_item_[buffers_.memory_of(id)]) others.push_back(id);
  };
  for (const NodeId id : outputs_) add(id);
  for (const NodeId id : a_.node(call).inputs) add(id);
  for (const NodeId id : tangents_) {
    if (needed[index_of(id)]) add(id);
  }
  CertainMoment moment{problem_, buffers_.of_nodes(others)};
  std::vector<std::int64_t> bytes = buffers_.in_backward();
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    Item& item = moment.problem.items[i];
    item.demanded = item.demanded && (is_result_[i] || needed[index_of(item.node)]);
    if (!is_in_memory_unsaved_[i]) continue;
    if (item.savable) bytes[item.storage] = 0;
    else item.release();
  }
  resize(moment.problem, bytes);
  without_saving_costs(moment.problem);
  return moment;
}

}  // namespace fxcut
