#include "policy/composite_operators.h"

#include <algorithm>
#include <array>
#include "classify/views_and_writes.h"
#include "policy/operator_classes.h"

namespace fxcut {
namespace {

struct Composite {
  std::string_view name;
  std::array<std::string_view, 6> parts;  // empty ones behind the last
};

constexpr Composite kComposites[] = {
    {"aten.batch_norm", {"aten._native_batch_norm_legit_functional", "aten.native_batch_norm", "aten.cudnn_batch_norm"}},
    {"aten.conv1d", {"aten.convolution"}},
    {"aten.conv2d", {"aten.convolution"}},
    {"aten.conv3d", {"aten.convolution"}},
    {"aten.conv_transpose2d", {"aten.convolution"}},
    {"aten.cross_entropy_loss", {"aten.nll_loss_forward", "aten._log_softmax"}},
    {"aten.dropout", {"aten.native_dropout", "aten.bernoulli", "aten.rand_like"}},
    {"aten.einsum", {"aten.bmm", "aten.mm"}},
    {"aten.group_norm", {"aten.native_group_norm"}},
    {"aten.layer_norm", {"aten.native_layer_norm"}},
    {"aten.linear", {"aten.mm", "aten.addmm", "aten.bmm"}},
    {"aten.log_softmax", {"aten._log_softmax"}},
    {"aten.matmul", {"aten.mm", "aten.bmm", "aten.addmm"}},
    {"aten.nll_loss", {"aten.nll_loss_forward"}},
    {"aten.scaled_dot_product_attention",
     {"aten._scaled_dot_product_flash_attention", "aten._scaled_dot_product_efficient_attention",
      "aten._scaled_dot_product_cudnn_attention", "aten._scaled_dot_product_flash_attention_for_cpu", "aten._softmax"}},
    {"aten.softmax", {"aten._softmax"}},
};

bool is_transposed_input(const Graph& graph, NodeId id) {
  bool is_transposed = false;
  while (graph[id].is_call() && !graph[id].inputs.empty()) {
    const Node& call = graph[id];
    if (!call.callee->is(Operator::View) && !call.callee->is_collective() && !copies_elements(call)) return false;
    is_transposed = is_transposed || calls_any(call, {"aten.t", "aten.transpose", "aten.permute"});
    id = call.inputs.front();
  }
  return is_transposed && is_primal(graph[id]);
}

}  // namespace

std::span<const std::string_view> parts_of_composite(std::string_view name) {
  const auto found = std::ranges::find(kComposites, name, &Composite::name);
  if (found == std::end(kComposites)) return {};
  const auto& parts = found->parts;
  return {parts.begin(), std::ranges::find(parts, std::string_view())};
}

std::optional<std::string_view> composite_of(const Graph& graph, const Node& call) {
  if (!calls_any(call, {"aten.mm", "aten.addmm", "aten.bmm"}) || call.inputs.empty()) return std::nullopt;
  if (!is_transposed_input(graph, call.inputs.back())) return std::nullopt;
  return "aten.linear.default";
}

}  // namespace fxcut
