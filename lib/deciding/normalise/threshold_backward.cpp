#include "normalise/threshold_backward.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classify/make_call.h"
#include "classify/operator_table.h"
#include "classify/purity.h"
#include "classify/signs_of_relus.h"
#include "classify/views_and_writes.h"
#include "graph/naming.h"
#include "graph/rebuild.h"
#include "graph/strides.h"

namespace fxcut {
namespace {

constexpr std::size_t kGradient = 0, kResult = 1;  // the arguments of threshold_backward

const Operator& where() {
  static const Operator made = make_operator("aten.where.ScalarSelf");
  return made;
}

// By node, whether it can only run in the backward.
std::vector<bool> find_dependent_on_tangents(const Graph& graph) {
  std::vector<bool> depends(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    depends[i] = is_tangent(node) || must_be_in_backward(node) ||
                 std::ranges::any_of(node.inputs, [&](NodeId input) { return depends[index_of(input)]; });
  }
  return depends;
}

bool have_same_dense_layout(const Tensor& a, const Tensor& b) {
  const Extents shape = hints_of(a.shape), strides = strides_of(a);
  return shape == hints_of(b.shape) && strides == strides_of(b) && is_dense(shape, strides) && a.device == b.device;
}

class Candidates {
 public:
  explicit Candidates(const Graph& graph) : graph_(graph), depends_(find_dependent_on_tangents(graph)) {
    for (std::size_t i = 0; i < graph.size(); ++i) find_other_uses(node_id(i));
  }

  // The value of the forward whose sign is all that the gradient needs of it.
  std::optional<NodeId> value_for(NodeId id) const {
    const Node& node = graph_[id];
    const std::optional<NodeId> value = value_of_gradient(graph_, node);
    if (!value || !has_own_memory(*value)) return std::nullopt;
    const Node& gradient = graph_[*node_argument(node, kGradient)];
    if (!gradient.has_tensor() || !node.has_tensor()) return std::nullopt;
    const bool is_alike = gradient.value->tensor.dtype == node.value->tensor.dtype &&
                          have_same_dense_layout(graph_[*value].value->tensor, node.value->tensor);
    return is_alike ? value : std::nullopt;
  }

 private:
  bool has_own_memory(NodeId value) const {
    const std::optional<std::int64_t> storage = graph_[value].storage();
    return graph_[value].is_call() && !depends_[index_of(value)] && storage && !used_otherwise_.contains(*storage);
  }

  // Memory that is written to, or that the backward uses for more than signs.
  void find_other_uses(NodeId id) {
    const Node& node = graph_[id];
    if (node.is_call() && writes(node)) {
      for (const NodeId written : written_inputs(node)) add_storage_of(written);
    }
    if (!depends_[index_of(id)] || !node.is_call() || computes_nothing(graph_, node)) return;
    const bool looks_at_sign = value_of_gradient(graph_, node).has_value();
    for (const NodeId input : node.inputs) {
      if (!looks_at_sign || input != *node_argument(node, kResult)) add_storage_of(input);
    }
  }

  void add_storage_of(NodeId id) {
    if (const auto storage = graph_[id].storage()) used_otherwise_.insert(*storage);
  }

  const Graph& graph_;
  std::vector<bool> depends_;
  std::unordered_set<std::int64_t> used_otherwise_;
};

class Decomposition {
 public:
  // `values`: by node, of which value it looks at the signs.
  Decomposition(const JointGraph& joint, std::vector<std::optional<NodeId>> values)
      : graph_(joint.graph), values_(std::move(values)), rebuild_(joint.graph), names_(joint.graph, joint.torch.release),
        storages_(first_unused_storage(joint.graph)) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i]) signs_.emplace(*values_[i], Signs{node_id(i), kNoNode});
    }
  }

  Graph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const NodeId id = node_id(i);
      rebuild_.substitute(id, rebuild_.append(values_[i] ? gradient(id) : rebuild_.translated(id)));
      if (const auto wanted = signs_.find(id); wanted != signs_.end()) wanted->second.made = rebuild_.append(signs(id));
    }
    return rebuild_.take();
  }

 private:
  struct Signs {
    NodeId first_gradient, made;  // in the graph before, and in the new one
  };

  Node signs(NodeId id) {
    const Node& value = graph_[id];
    Node node = signs_of(value, rebuild_(id), names_.create(name_of_signs(value)), storages_++);
    node.origin = graph_[signs_.at(id).first_gradient].origin;  // what crosses comes from the file
    node.has_new_value = true;
    node.meta.recompute = value.meta.recompute;
    node.meta.ac_graph_id = value.meta.ac_graph_id;
    node.meta.tag = value.meta.tag;
    node.meta.phase = value.meta.phase;
    node.provenance = value.provenance;
    node.context = value.context;
    return node;
  }

  Node gradient(NodeId id) const {
    const Node& before = graph_[id];
    Arguments arguments;
    arguments.positional = {reference_to_input(0), int_argument(0), reference_to_input(1)};
    std::vector<NodeId> inputs{signs_.at(*values_[index_of(id)]).made, rebuild_(*node_argument(before, kGradient))};
    Node node = make_call(where(), std::move(arguments), std::move(inputs), before.value, before.name);
    node.meta = before.meta;
    node.provenance = before.provenance;
    node.context = before.context;
    return node;
  }

  const Graph& graph_;
  std::vector<std::optional<NodeId>> values_;
  std::unordered_map<NodeId, Signs> signs_;  // by value
  Rebuild rebuild_;
  Namespace names_;
  std::int64_t storages_;
};

}  // namespace

JointGraph decompose_threshold_backward(JointGraph joint, Compress compress) {
  if (compress == Compress::None) return joint;
  const Candidates candidates(joint.graph);
  std::vector<std::optional<NodeId>> values;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) values.push_back(candidates.value_for(node_id(i)));
  if (std::ranges::none_of(values, [](const auto& value) { return value.has_value(); })) return joint;
  joint.graph = Decomposition(joint, std::move(values)).run();
  return joint;
}

}  // namespace fxcut
