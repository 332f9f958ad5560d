#include "policy/composite_operators.h"

#include <algorithm>
#include <array>

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

}  // namespace

std::span<const std::string_view> parts_of_composite(std::string_view name) {
  const auto found = std::ranges::find(kComposites, name, &Composite::name);
  if (found == std::end(kComposites)) return {};
  const auto& parts = found->parts;
  return {parts.begin(), std::ranges::find(parts, std::string_view())};
}

}  // namespace fxcut
