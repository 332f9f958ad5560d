#include "stage/split_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/rebuild.h"
#include "stage/assign_stages.h"
#include "stage/tangent_name.h"

namespace fxcut {
namespace {

const Argument kNone{};

class Split {
 public:
  Split(const JointGraph& joint, const AssignedStages& assigned)
      : joint_(joint), graph_(joint.graph), assigned_(assigned), leaves_(output_leaves(joint.graph)) {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_primal(graph_.nodes[i])) primals_.push_back(node_id(i));
    }
    is_aligned_ = leaves_.size() - joint.num_forward_outputs == primals_.size();
  }

  JointGraph stage(int number) const {
    const std::vector<bool> taken = values_taken(number);
    Rebuild rebuild(graph_);
    add_inputs(rebuild, number, taken);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const NodeId id = node_id(i);
      if (graph_.nodes[i].is_placeholder() || graph_.nodes[i].is_output() || rebuild(id) != kNoNode) continue;
      if (is_in(id, number) || (is_anywhere(id) && taken[i])) rebuild.copy(id);
    }
    JointGraph stage;
    stage.name = fmt::format("{}_stage_{}", joint_.name, number);
    stage.producer = joint_.producer;
    stage.torch = joint_.torch;
    stage.compiler = joint_.compiler;
    stage.single_threaded = joint_.single_threaded;
    stage.float32_matmul_precision = joint_.float32_matmul_precision;
    stage.hints = joint_.hints;
    stage.symbols = joint_.symbols;
    stage.subgraphs = joint_.subgraphs;
    std::vector<OutputLeaf> outputs = forward_outputs(number);
    stage.num_forward_outputs = outputs.size();
    const std::vector<OutputLeaf> gradients = gradient_outputs(number, taken);
    outputs.insert(outputs.end(), gradients.begin(), gradients.end());
    rebuild.append(returning(graph_.output(), rebuild.translated(std::move(outputs))));
    stage.graph = rebuild.take();
    return stage;
  }

 private:
  bool is_anywhere(NodeId id) const { return assigned_.roles[index_of(id)] == StageRole::Anywhere; }
  bool is_gradient(NodeId id) const { return assigned_.roles[index_of(id)] == StageRole::Gradient; }
  bool is_in(NodeId id, int stage) const { return !is_anywhere(id) && assigned_.stages[index_of(id)] == stage; }
  bool is_from_elsewhere(NodeId id, int stage) const { return !is_anywhere(id) && !is_in(id, stage); }

  // For each node, whether the stage uses it and it comes from outside the stage.
  std::vector<bool> values_taken(int stage) const {
    std::vector<bool> taken(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!is_in(node_id(i), stage) || !graph_.nodes[i].is_call()) continue;
      for (const NodeId input : graph_.nodes[i].inputs) {
        if (!is_in(input, stage) || is_tangent(graph_[input])) taken[index_of(input)] = true;
      }
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i) {  // inputs that are returned unchanged
      if (leaves_[i].node && is_anywhere(*leaves_[i].node) && stage == 0) taken[index_of(*leaves_[i].node)] = true;
    }
    return taken;
  }

  // A value of another stage as an input; tangents are known by their targets, which are the names of inputs.
  static Node as_input(const Node& value, bool is_gradient) {
    Node input;
    input.name = is_gradient ? tangent_name(value.name) : value.name;
    input.opcode = Opcode::Placeholder;
    input.target = input.name;
    input.arguments = std::make_shared<Arguments>();
    input.value = value.value;
    input.tensor_meta = value.tensor_meta;
    input.provenance = value.provenance;
    input.origin = value.origin;  // marks it as in the file: inputs that are not are generator states
    return input;
  }

  // The graph's own inputs, values of other stages, the graph's own tangents and gradients of other stages.
  void add_inputs(Rebuild& rebuild, int stage, const std::vector<bool>& taken) const {
    const auto each_taken = [&](bool tangents, const auto& visit) {
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        const NodeId id = node_id(i);
        if (taken[i] && is_gradient(id) == tangents) visit(id, graph_.nodes[i]);
      }
    };
    for (const bool tangents : {false, true}) {
      each_taken(tangents, [&](NodeId id, const Node& node) {
        if (node.is_placeholder()) rebuild.copy(id);
      });
      each_taken(tangents, [&](NodeId id, const Node& node) {
        if (node.is_placeholder() || !is_from_elsewhere(id, stage)) return;
        rebuild.substitute(id, rebuild.append(as_input(node, tangents)));
      });
    }
  }

  // The stage's values that other stages use.
  std::vector<OutputLeaf> values_given(int stage, bool gradients) const {
    std::vector<bool> is_given(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_anywhere(node_id(i)) || is_in(node_id(i), stage)) continue;
      for (const NodeId input : graph_.nodes[i].inputs) {
        const bool is_own = is_in(input, stage) && !is_tangent(graph_[input]);
        if (is_own && is_gradient(input) == gradients) is_given[index_of(input)] = true;
      }
    }
    std::vector<OutputLeaf> given;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_given[i]) given.push_back({node_id(i), nullptr});
    }
    return given;
  }

  bool returns(const OutputLeaf& leaf, int stage) const {
    return leaf.node && (is_anywhere(*leaf.node) ? stage == 0 : is_in(*leaf.node, stage));
  }

  std::vector<OutputLeaf> forward_outputs(int stage) const {
    std::vector<OutputLeaf> outputs;
    for (std::size_t i = 0; i < joint_.num_forward_outputs; ++i) {
      if (returns(leaves_[i], stage)) outputs.push_back(leaves_[i]);
    }
    for (const OutputLeaf& leaf : values_given(stage, false)) outputs.push_back(leaf);
    return outputs;
  }

  std::vector<OutputLeaf> gradient_outputs(int stage, const std::vector<bool>& taken) const {
    std::vector<OutputLeaf> outputs, others;
    for (std::size_t i = joint_.num_forward_outputs; i < leaves_.size(); ++i) {
      const bool is_here = returns(leaves_[i], stage);
      const bool has_input = is_aligned_ && taken[index_of(primals_[i - joint_.num_forward_outputs])];
      if (has_input) outputs.push_back(is_here ? leaves_[i] : OutputLeaf{std::nullopt, &kNone});
      if (is_here && !has_input) others.push_back(leaves_[i]);
    }
    for (std::size_t i = 0; i < graph_.size() && is_aligned_; ++i) {
      if (taken[i] && is_from_elsewhere(node_id(i), stage) && !is_gradient(node_id(i))) outputs.push_back({std::nullopt, &kNone});
    }
    outputs.insert(outputs.end(), others.begin(), others.end());
    for (const OutputLeaf& leaf : values_given(stage, true)) outputs.push_back(leaf);
    return outputs;
  }

  const JointGraph& joint_;
  const Graph& graph_;
  const AssignedStages& assigned_;
  const std::vector<OutputLeaf> leaves_;
  std::vector<NodeId> primals_;
  bool is_aligned_ = false;  // each primal has a gradient, or None
};

}  // namespace

std::vector<JointGraph> split_at(const JointGraph& joint, const std::vector<std::string>& modules) {
  const AssignedStages assigned = assign_stages(joint, modules);
  const Split split(joint, assigned);
  std::vector<JointGraph> stages;
  for (int stage = 0; stage <= static_cast<int>(modules.size()); ++stage) stages.push_back(split.stage(stage));
  return stages;
}

}  // namespace fxcut
