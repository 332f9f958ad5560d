#include "extract/extract_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

// What a getitem takes out of a higher-order call by the name of one of that call's own inputs: the input itself
// (PyTorch's _get_ho_op_original_input).
std::optional<NodeId> input_behind_getitem(const Graph& joint, NodeId id) {
  const Node& node = joint[id];
  const auto source = node_argument(node, 0);
  if (!node.calls("operator.getitem") || !source || !joint[*source].is_call()) return std::nullopt;
  const Node& call = joint[*source];
  const Argument* kwargs = call.arguments->find("kwargs");
  if (!kwargs || kwargs->kind != Argument::Kind::Dict || node.arguments->positional.size() < 2) return std::nullopt;
  const Argument& key = node.arguments->positional[1];
  for (std::size_t i = 0; i < kwargs->keys.size(); ++i) {
    const Argument& item = kwargs->items[i];
    if (key.kind == Argument::Kind::String && kwargs->keys[i] == key.text && item.kind == Argument::Kind::Node) {
      return call.inputs[item.index];
    }
  }
  return std::nullopt;
}

class Planning {
 public:
  Planning(const Graph& joint, Side side) : joint_(joint), side_(side), at_hand_(joint.size(), false) {}

  ExtractionPlan run(std::vector<NodeId> inputs, const std::vector<OutputLeaf>& outputs) {
    plan_.inputs = std::move(inputs);
    plan_.is_input.resize(joint_.size(), false);
    for (const NodeId input : plan_.inputs) at_hand_[index_of(input)] = plan_.is_input[index_of(input)] = true;
    plan_.computed.reserve(joint_.size());
    for (std::size_t i = 0; i < joint_.size(); ++i) consider(node_id(i));
    for (const OutputLeaf& leaf : outputs) {
      plan_.outputs.push_back(leaf.node ? OutputLeaf{output_value(*leaf.node), nullptr} : leaf);
    }
    drop_dead();
    return std::move(plan_);
  }

 private:
  void consider(NodeId id) {
    const Node& node = joint_[id];
    if (at_hand_[index_of(id)] || node.is_placeholder() || node.is_output()) return;
    if (side_ != Side::Backward && must_be_in_backward(node)) return;
    if (side_ != Side::Forward && must_be_in_forward(node)) return;
    if (!std::all_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) { return is_at_hand(input); })) return;
    at_hand_[index_of(id)] = true;
    plan_.computed.push_back(id);
  }

  void drop_dead() {
    plan_.stays = plan_.is_input;
    for (const OutputLeaf& leaf : plan_.outputs) {
      if (leaf.node) plan_.stays[index_of(*leaf.node)] = true;
    }
    for (auto id = plan_.computed.rbegin(); id != plan_.computed.rend(); ++id) {
      if (!plan_.stays[index_of(*id)] && !is_impure(joint_[*id])) continue;
      plan_.stays[index_of(*id)] = true;
      for (const NodeId input : joint_[*id].inputs) plan_.stays[index_of(input)] = true;
    }
  }

  bool is_at_hand(NodeId id) const { return at_hand_[index_of(id)]; }

  NodeId output_value(NodeId id) const {
    if (is_at_hand(id)) return id;
    if (const auto replacement = replacement_for(id)) return *replacement;
    throw invalid_output(id);
  }

  // PyTorch's _find_input_for_invalid_output, and its rule for copy_.
  std::optional<NodeId> replacement_for(NodeId id) const {
    const Node& node = joint_[id];
    const auto destination = node_argument(node, 0);
    if (!destination) return std::nullopt;
    if (node.calls("aten.copy_.default") && must_be_in_backward(node) && is_at_hand(*destination)) return destination;
    if (node.calls("aten.view.default") || node.calls("aten.reshape.default")) {
      const auto viewed = input_behind_getitem(joint_, *destination);
      if (viewed && is_at_hand(*viewed)) return viewed;
    }
    const auto original = input_behind_getitem(joint_, id);
    return original && is_at_hand(*original) ? original : std::nullopt;
  }

  Failure invalid_output(NodeId id) const {
    // Walk up through what is missing to the first node that is missing for a reason of its own.
    NodeId at = id;
    for (;;) {
      const auto& inputs = joint_[at].inputs;
      const auto missing = std::find_if(inputs.begin(), inputs.end(), [&](NodeId i) { return !is_at_hand(i); });
      if (missing == inputs.end()) break;
      at = *missing;
    }
    const std::string_view side = side_ == Side::Forward ? "forward" : "backward";
    const std::string_view other = side_ == Side::Forward ? "backward" : "forward";
    return Failure(ExitStatus::NoPartition,
                   fmt::format("'{}' is an output of the {}, but it depends on '{}', which only the {} has",
                               joint_[id].name, side, joint_[at].name, other),
                   joint_[at].is_placeholder() && joint_[at].must_recompute()
                       ? fmt::format("an input cannot be recomputed: drop the recompute tag of '{}'", joint_[at].name)
                       : "check num_fwd_outputs and the partitioner_tag of the nodes between the two");
  }

  const Graph& joint_;
  Side side_;
  std::vector<bool> at_hand_;
  ExtractionPlan plan_;
};

Node as_placeholder(const Node& carried) {
  static const auto kNoArguments = std::make_shared<const Arguments>();
  Node node = carried;
  node.opcode = Opcode::Placeholder;
  node.callee = nullptr;
  node.target = node.name;
  node.arguments = kNoArguments;
  node.inputs.clear();
  return node;
}

Node make_output(const Node& joint_output, const std::vector<OutputLeaf>& outputs, const Rebuild& rebuild) {
  Node node = joint_output;
  auto arguments = std::make_shared<Arguments>();
  Argument& tuple = arguments->positional.emplace_back();
  tuple.kind = Argument::Kind::Tuple;
  node.inputs.clear();
  for (const OutputLeaf& leaf : outputs) {
    tuple.items.push_back(leaf.node ? reference_to_input(node.inputs.size()) : *leaf.constant);
    if (leaf.node) node.inputs.push_back(rebuild(*leaf.node));
  }
  node.arguments = std::move(arguments);
  return node;
}

}  // namespace

ExtractionPlan plan_extraction(const Graph& joint, std::vector<NodeId> inputs, const std::vector<OutputLeaf>& outputs,
                               Side side) {
  return Planning(joint, side).run(std::move(inputs), outputs);
}

Graph extract_graph(const Graph& joint, const ExtractionPlan& plan) {
  Rebuild rebuild(joint);
  rebuild.result().nodes.reserve(plan.inputs.size() + plan.computed.size() + 1);
  for (const NodeId input : plan.inputs) rebuild.substitute(input, rebuild.append(as_placeholder(joint[input])));
  for (const NodeId id : plan.computed) {
    if (plan.stays[index_of(id)]) rebuild.copy(id);
  }
  rebuild.append(make_output(joint.output(), plan.outputs, rebuild));
  return rebuild.take();
}

std::vector<NodeId> copied_nodes(const Graph& joint, const ExtractionPlan& plan) {
  std::vector<NodeId> copied = plan.inputs;
  copied.insert(copied.end(), plan.computed.begin(), plan.computed.end());
  copied.push_back(node_id(joint.size() - 1));
  return copied;
}

}  // namespace fxcut
