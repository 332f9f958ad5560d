#include "extract/extract_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "normalise/dead_code.h"

namespace fxcut {
namespace {

// The node that stands as argument `position` of a call.
std::optional<NodeId> node_argument(const Node& node, std::size_t position) {
  if (!node.is_call() || position >= node.arguments->positional.size()) return std::nullopt;
  const Argument& argument = node.arguments->positional[position];
  if (argument.kind != Argument::Kind::Node) return std::nullopt;
  return node.inputs[argument.index];
}

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

class Extraction {
 public:
  Extraction(const Graph& joint, Side side) : joint_(joint), side_(side), rebuild_(joint) {}

  Extracted run(const std::vector<NodeId>& inputs, const std::vector<OutputLeaf>& outputs) {
    rebuild_.result().nodes.reserve(joint_.size());
    copied_.reserve(joint_.size());
    for (const NodeId input : inputs) add_placeholder(input);
    for (std::size_t i = 0; i < joint_.size(); ++i) add_node(node_id(i));
    add_output(outputs);
    copied_.push_back(node_id(joint_.size() - 1));
    return {eliminate_dead_code(rebuild_.take(), is_impure), std::move(copied_)};
  }

 private:
  void add_placeholder(NodeId id) {
    Node node = joint_[id];
    node.opcode = Opcode::Placeholder;
    node.callee = nullptr;
    node.target = node.name;
    node.arguments = std::make_shared<const Arguments>();
    node.inputs.clear();
    rebuild_.substitute(id, rebuild_.append(std::move(node)));
    copied_.push_back(id);
  }

  void add_node(NodeId id) {
    const Node& node = joint_[id];
    if (rebuild_(id) != kNoNode || node.is_placeholder() || node.is_output()) return;
    if (side_ != Side::Backward && must_be_in_backward(node)) return;
    if (side_ != Side::Forward && must_be_in_forward(node)) return;
    const bool at_hand = std::all_of(node.inputs.begin(), node.inputs.end(),
                                     [&](NodeId input) { return rebuild_(input) != kNoNode; });
    if (!at_hand) return;
    rebuild_.copy(id);
    copied_.push_back(id);
  }

  void add_output(const std::vector<OutputLeaf>& outputs) {
    Node node = joint_.output();
    auto arguments = std::make_shared<Arguments>();
    Argument& tuple = arguments->positional.emplace_back();
    tuple.kind = Argument::Kind::Tuple;
    node.inputs.clear();
    for (const OutputLeaf& leaf : outputs) {
      Argument& item = tuple.items.emplace_back();
      if (!leaf.node) {
        item = *leaf.constant;
        continue;
      }
      item.kind = Argument::Kind::Node;
      item.index = static_cast<std::uint32_t>(node.inputs.size());
      node.inputs.push_back(output_value(*leaf.node));
    }
    node.arguments = std::move(arguments);
    rebuild_.append(std::move(node));
  }

  NodeId output_value(NodeId id) {
    if (rebuild_(id) != kNoNode) return rebuild_(id);
    if (const NodeId replacement = replacement_for(id); replacement != kNoNode) return replacement;
    throw invalid_output(id);
  }

  // PyTorch's _find_input_for_invalid_output, and its rule for copy_.
  NodeId replacement_for(NodeId id) const {
    const Node& node = joint_[id];
    const auto destination = node_argument(node, 0);
    if (!destination) return kNoNode;
    if (node.calls("aten.copy_.default") && must_be_in_backward(node) && rebuild_(*destination) != kNoNode) {
      return rebuild_(*destination);
    }
    std::optional<NodeId> original;
    if (node.calls("aten.view.default") || node.calls("aten.reshape.default")) {
      original = input_behind_getitem(joint_, *destination);
      if (original && rebuild_(*original) != kNoNode) return rebuild_(*original);
    }
    original = input_behind_getitem(joint_, id);
    return original ? rebuild_(*original) : kNoNode;
  }

  Failure invalid_output(NodeId id) const {
    // Walk up through what is missing to the first node that is missing for a reason of its own.
    NodeId at = id;
    for (;;) {
      const auto& inputs = joint_[at].inputs;
      const auto missing = std::find_if(inputs.begin(), inputs.end(), [&](NodeId i) { return rebuild_(i) == kNoNode; });
      if (missing == inputs.end()) break;
      at = *missing;
    }
    const std::string_view side = side_ == Side::Forward ? "forward" : "backward";
    const std::string_view other = side_ == Side::Forward ? "backward" : "forward";
    return Failure(ExitStatus::NoPartition,
                   fmt::format("'{}' is an output of the {}, but it depends on '{}', which only the {} has",
                               joint_[id].name, side, joint_[at].name, other),
                   "check num_fwd_outputs and the partitioner_tag of the nodes between the two");
  }

  const Graph& joint_;
  Side side_;
  Rebuild rebuild_;
  std::vector<NodeId> copied_;
};

}  // namespace

Extracted extract_graph(const Graph& joint, const std::vector<NodeId>& inputs, const std::vector<OutputLeaf>& outputs,
                        Side side) {
  return Extraction(joint, side).run(inputs, outputs);
}

}  // namespace fxcut
