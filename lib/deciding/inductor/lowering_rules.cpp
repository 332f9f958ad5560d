// Tables of packets. lowering_table.inc has what torch._inductor.lowering makes of each, as dump_lowerings.py finds it out.
#include "inductor/lowering_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "graph/operator.h"

namespace fxcut {
namespace {

struct PacketLowering {
  std::string_view packet;
  Lowering lowering;
};

#include "inductor/lowering_table.inc"

// The number, where it is an argument.
constexpr std::array kOneConstant = std::to_array<std::string_view>({
    "aten.full", "aten.full_like", "aten.new_full", "aten.new_zeros", "aten.ones", "aten.ones_like", "aten.scalar_tensor",
    "aten.zeros", "aten.zeros_like",
});

// Their integers become other expressions (ops.index_expr; pow_recursive).
constexpr std::array kWithoutConstants = std::to_array<std::string_view>({"aten.arange", "aten.pow", "prims.iota"});

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

constexpr std::array kShapeOfSecond = std::to_array<std::string_view>({
    "aten.avg_pool2d_backward", "aten.avg_pool3d_backward", "aten.max_pool2d_with_indices_backward",
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
  const Operator& op = *call.callee;
  const std::string_view packet = op.packet.empty() ? op.target : op.packet;
  const auto* const row = std::ranges::lower_bound(kLowerings, packet, {}, &PacketLowering::packet);
  return row != std::end(kLowerings) && row->packet == packet ? row->lowering : Lowering::Extern;
}

std::size_t operators_of(const Node& call) {
  if (has(kOneConstant, call)) return 0;
  if (call.callee->packet == "aten.cat") return 6 * call.inputs.size() - 1;  // bounds and comparisons of each term (pointwise_cat)
  const std::vector<Argument>& given = call.arguments->positional;
  if (call.callee->packet != "aten.pow" || given.size() < 2) return 1;
  const bool is_whole = given[1].kind == Argument::Kind::Float && std::trunc(given[1].real) == given[1].real;
  if (!is_whole && given[1].kind != Argument::Kind::Int) return 1;
  // Products of halves, as pow_recursive has them, for exponents up to 32.
  const double exponent = is_whole ? given[1].real : static_cast<double>(given[1].integer);
  if (std::abs(exponent) > 32) return 1;
  const auto power = static_cast<unsigned>(std::abs(exponent));
  const int products = power == 0 ? 1 : static_cast<int>(std::bit_width(power)) + std::popcount(power) - 2;
  return static_cast<std::size_t>(products) + (exponent < 0 ? 1 : 0);
}

std::vector<double> constants_in(const Node& call) {
  std::vector<double> constants;
  const bool has_integers = !has(kWithoutConstants, call);
  for (const Argument& given : call.arguments->positional) {
    if (given.kind == Argument::Kind::Int && has_integers) constants.push_back(static_cast<double>(given.integer));
    if (given.kind == Argument::Kind::Float && !std::isnan(given.real) && has_integers) constants.push_back(given.real);
  }
  if (!has(kOneConstant, call) || !constants.empty()) return constants;
  return {call.callee->packet.find("ones") == std::string::npos ? 0.0 : 1.0};
}

bool is_heavy_on_cpu(const Node& call) { return has(kHeavy, call); }

bool wants_buffer_of_shared(const Node& call) {
  return lowering_of(call) == Lowering::Extern && !has(kInlinedUntilCalled, call);
}

bool wants_order_of_shared(const Node& call) { return has(kFixedLayout, call); }

std::optional<std::size_t> input_of_shape(const Node& call) {
  if (has(kShapeOfFirst, call)) return 0;
  return has(kShapeOfSecond, call) ? std::optional<std::size_t>(1) : std::nullopt;
}

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
