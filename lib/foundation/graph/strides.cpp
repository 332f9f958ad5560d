#include "graph/strides.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "graph/int128.h"
#include "graph/small_list.h"

namespace fxcut {

Extents strides_of(const Tensor& tensor) {
  return tensor.stride.size() == tensor.shape.size() ? hints_of(tensor.stride) : contiguous_strides(hints_of(tensor.shape));
}

Extents strides_in_order(std::span<const std::int64_t> shape, std::span<const std::size_t> inner_first) {
  Extents strides(shape.size());
  std::int64_t stride = 1;
  for (const std::size_t i : inner_first) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

Extents contiguous_strides(std::span<const std::int64_t> shape) {
  std::vector<std::size_t> inner_first(shape.size());
  std::iota(inner_first.rbegin(), inner_first.rend(), 0);
  return strides_in_order(shape, inner_first);
}

Extents channels_last_strides(std::span<const std::int64_t> shape) {
  return {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
}

bool has_channels_last(const Extents& shape, const Extents& strides) {
  const Extents wanted = channels_last_strides(shape);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && strides[i] != wanted[i]) return false;
  }
  return true;
}

bool is_like_channels_last(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  if (shape.size() != 4 || strides.size() != 4 || strides[1] == 0) return false;
  Int128 least = 0;
  for (const std::size_t i : {1U, 3U, 2U, 0U}) {
    if (shape[i] == 0 || strides[i] < least || (i == 0 && least == strides[1])) return false;
    least = Int128(strides[i]) * std::max<std::int64_t>(shape[i], 1);
  }
  return true;
}

bool is_like_channels_last(const Tensor& tensor) { return is_like_channels_last(hints_of(tensor.shape), strides_of(tensor)); }

std::int64_t product(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies{});
}

std::optional<Extents> reshaped(std::span<const std::int64_t> from, std::span<const std::int64_t> strides,
                                std::span<const std::int64_t> to) {
  SmallList<std::pair<std::int64_t, std::int64_t>, 6> runs;  // sizes and strides, neighbours merged
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 1) continue;
    if (!runs.empty() && runs.back().second == strides[i] * from[i]) runs.back() = {runs.back().first * from[i], strides[i]};
    else runs.push_back({from[i], strides[i]});
  }
  Extents result(to.size(), 0);
  std::int64_t left = 1, stride = 0;
  for (std::size_t i = to.size(); i-- > 0;) {
    if (to[i] == 1) continue;
    while (left == 1 && !runs.empty()) {
      std::tie(left, stride) = runs.back();
      runs.pop_back();
    }
    if (to[i] == 0 || left % to[i] != 0) return {};
    result[i] = stride;
    left /= to[i];
    stride *= to[i];
  }
  return result;
}

bool is_dense(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
  return last + 1 == product(shape);
}

bool is_ordered_as(const Extents& shape, const Extents& strides, const Extents& wanted) {
  for (std::size_t a = 0; a < shape.size(); ++a) {
    for (std::size_t b = 0; b < shape.size(); ++b) {
      if (shape[a] != 1 && shape[b] != 1 && wanted[a] > wanted[b] && strides[a] < strides[b]) return false;
    }
  }
  return true;
}

Extents dense_strides(const Extents& shape, const Extents& strides) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return strides[i]; });
  return strides_in_order(shape, order);
}

}  // namespace fxcut
