#include "inductor/channels_last.h"

#include <algorithm>
#include <cstddef>

#include "graph/strides.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNodesPerConvolution = 300;  // with more, convolutions are too few to decide the layout
constexpr std::int64_t kSmall = 64;            // channels

// The weight of a convolution or its backward.
struct Weight {
  Extents shape;  // output channels, input channels of each group, sizes of the window
  std::int64_t groups = 1;

  bool is_grouped() const { return groups > 1 && shape[1] > 1; }
  bool narrows() const { return shape[0] * 2 <= shape[1] && shape[2] > 1; }
  bool is_small() const { return shape[0] <= kSmall && shape[1] <= kSmall; }
};

std::vector<Weight> weights_of_convolutions(const Graph& graph, bool gradients_count) {
  std::vector<Weight> weights;
  for (const Node& node : graph.nodes) {
    const bool is_gradient = node.calls("aten.convolution_backward.default");
    if (!node.calls("aten.convolution.default") && !(is_gradient && gradients_count)) continue;
    const std::vector<Argument>& given = node.arguments->positional;
    const std::size_t weight = is_gradient ? 2 : 1, groups = is_gradient ? 9 : 8;
    if (given.size() <= groups || given[weight].kind != Argument::Kind::Node) continue;
    const Node& tensor = graph[node.inputs[given[weight].index]];
    if (!tensor.has_tensor() || tensor.value->tensor.shape.size() < 3) continue;
    weights.push_back({hints_of(tensor.value->tensor.shape), given[groups].integer});
  }
  return weights;
}

}  // namespace

bool suits_channels_last(const Graph& graph, bool gradients_count) {
  const std::vector<Weight> weights = weights_of_convolutions(graph, gradients_count);
  if (graph.size() >= kMaxNodesPerConvolution * weights.size()) return false;
  return std::ranges::none_of(weights, [](const Weight& each) { return each.is_grouped() || each.narrows(); }) &&
         !std::ranges::all_of(weights, &Weight::is_small);
}

std::vector<bool> prefer_channels_last(const Graph& graph, const Users& users) {
  std::vector<bool> prefers(graph.size(), false);
  std::size_t last = 0;
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const bool convolves = node.calls("aten.convolution.default");
    if (convolves) last = std::max(last, i);
    if (convolves) prefers[i] = true;
    else if (!node.calls("aten.bmm.default")) {
      prefers[i] = std::ranges::any_of(users.of(i), [&](NodeId reader) { return prefers[index_of(reader)]; });
    }
  }
  for (std::size_t i = 0; i < last; ++i) {
    if (!prefers[i]) continue;
    for (const NodeId reader : users.of(i)) {
      if (!graph[reader].calls("aten.bmm.default")) prefers[index_of(reader)] = true;
    }
  }
  return prefers;
}

}  // namespace fxcut
