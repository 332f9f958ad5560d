// Tables of packets, looked up once for each operator. lowering_table.inc has what torch._inductor.lowering makes of each, as
// found by dump_lowerings.py.
#include "inductor/lowering_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>

#include "graph/operator.h"

namespace fxcut {
namespace {

struct PacketLowering {
  std::string_view packet;
  Lowering lowering;
};

#include "inductor/lowering_table.inc"

// Their only constant is the number argument, if there is one.
constexpr std::array kOneConstant = std::to_array<std::string_view>({
    "aten.full", "aten.full_like", "aten.new_full", "aten.new_zeros", "aten.ones", "aten.ones_like", "aten.scalar_tensor",
    "aten.zeros", "aten.zeros_like",
});

// Their integers become index expressions (ops.index_expr).
constexpr std::array kWithoutConstants = std::to_array<std::string_view>({"aten.arange", "prims.iota"});

// StorageBox.should_realize_on_reuse's heavy_ops.
constexpr std::array kHeavy = std::to_array<std::string_view>({
    "aten.exp", "aten.log", "aten.log10", "aten.log1p", "aten.log2", "aten.sigmoid", "aten.tanh",
});

constexpr std::array kIntoBuffers = std::to_array<std::string_view>({
    "aten._int_mm", "aten.addmm", "aten.baddbmm", "aten.bmm", "aten.mm",
});

// Unlike all other library calls, not among needs_realized_inputs.
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

// They only load other places of their inputs and compute nothing: a copy, and reads at indexed positions.
constexpr std::array kOnlyPlaces = std::to_array<std::string_view>({
    "aten.arange", "aten.clone", "aten.embedding", "aten.flip", "aten.gather", "aten.index", "aten.index_select",
    "prims.inductor_lookup_seed", "prims.iota", "prims.rev",
});

// Operators on two tensors, which get one dtype.
constexpr std::array kPromoting = std::to_array<std::string_view>({
    "aten.add", "aten.div", "aten.maximum", "aten.minimum", "aten.mul", "aten.sub",
});

constexpr std::array kDivisions = std::to_array<std::string_view>({"aten.div", "aten.true_divide", "prims.div"});

// The lists above and the entries of the table, as flags of an operator. The lowering is in the lowest bits.
enum class Trait : std::uint8_t {
  Known = 3, OneConstant, WithoutConstants, Heavy, IntoBuffer, InlinedUntilCalled, FixedLayout, ShapeOfFirst, ShapeOfSecond,
  AsStrided, OnlyPlaces, Promoting, Division,
};
static_assert(static_cast<unsigned>(Lowering::Extern) < 1U << static_cast<unsigned>(Trait::Known));

constexpr std::uint32_t flag_of(Trait trait) { return std::uint32_t{1} << static_cast<unsigned>(trait); }

struct TraitOfPackets {
  Trait trait;
  std::span<const std::string_view> packets;
};

constexpr TraitOfPackets kTraits[] = {
    {Trait::OneConstant, kOneConstant},
    {Trait::WithoutConstants, kWithoutConstants},
    {Trait::Heavy, kHeavy},
    {Trait::IntoBuffer, kIntoBuffers},
    {Trait::InlinedUntilCalled, kInlinedUntilCalled},
    {Trait::FixedLayout, kFixedLayout},
    {Trait::ShapeOfFirst, kShapeOfFirst},
    {Trait::ShapeOfSecond, kShapeOfSecond},
    {Trait::AsStrided, kAsStrided},
    {Trait::OnlyPlaces, kOnlyPlaces},
    {Trait::Promoting, kPromoting},
    {Trait::Division, kDivisions},
};

Lowering derived_lowering(const Operator& op, std::string_view packet) {
  if (op.target == "aten.copy_.default") return Lowering::Write;
  const auto* const row = std::ranges::lower_bound(kLowerings, packet, {}, &PacketLowering::packet);
  return row != std::end(kLowerings) && row->packet == packet ? row->lowering : Lowering::Extern;
}

std::uint32_t derived_flags(const Operator& op) {
  const std::string_view packet = op.packet.empty() ? op.target : op.packet;
  std::uint32_t flags = flag_of(Trait::Known) | static_cast<std::uint32_t>(derived_lowering(op, packet));
  for (const auto& [trait, packets] : kTraits) {
    if (std::ranges::find(packets, packet) != packets.end()) flags |= flag_of(trait);
  }
  return flags;
}

// Asked for several times for each node, which took a tenth of the prediction when each time the lists were searched.
std::uint32_t flags_of(const Operator& op) {
  if (const std::uint32_t known = op.lowering.get()) return known;
  const std::uint32_t flags = derived_flags(op);
  op.lowering.set(flags);
  return flags;
}

bool has(Trait trait, const Node& call) { return (flags_of(*call.callee) & flag_of(trait)) != 0; }

// The multiplications of pow_recursive, which halves exponents of up to 32.
std::size_t products_of_power(const Node& call) {
  const std::vector<Argument>& given = call.arguments->positional;
  if (given.size() < 2 || call.inputs.size() > 1 || given[0].kind != Argument::Kind::Node) return 1;
  const bool is_whole = given[1].kind == Argument::Kind::Float && std::trunc(given[1].real) == given[1].real;
  if (!is_whole && given[1].kind != Argument::Kind::Int) return 1;
  const double exponent = given[1].number();
  if (std::abs(exponent) > 32) return 1;
  const auto power = static_cast<unsigned>(std::abs(exponent));
  const int products = power == 0 ? 1 : static_cast<int>(std::bit_width(power)) + std::popcount(power) - 2;
  return static_cast<std::size_t>(products) + (exponent < 0 ? 1 : 0);
}

// constant_pad_nd: a comparison with a bound for each padded side; dimensions of equal size share the bound and the index.
std::size_t operators_of_padding(const Node& call) {
  const std::vector<Argument>& given = call.arguments->positional;
  if (given.size() < 2) return 1;
  const std::vector<Argument>& sides = given[1].items;
  std::size_t places = 0, comparisons = 0;
  bool is_low = false;
  for (std::size_t i = 0; i + 1 < sides.size(); i += 2) {
    const bool low = sides[i].integer != 0, high = sides[i + 1].integer != 0;
    is_low |= low;
    places += std::size_t{low || high} + std::size_t{high};
    comparisons += std::size_t{low} + std::size_t{high};
  }
  return comparisons == 0 ? 0 : places + (is_low ? 1 : 0) + 2 * comparisons;  // as many joined, less one, and one that masks
}

// slice_scatter: the comparisons with its bounds, the masked value, and the select.
std::size_t operators_of_slice(const Node& call) {
  const std::vector<Argument>& given = call.arguments->positional;
  const auto integer = [&](std::size_t at, std::int64_t otherwise) {
    return at < given.size() && given[at].kind == Argument::Kind::Int ? given[at].integer : otherwise;
  };
  const Extents shape = call.value && call.value->is_tensor() ? hints_of(call.value->tensor.shape) : Extents{};
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t at = integer(2, 0) + (integer(2, 0) < 0 ? rank : 0);
  if (at < 0 || at >= rank) return 1;
  const std::int64_t size = shape[static_cast<std::size_t>(at)];
  const auto bound = [&](std::int64_t place) { return std::clamp<std::int64_t>(place < 0 ? place + size : place, 0, size); };
  const std::size_t bounds = std::size_t{bound(integer(3, 0)) != 0} + std::size_t{bound(integer(4, size)) != size};
  const std::size_t comparisons = bounds + std::size_t{integer(5, 1) != 1};
  if (comparisons == 0) return 0;
  return 1 + 2 * comparisons + (comparisons > bounds ? 1 : 0) + (comparisons - 1) + 2;
}

}  // namespace

Lowering lowering_of(const Node& call) {
  return static_cast<Lowering>(flags_of(*call.callee) & (flag_of(Trait::Known) - 1));
}

std::size_t operators_of(const Node& call) {
  if (has(Trait::OneConstant, call) || has(Trait::OnlyPlaces, call)) return 0;
  if (call.packet() == "aten.constant_pad_nd") return operators_of_padding(call);
  if (call.packet() == "aten.slice_scatter") return operators_of_slice(call);
  return call.packet() == "aten.pow" ? products_of_power(call) : 1;
}

std::vector<Argument> constants_in(const Node& call) {
  if (has(Trait::WithoutConstants, call) || lowering_of(call) != Lowering::Pointwise) return {};
  std::vector<Argument> constants;
  for (const Argument& given : call.arguments->positional) {
    const bool is_number = given.kind == Argument::Kind::Int || (given.kind == Argument::Kind::Float && !std::isnan(given.real));
    const bool is_exponent = call.packet() == "aten.pow" && constants.empty() && call.inputs.size() == 1 &&
                             call.arguments->positional.front().kind == Argument::Kind::Node;
    if (is_number && !is_exponent) constants.push_back(given);
  }
  if (!has(Trait::OneConstant, call) || !constants.empty()) return constants;
  Argument filling;
  filling.kind = Argument::Kind::Int;
  filling.integer = call.callee->packet.find("ones") == std::string::npos ? 0 : 1;
  return {filling};
}

bool divides(const Node& call) { return has(Trait::Division, call); }

bool promotes(const Node& call) { return has(Trait::Promoting, call); }

bool is_heavy_on_cpu(const Node& call) { return has(Trait::Heavy, call); }

bool wants_buffer_of_shared(const Node& call) {
  return lowering_of(call) == Lowering::Extern && !has(Trait::InlinedUntilCalled, call);
}

bool wants_order_of_shared(const Node& call) { return has(Trait::FixedLayout, call); }

std::optional<std::size_t> input_of_shape(const Node& call) {
  if (has(Trait::ShapeOfFirst, call)) return 0;
  return has(Trait::ShapeOfSecond, call) ? std::optional<std::size_t>(1) : std::nullopt;
}

bool wants_traced_strides(const Node& call) { return has(Trait::AsStrided, call); }

bool is_attention(const Node& call) {
  constexpr std::string_view kPrefixes[] = {"aten._scaled_dot_product_", "aten._flash_attention_", "aten._efficient_attention_"};
  return call.is_call() && std::ranges::any_of(kPrefixes, [&](std::string_view p) { return call.callee->packet.starts_with(p); });
}

bool is_convolution(const Node& call) {
  return call.packet() == "aten.convolution" || call.packet() == "aten.convolution_backward";
}

std::optional<NodeId> bias_of_convolution(const Node& call) {
  if (call.packet() != "aten.convolution" || call.inputs.size() != 3) return {};
  return call.inputs[2];
}

bool is_fallback(const Node& call) {
  return lowering_of(call) == Lowering::Extern && !writes_into_buffer(call) && call.packet() != "aten.convolution";
}

bool writes_into_buffer(const Node& call) { return has(Trait::IntoBuffer, call); }

}  // namespace fxcut
