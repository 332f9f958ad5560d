#include "split/split_backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "split/parameter_gradients.h"

namespace fxcut {
namespace {

bool computes_any(const std::vector<OutputLeaf>& leaves) {
  return std::ranges::any_of(leaves, [](const OutputLeaf& leaf) { return leaf.node.has_value(); });
}

// Values in the order of their first occurrence, each once.
class InOrder {
 public:
  explicit InOrder(std::size_t nodes) : is_in_(nodes, false) {}
  void add(NodeId id) {
    if (!is_in_[index_of(id)]) ids_.push_back(id);
    is_in_[index_of(id)] = true;
  }
  const std::vector<NodeId>& ids() const { return ids_; }

 private:
  std::vector<bool> is_in_;
  std::vector<NodeId> ids_;
};

// The values that the first part has and the second needs.
class HeldBetween {
 public:
  HeldBetween(const Graph& graph, ExtractionPlan first, const std::vector<OutputLeaf>& second_outputs)
      : graph_(graph), users_(graph), first_(std::move(first)), is_output_(graph.size(), false), values_(graph.size()),
        symbols_(graph.size()) {
    for (const OutputLeaf& leaf : second_outputs) {
      if (leaf.node) is_output_[index_of(*leaf.node)] = true;
    }
  }

  std::vector<NodeId> find() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (first_.stays[i] && graph_.nodes[i].opcode != Opcode::GetAttr) consider(node_id(i));
    }
    std::vector<NodeId> held = values_.ids();
    held.insert(held.end(), symbols_.ids().begin(), symbols_.ids().end());
    return held;
  }

 private:
  bool is_in_second(NodeId id) const { return !first_.stays[index_of(id)] && !graph_[id].is_output(); }

  void consider(NodeId id) {
    std::vector<NodeId> needing;
    for (const NodeId user : users_.of(id)) {
      if (is_in_second(user)) needing.push_back(user);
    }
    const bool is_output = is_output_[index_of(id)];
    if (needing.empty() && !is_output) return;
    const Node& node = graph_[id];
    if (node.has_symbol()) return symbols_.add(id);
    if (node.is_call() && !node.has_tensor()) return hold_items(id, needing);
    const bool only_sizes =
        !is_output && node.has_tensor() && std::ranges::all_of(needing, [&](NodeId user) { return graph_[user].has_symbol(); });
    if (!only_sizes) return values_.add(id);
    for (const NodeId user : needing) symbols_.add(user);
  }

  void hold_items(NodeId id, const std::vector<NodeId>& needing) {
    for (const NodeId user : users_.of(id)) {
      if (graph_[user].calls("operator.getitem")) continue;
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("the gradients of the weights need '{}', which is not a tensor and taken by '{}' as a whole",
                                graph_[id].name, graph_[user].name),
                    "only the items of a tuple can be held between the two parts of a backward");
    }
    for (const NodeId user : needing) values_.add(user);
  }

  const Graph& graph_;
  Users users_;
  const ExtractionPlan first_;
  std::vector<bool> is_output_;  // of the second part, by node
  InOrder values_, symbols_;
};

std::vector<OutputLeaf> with_held(std::vector<OutputLeaf> leaves, const std::vector<NodeId>& held) {
  for (const NodeId id : held) leaves.push_back({id, nullptr});
  return leaves;
}

}  // namespace

std::vector<bool> gradients_of_weights(const JointGraph& joint) {
  const std::size_t inputs = find_nodes(joint.graph, is_primal).size();
  const std::size_t gradients = output_leaves(joint.graph).size() - joint.num_forward_outputs;
  if (gradients >= inputs) return find_parameter_gradients(joint);
  throw Failure(ExitStatus::BadInput, fmt::format("expected a gradient for each of the {} inputs, found {}", inputs, gradients),
                "a joint graph returns None for an input without a gradient; check num_fwd_outputs");
}

std::optional<BackwardParts> split_backward(const JointGraph& backward, const std::vector<bool>& of_weights,
                                            const std::vector<NodeId>& given) {
  const Graph& graph = backward.graph;
  const std::vector<OutputLeaf> leaves = output_leaves(graph);
  if (leaves.size() != of_weights.size()) {
    throw Failure(ExitStatus::BadInput, fmt::format("expected {} gradients, found {}", of_weights.size(), leaves.size()),
                  "is it the backward of this joint graph?");
  }
  std::vector<OutputLeaf> of_inputs, rest;
  for (std::size_t i = 0; i < leaves.size(); ++i) (of_weights[i] ? rest : of_inputs).push_back(leaves[i]);
  if (!computes_any(of_inputs) || !computes_any(rest)) return std::nullopt;
  const std::vector<NodeId> inputs = find_nodes(graph, [](const Node& node) { return node.is_placeholder(); });
  std::vector<NodeId> held = given;
  if (held.empty()) {
    held = HeldBetween(graph, plan_extraction(backward, inputs, of_inputs, Side::BackwardInput), rest).find();
  }
  const ExtractionPlan input = plan_extraction(backward, inputs, with_held(of_inputs, held), Side::BackwardInput);
  const ExtractionPlan weight = plan_extraction(backward, held, rest, Side::BackwardWeight);
  Subgraphs subgraphs = backward.subgraphs;
  for (NamedSubgraph& rebuilt : rebuilt_subgraphs(backward, weight, 0)) subgraphs.push_back(std::move(rebuilt));
  return BackwardParts{extract_graph(backward, input), extract_graph(backward, weight), of_inputs.size(), held,
                       std::move(subgraphs)};
}

}  // namespace fxcut
