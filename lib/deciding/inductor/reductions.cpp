#include "inductor/reductions.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

// torch._inductor.config.unroll_reductions_threshold: a reduction of no more elements is an expression.
constexpr std::int64_t kMostUnrolled = 8;

// Positions of dimensions: that stay, and that are reduced.
struct Dimensions {
  std::vector<std::size_t> outer, reduced;
};

Dimensions split_dimensions(const Node& node, const Extents& shape) {
  std::vector<bool> is_reduced(shape.size(), false);
  bool given = false;
  const auto& arguments = node.arguments->positional;
  const auto mark = [&](const Argument& position) {
    if (position.kind != Argument::Kind::Int) return;
    const std::int64_t at = position.integer + (position.integer < 0 ? static_cast<std::int64_t>(shape.size()) : 0);
    if (at >= 0 && at < static_cast<std::int64_t>(shape.size())) is_reduced[static_cast<std::size_t>(at)] = given = true;
  };
  if (arguments.size() > 1) {
    mark(arguments[1]);
    for (const Argument& item : arguments[1].items) mark(item);
  }
  Dimensions split;
  for (std::size_t i = 0; i < shape.size(); ++i) (!given || is_reduced[i] ? split.reduced : split.outer).push_back(i);
  return split;
}

Extents pick(const Extents& of, const std::vector<std::size_t>& positions) {
  Extents picked;
  for (const std::size_t position : positions) picked.push_back(of[position]);
  return picked;
}

// The access with the dimensions that are reduced last.
Access reordered(const Access& access, NodeId call, const Extents& shape, const Dimensions& dimensions) {
  if (!access.strides) return access;
  if (access.strides->size() != shape.size()) return {access.buffer, {}, place_after(access.place, call)};
  Extents strides = pick(*access.strides, dimensions.outer);
  const Extents inner = pick(*access.strides, dimensions.reduced);
  strides.insert(strides.end(), inner.begin(), inner.end());
  return {access.buffer, std::move(strides), access.place};
}

// The places of each element that is reduced, over the dimensions that stay, or over `rank`, if they stay with the size 1.
std::vector<Access> read_by_element(const Access& access, NodeId call, const Extents& shape, const Dimensions& dimensions,
                                    std::size_t rank) {
  const bool known = access.strides && access.strides->size() == shape.size();
  std::optional<Extents> strides;
  if (known && rank == shape.size()) {
    strides = access.strides;
    for (const std::size_t i : dimensions.reduced) (*strides)[i] = 0;
  } else if (known) {
    strides = pick(*access.strides, dimensions.outer);
  }
  std::vector<Access> reads{{access.buffer, std::move(strides), known ? access.place : place_after(access.place, call)}};
  for (const std::size_t i : dimensions.reduced) {
    const std::size_t before = reads.size();
    for (std::int64_t at = 1; at < shape[i]; ++at) {
      for (std::size_t each = 0; each < before; ++each) {
        Access next = reads[each];
        next.place += static_cast<std::uint64_t>(at * (known ? (*access.strides)[i] : 1));
        reads.push_back(std::move(next));
      }
    }
  }
  return reads;
}

}  // namespace

Reduced reduce(LoweredValues& values, const Graph& graph, NodeId id, std::span<const Tensor* const> tensors) {
  const std::vector<LoweredValue> inputs = values.inputs_of(graph[id]);
  if (inputs.empty() || !tensors.front()) return Reduced::NoTensor;
  const Extents shape = hints_of(inputs.front().tensor->shape);
  const Dimensions dimensions = split_dimensions(graph[id], shape);
  const Extents outer = pick(shape, dimensions.outer), reduced = pick(shape, dimensions.reduced);
  if (product(reduced) <= kMostUnrolled && tensors.size() == 1) return Reduced::Unrolled;
  std::vector<Access> reads;
  for (const Access& access : values.accesses(inputs.front())) reads.push_back(reordered(access, id, shape, dimensions));
  Kernel kernel{id, reads, {}, {}, loops_of(outer, reduced, reads, contiguous_strides(outer))};
  std::vector<LoweredValue> results;
  for (const Tensor* tensor : tensors) {
    if (!tensor) continue;
    const BufferId buffer = values.add_flexible_buffer(id, *tensor);
    kernel.writes.push_back(buffer);
    results.push_back({buffer, 0, tensor, id});
  }
  values.add_kernel(std::move(kernel));
  values.hold(id, std::move(results));
  return Reduced::Stored;
}

std::vector<Access> unrolled_reads(const LoweredValues& values, const Graph& graph, NodeId id, const Tensor& result) {
  const LoweredValue input = values.inputs_of(graph[id]).front();
  const Extents shape = hints_of(input.tensor->shape);
  const Dimensions dimensions = split_dimensions(graph[id], shape);
  std::vector<Access> reads;
  for (const Access& access : values.accesses(input)) {
    for (Access& each : read_by_element(access, id, shape, dimensions, result.shape.size())) reads.push_back(std::move(each));
  }
  return reads;
}

}  // namespace fxcut
