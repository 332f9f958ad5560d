#include "cost/fusibility.h"

#include <string_view>
#include <utility>

#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

constexpr std::string_view kTritonWrapper = "higher_order.triton_kernel_wrapper_functional";

bool is_item_of_triton_wrapper(const Graph& graph, const Node& node) {
  return node.calls("operator.getitem") && !node.inputs.empty() && graph[node.inputs.front()].calls(kTritonWrapper);
}

// The values of cloned arguments; for auto_functionalized also those in a list.
std::unordered_set<NodeId> cloned_values(const Node& call) {
  std::unordered_set<NodeId> cloned;
  const auto add = [&](const Argument& argument) {
    if (argument.kind == Argument::Kind::Node) cloned.insert(call.inputs[argument.index]);
  };
  for (const Argument* argument : cloned_arguments(call)) {
    add(*argument);
    if (argument->kind != Argument::Kind::List || call.calls(kTritonWrapper)) continue;
    for (const Argument& item : argument->items) add(item);
  }
  return cloned;
}

}  // namespace

Fusibility::Fusibility(const Graph& graph, Release release)
    : graph_(graph), triton_results_fuse_(!release.has(Change::TritonResultsDoNotFuse)) {
  if (!release.has(Change::ClonedArgumentsFuse)) return;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    auto cloned = cloned_values(graph.nodes[i]);
    if (!cloned.empty()) cloned_.emplace(node_id(i), std::move(cloned));
  }
}

bool Fusibility::operator()(NodeId producer, NodeId user) const {
  const Node& a = graph_[producer];
  const Node& b = graph_[user];
  if (!b.is_call()) return false;
  const bool both_fuse = a.is_call() && a.callee->is(Operator::Fusible) && b.callee->is(Operator::Fusible);
  if (both_fuse && (triton_results_fuse_ || !is_item_of_triton_wrapper(graph_, a))) return true;
  if (b.callee->packet == "aten.cat") return true;
  const auto cloned = cloned_.find(user);
  return cloned != cloned_.end() && cloned->second.contains(producer);
}

}  // namespace fxcut
