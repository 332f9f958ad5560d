// Tables of packets. Source: the lowerings and fallbacks that torch._inductor.lowering of 2.13 registers, and its make_pointwise,
// make_reduction and register_lowering functions.
#include "inductor/lowering_rules.h"

#include <algorithm>
#include <array>

#include "graph/operator.h"

namespace fxcut {
namespace {

constexpr std::array kViews = std::to_array<std::string_view>({
    "aten._reshape_alias", "aten._unsafe_view", "aten.alias", "aten.as_strided", "aten.detach", "aten.diagonal", "aten.expand",
    "aten.expand_as", "aten.lift_fresh_copy", "aten.permute", "aten.reshape", "aten.select", "aten.slice", "aten.split",
    "aten.split_with_sizes", "aten.squeeze", "aten.t", "aten.transpose", "aten.unbind", "aten.unfold", "aten.unsqueeze",
    "aten.view", "aten.view_as", "operator.getitem", "prims.broadcast_in_dim", "prims.inductor_force_stride_order",
});

constexpr std::array kPointwise = std::to_array<std::string_view>({
    "aten.__and__", "aten.__lshift__", "aten.__or__", "aten.__rshift__", "aten.__xor__", "aten._to_copy", "aten.abs", "aten.acos",
    "aten.acosh", "aten.add", "aten.addcdiv", "aten.addcmul", "aten.arange", "aten.asin", "aten.asinh", "aten.atan", "aten.atan2",
    "aten.atanh", "aten.bitwise_and", "aten.bitwise_left_shift", "aten.bitwise_not", "aten.bitwise_or",
    "aten.bitwise_right_shift",
    "aten.bitwise_xor", "aten.ceil", "aten.clamp", "aten.clamp_max", "aten.clamp_min", "aten.clone", "aten.copy", "aten.copysign",
    "aten.cos", "aten.cosh", "aten.digamma", "aten.div", "aten.elu", "aten.empty", "aten.empty_like", "aten.eq", "aten.erf",
    "aten.erfc", "aten.erfinv", "aten.exp", "aten.exp2", "aten.expm1", "aten.fill", "aten.floor", "aten.floor_divide",
    "aten.fmod",
    "aten.full", "aten.full_like", "aten.ge", "aten.gelu", "aten.gt", "aten.hypot", "aten.isinf", "aten.isnan", "aten.ldexp",
    "aten.le", "aten.leaky_relu", "aten.lerp", "aten.lgamma", "aten.log", "aten.log10", "aten.log1p", "aten.log2",
    "aten.logical_and", "aten.logical_not", "aten.logical_or", "aten.logical_xor", "aten.lt", "aten.masked_fill", "aten.maximum",
    "aten.minimum", "aten.mul", "aten.ne", "aten.neg", "aten.new_empty", "aten.new_full", "aten.new_zeros", "aten.ones",
    "aten.ones_like", "aten.pow", "aten.reciprocal", "aten.relu", "aten.remainder", "aten.round", "aten.rsqrt",
    "aten.scalar_tensor",
    "aten.sigmoid", "aten.sign", "aten.signbit", "aten.silu", "aten.sin", "aten.sinh", "aten.sqrt", "aten.square", "aten.sub",
    "aten.tan", "aten.tanh", "aten.tril", "aten.triu", "aten.true_divide", "aten.trunc", "aten.where", "aten.zeros",
    "aten.zeros_like", "prims._low_memory_max_pool_offsets_to_indices", "prims.abs", "prims.acos", "prims.acosh", "prims.add",
    "prims.asin", "prims.asinh", "prims.atan", "prims.atan2", "prims.atanh", "prims.bitwise_and", "prims.bitwise_not",
    "prims.bitwise_or", "prims.bitwise_xor", "prims.ceil", "prims.convert_element_type", "prims.cos", "prims.cosh",
    "prims.device_put", "prims.div", "prims.eq", "prims.erf", "prims.erfc", "prims.exp", "prims.exp2", "prims.expm1", "prims.fma",
    "prims.fmod", "prims.ge", "prims.gt", "prims.hypot", "prims.iota", "prims.le", "prims.lgamma", "prims.log", "prims.log10",
    "prims.log1p", "prims.log2", "prims.lt", "prims.maximum", "prims.minimum", "prims.mul", "prims.ne", "prims.neg",
    "prims.reciprocal", "prims.rsqrt", "prims.sign", "prims.sin", "prims.sinh", "prims.sqrt", "prims.sub", "prims.tan",
    "prims.tanh",
});

constexpr std::array kIndirect = std::to_array<std::string_view>({
    "aten._adaptive_avg_pool2d", "aten._unsafe_index", "aten._unsafe_masked_index", "aten.as_strided_scatter", "aten.avg_pool2d",
    "aten.avg_pool2d_backward", "aten.constant_pad_nd", "aten.diagonal_scatter", "aten.embedding", "aten.flip", "aten.gather",
    "aten.index", "aten.index_select", "aten.reflection_pad2d", "aten.repeat", "aten.roll", "aten.select_scatter",
    "aten.slice_scatter", "aten.upsample_bilinear2d", "aten.upsample_nearest2d", "aten.upsample_nearest2d_backward",
    "prims.inductor_lookup_seed", "prims.rev",
});

constexpr std::array kReductions = std::to_array<std::string_view>({
    "aten.all", "aten.amax", "aten.amin", "aten.any", "aten.argmax", "aten.argmin", "aten.max", "aten.mean", "aten.min",
    "aten.prod",
    "aten.sum", "aten.var", "aten.var_mean", "prims.xor_sum",
});

constexpr std::array kStored = std::to_array<std::string_view>({
    "aten._unsafe_index_put", "aten._unsafe_masked_index_put_accumulate", "aten.cat", "aten.index_put",
    "aten.scatter", "aten.scatter_add", "aten.scatter_reduce", "prims._low_memory_max_pool_with_offsets",
    "prims.inductor_randint", "prims.inductor_random",
});

// StorageBox.should_realize_on_reuse's heavy_ops.
constexpr std::array kHeavy = std::to_array<std::string_view>({
    "aten.exp", "aten.log", "aten.log10", "aten.log1p", "aten.log2", "aten.sigmoid", "aten.tanh",
});

constexpr std::array kIntoBuffers = std::to_array<std::string_view>({
    "aten._int_mm", "aten.addmm", "aten.baddbmm", "aten.bmm", "aten.mm",
});

// Not among the needs_realized_inputs, as all other calls of libraries are.
constexpr std::array kInlinedUntilCalled = std::to_array<std::string_view>({"aten.addmm", "aten.baddbmm"});

// GraphLowering.run_node's need_fixed_layout.
constexpr std::array kFixedLayout =
    std::to_array<std::string_view>({"aten._int_mm", "aten.convolution_backward", "aten.mm"});

constexpr std::array kShapeOfFirst = std::to_array<std::string_view>({
    "aten.copy", "aten.empty_like", "aten.fill", "aten.full_like", "aten.new_empty", "aten.new_full", "aten.new_zeros",
    "aten.ones_like", "aten.zeros_like",
});

// GraphLowering.run_node's as_strided_ops.
constexpr std::array kAsStrided = std::to_array<std::string_view>({"aten.as_strided", "aten.as_strided_scatter"});

template <std::size_t N>
bool has(const std::array<std::string_view, N>& packets, const Node& call) {
  const Operator& op = *call.callee;
  return std::ranges::find(packets, op.packet.empty() ? op.target : op.packet) != packets.end();
}

}  // namespace

Lowering lowering_of(const Node& call) {
  if (call.calls("aten.copy_.default")) return Lowering::Write;
  if (has(kViews, call)) return Lowering::View;
  if (has(kPointwise, call)) return Lowering::Pointwise;
  if (has(kIndirect, call)) return Lowering::Indirect;
  if (has(kReductions, call)) return Lowering::Reduction;
  return has(kStored, call) ? Lowering::Stored : Lowering::Extern;
}

bool is_heavy_on_cpu(const Node& call) { return has(kHeavy, call); }

bool wants_buffer_of_shared(const Node& call) {
  return lowering_of(call) == Lowering::Extern && !has(kInlinedUntilCalled, call);
}

bool wants_order_of_shared(const Node& call) { return has(kFixedLayout, call); }

bool takes_shape_of_first(const Node& call) { return has(kShapeOfFirst, call); }

bool wants_traced_strides(const Node& call) { return has(kAsStrided, call); }

bool is_attention(const Node& call) {
  constexpr std::string_view kPrefixes[] = {"aten._scaled_dot_product_", "aten._flash_attention_", "aten._efficient_attention_"};
  return call.is_call() && std::ranges::any_of(kPrefixes, [&](std::string_view p) { return call.callee->packet.starts_with(p); });
}

bool is_convolution(const Node& call) {
  return call.callee->packet == "aten.convolution" || call.callee->packet == "aten.convolution_backward";
}

bool is_fallback(const Node& call) {
  return lowering_of(call) == Lowering::Extern && !writes_into_buffer(call) && call.callee->packet != "aten.convolution";
}

bool writes_into_buffer(const Node& call) { return has(kIntoBuffers, call); }

}  // namespace fxcut
