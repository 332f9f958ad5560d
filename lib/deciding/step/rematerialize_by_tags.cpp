#include "step/rematerialize_by_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classify/purity.h"
#include "finish/execution_order.h"
#include "graph/naming.h"
#include "graph/nodes_by_name.h"
#include "graph/rebuild.h"
#include "normalise/dead_code.h"
#include "policy/recompute_tags.h"
#include "step/backward_regions.h"

namespace fxcut {
namespace {

// The step with its tags resolved: PyTorch treats the borders of regions as its default partitioner does.
Graph with_resolved_tags(Graph graph) {
  cleanup_recompute_tags(graph, Users(graph), Partitioner::Default);
  force_save_backward_mutation_source(graph);
  return graph;
}

std::vector<BackwardRegion> regions_in_need(const Graph& graph) {
  std::vector<BackwardRegion> regions = backward_regions(graph, find_backward(graph));
  std::erase_if(regions, [](const BackwardRegion& region) { return !region.needs_recomputed; });
  return regions;
}

class Rematerialization {
 public:
  explicit Rematerialization(const Graph& step)
      : step_(step), rebuild_(step), recomputed_(step.size(), kNoNode), reload_(step.size(), kNoNode),
        is_needed_(step.size(), false), is_annotated_(has_annotated_backward(step)) {
    const NodesByName by_name = nodes_by_name(step);
    for (std::size_t i = 0; i < step.size(); ++i) {
      const auto reload = step.nodes[i].context ? by_name.find(step.nodes[i].context->reload_node) : by_name.end();
      if (reload != by_name.end()) reload_[i] = reload->second;
    }
  }

  Graph run(const BackwardRegion& region) {
    for (std::size_t i = 0; i < region.begin; ++i) copy(node_id(i));
    for (std::size_t i = region.begin; i < region.end; ++i) {
      for (const NodeId id : missing_for(node_id(i))) recompute(id);
      if (rebuild_(node_id(i)) == kNoNode) append(node_id(i), backward_inputs(node_id(i)));
    }
    for (std::size_t i = region.end; i < step_.size(); ++i) {
      if (rebuild_(node_id(i)) == kNoNode) copy(node_id(i));
    }
    return rebuild_.take();
  }

 private:
  Node with_inputs(NodeId id, std::vector<NodeId> inputs) const {
    Node node = step_[id];
    node.inputs = std::move(inputs);
    return node;
  }

  NodeId append(NodeId id, std::vector<NodeId> inputs) {
    Node node = with_inputs(id, std::move(inputs));
    node.name = names_.create(node.name);
    return rebuild_.substitute(id, rebuild_.append(std::move(node)));
  }

  NodeId copy(NodeId id) {
    std::vector<NodeId> inputs;
    for (const NodeId input : step_[id].inputs) inputs.push_back(rebuild_(input));
    return append(id, std::move(inputs));
  }

  // The recomputed nodes that the backward node needs and that do not exist yet, in the forward's order.
  std::vector<NodeId> missing_for(NodeId backward) {
    std::vector<NodeId> missing, open = step_[backward].inputs;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (is_needed_[index_of(id)] || !step_[id].must_recompute()) continue;
      is_needed_[index_of(id)] = true;
      missing.push_back(id);
      open.insert(open.end(), step_[id].inputs.begin(), step_[id].inputs.end());
    }
    std::ranges::sort(missing);
    return missing;
  }

  // torch.fx first gives the copy a name of its own, which stays in use.
  void recompute(NodeId id) {
    Node node = with_inputs(id, backward_inputs(id));
    names_.create(node.name);
    node.name += kRecomputedSuffix;
    node.is_recomputed_copy = true;
    mark_as_backward(node, is_annotated_);
    recomputed_[index_of(id)] = rebuild_.append(std::move(node));
  }

  std::vector<NodeId> backward_inputs(NodeId id) {
    std::vector<NodeId> inputs;
    for (const NodeId input : step_[id].inputs) {
      const NodeId reload = reload_[index_of(input)], recomputed = recomputed_[index_of(input)];
      inputs.push_back(recomputed != kNoNode ? recomputed : reload != kNoNode ? ensure(reload) : rebuild_(input));
    }
    return inputs;
  }

  // A value that was copied to the host is taken from the copy back, wherever in the backward that is.
  NodeId ensure(NodeId id) {
    std::vector<NodeId> open{id};
    while (!open.empty()) {
      const NodeId at = open.back();
      const std::size_t before = open.size();
      if (rebuild_(at) == kNoNode) open_missing_inputs(at, open);
      if (open.size() > before) continue;
      if (rebuild_(at) == kNoNode) copy(at);
      open.pop_back();
    }
    return rebuild_(id);
  }

  // Appends the inputs that do not exist yet, the first one last.
  void open_missing_inputs(NodeId id, std::vector<NodeId>& open) const {
    const std::vector<NodeId>& inputs = step_[id].inputs;
    std::copy_if(inputs.rbegin(), inputs.rend(), std::back_inserter(open),
                 [&](NodeId input) { return rebuild_(input) == kNoNode; });
  }

  const Graph& step_;
  Rebuild rebuild_;
  Namespace names_;
  std::vector<NodeId> recomputed_, reload_;  // by node of the step
  std::vector<bool> is_needed_;              // in the backward, again
  bool is_annotated_;
};

// Collectives may be removed, too.
bool must_stay(const Node& node) { return !(node.is_call() && node.callee->is_collective()) && is_impure(node); }
bool or_is_random(const Node& node) { return must_stay(node) || (node.is_call() && node.callee->seeded_random); }

Failure refused(std::string what) {
  return Failure(ExitStatus::NoPartition, fmt::format("PyTorch's pass over whole steps refuses the step: {}", what),
                 "without --set partitioner=tags such a step is served");
}

std::optional<Failure> find_several_regions(const Graph& graph) {
  const bool annotated = has_annotated_backward(graph);
  const std::size_t regions =
      annotated ? backward_regions(graph, find_backward(graph)).size() : regions_in_need(graph).size();
  if (regions <= 1) return std::nullopt;
  return refused(fmt::format("{} regions of the backward {}, and it takes one", regions,
                             annotated ? "are annotated" : "need recomputed values"));
}

std::optional<Failure> find_repeated_name(const Graph& graph) {
  std::unordered_set<std::string_view> names;
  for (const Node& node : graph.nodes) {
    if (!names.insert(node.name).second) return refused(fmt::format("two nodes would have the name '{}'", node.name));
  }
  return std::nullopt;
}

}  // namespace

std::variant<Graph, Failure> rematerialize_by_tags(const WholeStep& whole) {
  const Graph& step = whole.graph;
  if (!has_recomputable_ops(step)) return step;
  const auto random = std::ranges::find_if(
      step.nodes, [](const Node& node) { return node.must_recompute() && is_random(node); });
  if (random != step.nodes.end()) return refused(fmt::format("'{}' is random and tagged to be recomputed", random->name));
  const Graph graph = with_resolved_tags(step);
  if (auto failure = find_several_regions(graph)) return std::move(*failure);
  const std::vector<BackwardRegion> regions = regions_in_need(graph);
  if (regions.empty()) return step;
  Graph result = Rematerialization(graph).run(regions.front());
  if (auto failure = find_repeated_name(result)) return std::move(*failure);
  return raise_getitems(eliminate_dead_code(std::move(result), whole.impure_random ? or_is_random : must_stay));
}

}  // namespace fxcut
