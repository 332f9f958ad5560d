#include "memory/workspaces.h"

#include <algorithm>
#include <cstddef>

namespace fxcut {
namespace {

constexpr std::int64_t kMultiprocessors = 132;  // of an H100
constexpr std::int64_t kPartBytes = 4;          // of an element of a sum: float32
constexpr std::int64_t kHeadBytes = 512;        // of a call with copies; measured
constexpr std::int64_t kHeadOfSumsBytes = 1536;  // of one with sums; measured

std::int64_t count(const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(elements, size, &elements)) return 0;
  }
  return elements;
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The weight's gradient has its out channels by all else, in tiles of 128 by 128, or by 256 where that leaves no rest. Such wide
// ones run in pairs.
std::int64_t sums_of_weight(const std::vector<std::int64_t>& weight) {
  constexpr std::int64_t kTile = 128;
  const std::int64_t columns = weight[1] * weight[2] * weight[3];
  const bool is_wide = columns % (2 * kTile) == 0;
  const std::int64_t width = is_wide ? 2 * kTile : kTile;
  const std::int64_t tiles = divided_up(weight[0], kTile) * divided_up(columns, width), even = divided_up(tiles, 2) * 2;
  const std::int64_t parts = kMultiprocessors / even;
  return parts < 2 ? 0 : parts * (is_wide ? even : tiles) * kTile * width * kPartBytes;
}

// is_channels_last_strides_2d_s4 of c10/core/MemoryFormat.h: of strides that both layouts have, the answer is no.
bool has_channels_last(const TensorLayout& tensor) {
  if (tensor.shape.size() != 4 || tensor.stride.size() != 4) return false;
  std::int64_t least = 0;
  for (const std::size_t d : {1U, 3U, 2U, 0U}) {
    const std::int64_t stride = tensor.stride[d], size = tensor.shape[d];
    if (size == 0 || stride < least || (d == 1 && stride == 0)) return false;
    if (d == 0 && least == tensor.stride[1]) return false;
    least = stride * std::max<std::int64_t>(size, 1);
  }
  return true;
}

TensorLayout layout_of(const Tensor& tensor) { return {hints_of(tensor.shape), hints_of(tensor.stride)}; }

}  // namespace

std::int64_t workspace_bytes(const Convolution& convolution) {
  const std::vector<std::int64_t> &input = convolution.input.shape, &weight = convolution.weight.shape;
  const bool is_half = convolution.dtype && (convolution.dtype->name == "bfloat16" || convolution.dtype->name == "float16");
  if (!is_half || weight.size() != 4 || input.size() != 4 || convolution.output.size() != 4) return 0;
  const std::int64_t in = input[1], out = convolution.output[1];
  const bool is_plain = weight[0] == out && weight[1] == in, is_transposed = weight[0] == in && weight[1] == out;
  if (!is_plain && !is_transposed) return 0;  // it has groups
  if (weight[2] == 1 && weight[3] == 1) return 0;
  const bool channels_last = has_channels_last(convolution.input) || has_channels_last(convolution.weight);
  const std::int64_t elements = count(input) + count(weight) + count(convolution.output);
  const std::int64_t copies = channels_last ? 0 : elements * convolution.dtype->size_bytes;
  const std::int64_t sums = convolution.is_backward ? sums_of_weight(weight) : 0;
  return copies + sums + (sums > 0 ? kHeadOfSumsBytes : kHeadBytes);
}

std::int64_t workspace_bytes(const Graph& graph, const Node& node) {
  if (!node.is_call()) return 0;
  const bool is_forward = node.callee->packet == "aten.convolution";
  const bool is_backward = node.callee->packet == "aten.convolution_backward";
  const std::size_t first = is_backward ? 1 : 0;
  if ((!is_forward && !is_backward) || node.inputs.size() < first + 2 || !node.value) return 0;
  const auto tensor = [&](NodeId id) { return graph[id].has_tensor() ? &graph[id].value->tensor : nullptr; };
  const Tensor *input = tensor(node.inputs[first]), *weight = tensor(node.inputs[first + 1]);
  const Tensor* const output = is_backward ? tensor(node.inputs[0]) : node.has_tensor() ? &node.value->tensor : nullptr;
  if (!input || !weight || !output || !input->device.starts_with("cuda")) return 0;
  return workspace_bytes({input->dtype, layout_of(*input), layout_of(*weight), hints_of(output->shape), is_backward});
}

}  // namespace fxcut
