#include "inductor/retraced.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

// Their results have channels last if their first input has (suggest_memory_format in their meta functions).
constexpr std::array kKeepChannelsLast = std::to_array<std::string_view>({
    "aten._adaptive_avg_pool2d", "aten.avg_pool2d", "aten.avg_pool2d_backward", "aten.constant_pad_nd",
    "aten.max_pool2d_with_indices", "aten.max_pool2d_with_indices_backward", "aten.upsample_bilinear2d",
    "aten.upsample_nearest2d", "aten.upsample_nearest2d_backward", "prims._low_memory_max_pool_offsets_to_indices",
    "prims._low_memory_max_pool_with_offsets",
});

// compute_elementwise_output_logical_to_physical_perm's order of two dimensions: 1 if they are to be swapped, 0 if either may be.
int order_of_pair(std::span<const Extents> operands, const Extents& shape, std::size_t a, std::size_t b) {
  for (const Extents& strides : operands) {
    if (strides[a] == 0 || strides[b] == 0) continue;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

// compute_elementwise_output_strides, for operands broadcast to the shape.
Extents elementwise_strides(std::span<const Extents> operands, const Extents& shape) {
  std::vector<std::size_t> inner_first(shape.size());
  std::iota(inner_first.rbegin(), inner_first.rend(), 0);
  for (std::size_t i = 1; i < shape.size(); ++i) {
    std::size_t at = i;
    for (std::size_t other = i; other-- > 0;) {
      const int order = order_of_pair(operands, shape, inner_first[other], inner_first[at]);
      if (order < 0) break;
      if (order > 0) std::swap(inner_first[other], inner_first[at]), at = other;
    }
  }
  return strides_in_order(shape, inner_first);
}

// Whether the strides of the result do not come from its inputs.
bool makes_anew(const Node& node) {
  return node.callee->packet.starts_with("aten.new_") || node.arguments->find("memory_format");
}

Sizes sizes_of(const Extents& extents) {
  std::vector<Size> sizes;
  for (const std::int64_t extent : extents) sizes.push_back({extent, nullptr});
  return Sizes(std::move(sizes));
}

// Whether a view that only permutes dimensions has other strides than its base. Strides of dimensions of size 1 do not count.
bool is_stale(const Graph& graph, const Node& node) {
  constexpr std::string_view kOrders[] = {"aten.permute", "aten.t", "aten.transpose"};
  if (!node.is_call() || std::ranges::find(kOrders, node.callee->packet) == std::end(kOrders)) return false;
  if (!node.has_tensor() || node.inputs.empty() || !graph[node.inputs.front()].has_tensor()) return false;
  const Tensor& before = graph[node.inputs.front()].value->tensor;
  const Extents shape = hints_of(node.value->tensor.shape), traced = strides_of(node.value->tensor);
  const Access seen = through_view({0, strides_of(before), 0}, node, 0, hints_of(before.shape), shape);
  if (!seen.strides || seen.strides->size() != traced.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && (*seen.strides)[i] != traced[i]) return true;
  }
  return false;
}

class Retracer {
 public:
  Retracer(Graph graph, const StridesByName& inputs)
      : graph_(std::move(graph)), inputs_(inputs), changed_(graph_.size(), false), same_as_(graph_.size()),
        is_viewed_by_result_(graph_.size(), false) {
    for (std::size_t i = 0; i < graph_.size(); ++i) viewed_.push_back(viewed_by(node_id(i)));
    for (const NodeId result : graph_.output().inputs) is_viewed_by_result_[index_of(viewed_[index_of(result)])] = true;
  }

  Graph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      Node& node = graph_.nodes[i];
      for (NodeId& input : node.inputs) input = same_as_[index_of(input)].value_or(input);
      viewed_[i] = viewed_by(node_id(i));
      if (!node.value) continue;
      if (node.is_placeholder()) change_input(node_id(i));
      else if (node.is_call() && (reads_changed(node) || is_stale(graph_, node))) follow(node_id(i));
    }
    return std::move(graph_);
  }

 private:
  bool reads_changed(const Node& call) const {
    return std::ranges::any_of(call.inputs, [&](NodeId id) { return changed_[index_of(id)]; });
  }

  void change_input(NodeId id) {
    const auto given = inputs_.find(graph_[id].name);
    if (given != inputs_.end() && graph_[id].has_tensor()) change(id, given->second);
  }

  void follow(NodeId id) {
    const Node& node = graph_[id];
    if (is_convolution(node)) {
      const std::size_t input = node.inputs.size() > 2 && node.packet() == "aten.convolution_backward" ? 1 : 0;
      if (keeps(node, input) || keeps(node, input + 1)) to_channels_last(id);
    } else if (std::ranges::find(kKeepChannelsLast, node.callee->packet) != kKeepChannelsLast.end()) {
      if (keeps(node, 0)) to_channels_last(id);
    } else if (node.packet() == "aten.cat") {
      bool all = true;
      for (std::size_t i = 0; i < node.inputs.size(); ++i) all = all && keeps(node, i);
      if (all) to_channels_last(id);
    } else if (node.calls("operator.getitem")) {
      take_item(id);
    } else if (lowering_of(node) == Lowering::View) {
      view(id);
    } else if (lowering_of(node) == Lowering::Pointwise && node.has_tensor() && !makes_anew(node)) {
      elementwise(id);
    }
    if (node.packet() == "aten.clone" && is_copied_for_nothing(id)) remove_copy(id);
  }

  void remove_copy(NodeId id) {
    const NodeId copied = graph_[id].inputs.front();
    same_as_[index_of(id)] = copied;
    if (is_viewed_by_result_[index_of(id)]) is_viewed_by_result_[index_of(viewed_[index_of(copied)])] = true;
  }

  // remove_noop_ops: a copy with the strides of its source, unless removing it would make results of the graph share memory.
  bool is_copied_for_nothing(NodeId id) const {
    const Node& copy = graph_[id];
    if (!copy.has_tensor() || copy.inputs.empty() || !graph_[copy.inputs.front()].has_tensor()) return false;
    const Tensor &to = copy.value->tensor, &from = graph_[copy.inputs.front()].value->tensor;
    if (hints_of(to.shape) != hints_of(from.shape) || to.dtype != from.dtype || strides_of(to) != strides_of(from)) return false;
    const NodeId copied = viewed_[index_of(copy.inputs.front())];
    const bool is_shared = graph_[copied].is_placeholder() || is_viewed_by_result_[index_of(copied)];
    return !is_viewed_by_result_[index_of(id)] || !is_shared;
  }

  // The node whose memory a view is in, or itself. Those of earlier nodes are known.
  NodeId viewed_by(NodeId id) const {
    const Node& node = graph_[id];
    const bool is_view = node.is_call() && lowering_of(node) == Lowering::View && !node.inputs.empty();
    return is_view ? viewed_[index_of(node.inputs.front())] : id;
  }

  bool keeps(const Node& node, std::size_t input) const {
    return input < node.inputs.size() && graph_[node.inputs[input]].has_tensor() &&
           is_like_channels_last(graph_[node.inputs[input]].value->tensor);
  }

  void to_channels_last(NodeId id) {
    auto value = std::make_shared<Value>(*graph_[id].value);
    const auto restride = [](Value& one) {
      if (one.is_tensor() && one.tensor.shape.size() == 4) {
        one.tensor.stride = sizes_of(channels_last_strides(hints_of(one.tensor.shape)));
      }
    };
    restride(*value);
    std::ranges::for_each(value->items, restride);
    graph_[id].value = std::move(value);
    changed_[index_of(id)] = true;
  }

  void take_item(NodeId id) {
    const Node& node = graph_[id];
    const Value& source = *graph_[node.inputs.front()].value;
    const std::optional<std::int64_t> at = item_position(node);
    if (!at || *at < 0 || static_cast<std::size_t>(*at) >= source.items.size()) return;
    const Value& item = source.items[static_cast<std::size_t>(*at)];
    if (item.is_tensor()) change(id, strides_of(item.tensor));
  }

  void view(NodeId id) {
    const Node& node = graph_[id];
    if (!node.has_tensor() || !graph_[node.inputs.front()].has_tensor()) return;
    const Tensor& before = graph_[node.inputs.front()].value->tensor;
    const Extents to = hints_of(node.value->tensor.shape);
    const Access seen = through_view({0, strides_of(before), 0}, node, 0, hints_of(before.shape), to);
    if (seen.strides) change(id, *seen.strides);
    else if (product(hints_of(before.shape)) == product(to)) change(id, contiguous_strides(to));  // a copy
  }

  void elementwise(NodeId id) {
    const Extents shape = hints_of(graph_[id].value->tensor.shape);
    std::vector<Extents> operands;
    for (const NodeId input : graph_[id].inputs) {
      if (!graph_[input].has_tensor() || graph_[input].value->tensor.shape.empty()) continue;
      const Tensor& operand = graph_[input].value->tensor;
      if (operand.shape.size() > shape.size()) return;
      Access read{0, strides_of(operand), 0};
      broadcast(read, id, hints_of(operand.shape), shape);
      operands.push_back(*std::move(read.strides));
    }
    change(id, elementwise_strides(operands, shape));
  }

  void change(NodeId id, const Extents& strides) {
    const Tensor& before = graph_[id].value->tensor;
    if (strides.size() != before.shape.size() || strides == strides_of(before)) return;
    auto value = std::make_shared<Value>(*graph_[id].value);
    value->tensor.stride = sizes_of(strides);
    graph_[id].value = std::move(value);
    changed_[index_of(id)] = true;
  }

  Graph graph_;
  const StridesByName& inputs_;
  std::vector<bool> changed_;                  // by node
  std::vector<std::optional<NodeId>> same_as_;  // by node: the one that it is a needless copy of
  std::vector<NodeId> viewed_;                 // by node: whose memory it is in
  std::vector<bool> is_viewed_by_result_;      // by node: a result is in its memory
};

}  // namespace

bool is_stale(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [&](const Node& node) { return is_stale(graph, node); });
}

Graph retraced(Graph graph, const StridesByName& inputs) {
  return inputs.empty() && !is_stale(graph) ? std::move(graph) : Retracer(std::move(graph), inputs).run();
}

}  // namespace fxcut
