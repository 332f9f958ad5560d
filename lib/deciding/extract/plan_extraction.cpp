#include "extract/plan_extraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// The input of a higher-order call that a getitem selects by its name (PyTorch's _get_ho_op_original_input).
std::optional<NodeId> input_of_getitem(const Graph& joint, NodeId id) {
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
  Planning(const JointGraph& whole, Side side)
      : whole_(whole), joint_(whole.graph), side_(side), available_(whole.graph.size(), false) {}

  ExtractionPlan run(std::vector<NodeId> inputs, const std::vector<OutputLeaf>& outputs) {
    plan_.inputs = std::move(inputs);
    plan_.is_input.resize(joint_.size(), false);
    for (const NodeId input : plan_.inputs) available_[index_of(input)] = plan_.is_input[index_of(input)] = true;
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
    const bool is_of_other_side = (side_ == Side::Forward && must_be_in_backward(node)) ||
                                  (side_ == Side::Backward && must_be_in_forward(node));
    if (is_of_other_side && !whole_.torch.release.has(Change::InputsAreOfEitherSide)) available_[index_of(id)] = false;
    if (is_of_other_side || available_[index_of(id)] || node.is_placeholder() || node.is_output()) return;
    if (is_item_of_special_call(id)) return;
    const bool has_all_inputs =
        std::all_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) { return is_available(input); });
    if (node.calls(kControlDeps) && whole_.torch.release.has(Change::ControlDepsAreRebuilt)) {
      if (rebuild_or_leave_out(id, has_all_inputs)) return;
    }
    if (has_all_inputs) add(id);
  }

  void add(NodeId id) {
    available_[index_of(id)] = true;
    plan_.computed.push_back(id);
  }

  // Rebuilds a control_deps call, or leaves it out; false if it is like any other call.
  bool rebuild_or_leave_out(NodeId id, bool has_all_inputs) {
    const Node& node = joint_[id];
    const bool is_backwards =
        node.meta.tag == PartitionerTag::IsBackward || node.meta.tag == PartitionerTag::MustBeInBackward;
    if (side_ == Side::Backward && !is_backwards && synchronises(whole_, node)) {
      left_out_.insert(id);
      return true;
    }
    if (has_all_inputs) return false;
    if (auto rebuilt = rebuild_control_deps(whole_, id, available_)) {
      plan_.rebuilt.emplace(id, std::move(*rebuilt));
      add(id);
    }
    return true;
  }

  // Whether the node is an item of a rebuilt or left-out call. Such an item moves to its new position, or is replaced
  // by the dep that the call would have returned.
  bool is_item_of_special_call(NodeId id) {
    if ((left_out_.empty() && plan_.rebuilt.empty()) || !joint_[id].calls("operator.getitem")) return false;
    const auto call = node_argument(joint_[id], 0);
    if (!call) return false;
    const auto position = item_position(joint_[id]);
    if (left_out_.contains(*call)) {
      const auto dep = position ? dep_at(joint_[*call], *position) : std::nullopt;
      if (!dep || !is_available(*dep)) return true;
      available_[index_of(id)] = true;
      plan_.replaced_items.emplace(id, plan_.value_of(*dep));
      return true;
    }
    const auto rebuilt = plan_.rebuilt.find(*call);
    if (rebuilt == plan_.rebuilt.end()) return false;
    if (position && rebuilt->second.new_position(*position)) add(id);
    return true;
  }

  void drop_dead() {
    plan_.stays = plan_.is_input;
    for (const OutputLeaf& leaf : plan_.outputs) {
      if (leaf.node) plan_.stays[index_of(*leaf.node)] = true;
    }
    for (auto id = plan_.computed.rbegin(); id != plan_.computed.rend(); ++id) {
      const bool has_effect = side_ != Side::BackwardWeight && is_impure(joint_[*id]);
      if (!plan_.stays[index_of(*id)] && !has_effect) continue;
      plan_.stays[index_of(*id)] = true;
      plan_.for_each_input(joint_, *id, [&](NodeId input) { plan_.stays[index_of(input)] = true; });
    }
  }

  bool is_available(NodeId id) const { return available_[index_of(id)]; }

  NodeId output_value(NodeId id) const {
    if (is_available(id)) return plan_.value_of(id);
    if (const auto replacement = replacement_for(id)) return plan_.value_of(*replacement);
    throw invalid_output(id);
  }

  // PyTorch's _find_input_for_invalid_output, and its rule for copy_.
  std::optional<NodeId> replacement_for(NodeId id) const {
    const Node& node = joint_[id];
    const auto destination = node_argument(node, 0);
    if (!destination || !whole_.torch.release.has(Change::InvalidOutputsAreReplaced)) return std::nullopt;
    if (node.calls("aten.copy_.default") && must_be_in_backward(node) && is_available(*destination)) return destination;
    if (node.calls("aten.view.default") || node.calls("aten.reshape.default")) {
      const auto viewed = input_of_getitem(joint_, *destination);
      if (viewed && is_available(*viewed)) return viewed;
    }
    const auto original = input_of_getitem(joint_, id);
    return original && is_available(*original) ? original : std::nullopt;
  }

  Failure invalid_output(NodeId id) const {
    // The first missing node that is not missing because of its inputs.
    NodeId at = id;
    for (;;) {
      const auto& inputs = joint_[at].inputs;
      const auto missing = std::find_if(inputs.begin(), inputs.end(), [&](NodeId i) { return !is_available(i); });
      if (missing == inputs.end()) break;
      at = *missing;
    }
    const std::string_view side = side_ == Side::Forward ? "forward" : "backward";
    const std::string_view other = side_ == Side::Forward ? "backward" : "forward";
    return Failure(ExitStatus::NoPartition,
                   fmt::format("'{}' is an output of the {}, but it depends on '{}', which only the {} has", joint_[id].name,
                               side, joint_[at].name, other),
                   hint_for(joint_[at]));
  }

  // `missing`: what one side has and the other needs. A whole step has no num_fwd_outputs and no tags that could be wrong.
  std::string hint_for(const Node& missing) const {
    if (missing.is_placeholder() && missing.must_recompute()) {
      return fmt::format("an input cannot be recomputed: drop the recompute tag of '{}'", missing.name);
    }
    if (!whole_.step) return "check num_fwd_outputs and the partitioner_tag of the nodes between the two";
    return "PyTorch's minimum cut does not expect steps that write in place; --saved-bytes, --peak-bytes and --set "
           "partitioner=default take them";
  }

  const JointGraph& whole_;
  const Graph& joint_;
  Side side_;
  std::vector<bool> available_;
  std::set<NodeId> left_out_;  // calls left out on this side, though it has their items
  ExtractionPlan plan_;
};

}  // namespace

ExtractionPlan plan_extraction(const JointGraph& joint, std::vector<NodeId> inputs,
                               const std::vector<OutputLeaf>& outputs, Side side) {
  return Planning(joint, side).run(std::move(inputs), outputs);
}

}  // namespace fxcut
