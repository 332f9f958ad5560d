#include "step/whole_step.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "step/join_partition.h"
#include "step/rematerialize_by_tags.h"

namespace fxcut {
namespace {

std::set<std::string> recomputed_in_backward(const GraphPair& graphs) {
  std::set<std::string> in_forward, in_both;
  for (const Node& node : graphs.forward.nodes) {
    if (node.is_call()) in_forward.insert(node.name);
  }
  for (const Node& node : graphs.backward.nodes) {
    if (node.is_call() && in_forward.contains(node.name)) in_both.insert(node.name);
  }
  return in_both;
}

std::set<std::string> recomputed_in_step(const Graph& step) {
  std::set<std::string> names;
  for (const Node& node : step.nodes) {
    if (node.is_recomputed_copy) names.insert(node.name.substr(0, node.name.rfind('_')));
  }
  return names;
}

// PyTorch's result, if its pass takes the step and recomputes the same.
std::optional<Graph> by_pytorch(const WholeStep& step, const Finished& finished) {
  if (!finished.offloads.empty()) return std::nullopt;
  auto outcome = rematerialize_by_tags(step.graph);
  auto* result = std::get_if<Graph>(&outcome);
  if (!result || recomputed_in_step(*result) != recomputed_in_backward(finished.graphs)) return std::nullopt;
  return std::move(*result);
}

}  // namespace

Graph whole_step(const WholeStep& step, const Finished& finished, const std::vector<CarriedValue>& carried, bool by_tags) {
  std::optional<Graph> result = by_tags ? by_pytorch(step, finished) : std::nullopt;
  return result ? std::move(*result) : join_partition(step, finished.graphs, carried);
}

}  // namespace fxcut
