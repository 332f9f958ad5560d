// Sizes and strides of tensors, by dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "graph/extents.h"
#include "graph/graph.h"

namespace fxcut {

// The strides of the tensor, contiguous if they are unknown.
Extents strides_of(const Tensor& tensor);

// The strides of a contiguous tensor of that shape.
Extents contiguous_strides(std::span<const std::int64_t> shape);

// For a 4D tensor whose second dimension is innermost (torch.channels_last).
Extents channels_last_strides(std::span<const std::int64_t> shape);

bool has_channels_last(const Extents& shape, const Extents& strides);

// TensorImpl's is_strides_like_channels_last: ambiguous strides are not.
bool is_like_channels_last(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
bool is_like_channels_last(const Tensor& tensor);

std::int64_t product(std::span<const std::int64_t> sizes);

// How many parts of `each` there are in `all`, the last one perhaps smaller.
constexpr std::int64_t parts_of(std::int64_t all, std::int64_t each) { return all / each + (all % each != 0 ? 1 : 0); }

// The strides over `to` of a tensor with `strides` over `from`, of equally many elements; nullopt if no strides describe it.
std::optional<Extents> reshaped(std::span<const std::int64_t> from, std::span<const std::int64_t> strides,
                                std::span<const std::int64_t> to);

// Whether a tensor with these strides fills its memory.
bool is_dense(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);

// Whether the dimensions of several elements are ordered by `strides` as by `wanted` (Layout.is_stride_ordered).
bool is_ordered_as(const Extents& shape, const Extents& strides, const Extents& wanted);

// The strides of a tensor that fills its memory, with its dimensions in this order, the innermost first.
Extents strides_in_order(std::span<const std::int64_t> shape, std::span<const std::size_t> inner_first);

// The same with its dimensions ordered by `strides`, those without one innermost
// (get_stride_order).
Extents dense_strides(const Extents& shape, const Extents& strides);

}  // namespace fxcut
