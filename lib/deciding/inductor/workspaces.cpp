#include "inductor/workspaces.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "graph/int128.h"
#include "graph/strides.h"
#include "inductor/assumed_card.h"

namespace fxcut {
namespace {

constexpr std::int64_t kPartBytes = 4;          // per element of a sum: float32
constexpr std::int64_t kHeadBytes = 512;        // per call with copies; measured
constexpr std::int64_t kHeadOfSumsBytes = 1536;  // per call with sums; measured

// Elements; nullopt if there are too many to count.
std::optional<std::int64_t> count(std::span<const std::int64_t> shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(elements, size, &elements)) return std::nullopt;
  }
  return elements;
}

// The weight's gradient is a matrix of output channels by the rest, in tiles of 128 by 128, or of 128 by 256 if that divides
// evenly. Wide tiles run in pairs.
Int128 sums_of_weight(std::int64_t out, std::int64_t columns) {
  constexpr std::int64_t kTile = 128;
  const bool is_wide = columns % (2 * kTile) == 0;
  const std::int64_t width = is_wide ? 2 * kTile : kTile;
  const Int128 tiles = Int128(parts_of(out, kTile)) * parts_of(columns, width), even = (tiles + 1) / 2 * 2;
  if (2 * even > kMultiprocessors) return 0;
  return kMultiprocessors / even * (is_wide ? even : tiles) * kTile * width * kPartBytes;
}

TensorLayout layout_of(const Tensor& tensor) { return {hints_of(tensor.shape), hints_of(tensor.stride)}; }

}  // namespace

std::int64_t workspace_bytes(const Convolution& convolution) {
  const Extents &input = convolution.input.shape, &weight = convolution.weight.shape;
  const bool is_half = convolution.dtype && (convolution.dtype->name == "bfloat16" || convolution.dtype->name == "float16");
  if (!is_half || weight.size() != 4 || input.size() != 4 || convolution.output.size() != 4) return 0;
  const std::int64_t in = input[1], out = convolution.output[1];
  const bool is_plain = weight[0] == out && weight[1] == in, is_transposed = weight[0] == in && weight[1] == out;
  if (!is_plain && !is_transposed) return 0;  // grouped
  if (weight[2] == 1 && weight[3] == 1) return 0;
  const std::span<const std::int64_t> of_weight(weight);
  const auto read = count(input), columns = count(of_weight.subspan(1)), written = count(convolution.output);
  if (!read || !columns || !written || std::min({*read, *columns, *written, weight[0]}) < 1) return 0;
  const bool channels_last = is_like_channels_last(input, convolution.input.stride) ||
                             is_like_channels_last(weight, convolution.weight.stride);
  const Int128 elements = Int128(*read) + *written + Int128(weight[0]) * *columns;
  const Int128 copies = channels_last ? Int128(0) : elements * convolution.dtype->size_bytes;
  const Int128 sums = convolution.is_backward ? sums_of_weight(weight[0], *columns) : Int128(0);
  const Int128 bytes = copies + sums + (sums > 0 ? kHeadOfSumsBytes : kHeadBytes);
  return bytes <= std::numeric_limits<std::int64_t>::max() ? static_cast<std::int64_t>(bytes) : 0;
}

std::int64_t workspace_bytes(const Graph& graph, const Node& node) {
  if (!node.is_call()) return 0;
  const bool is_forward = node.packet() == "aten.convolution";
  const bool is_backward = node.packet() == "aten.convolution_backward";
  const std::size_t first = is_backward ? 1 : 0;
  if ((!is_forward && !is_backward) || node.inputs.size() < first + 2 || !node.value) return 0;
  const auto tensor = [&](NodeId id) { return graph[id].has_tensor() ? &graph[id].value->tensor : nullptr; };
  const Tensor *input = tensor(node.inputs[first]), *weight = tensor(node.inputs[first + 1]);
  const Tensor* const output = is_backward ? tensor(node.inputs[0]) : node.has_tensor() ? &node.value->tensor : nullptr;
  if (!input || !weight || !output || !input->device.starts_with("cuda")) return 0;
  return workspace_bytes({input->dtype, layout_of(*input), layout_of(*weight), hints_of(output->shape), is_backward});
}

}  // namespace fxcut
