#include "classify/integer_range.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fxcut {
namespace {

// The operators that return positions in a dimension as their second result, and where its argument stands.
struct Positions {
  std::string_view target;
  std::size_t dimension;
  std::int64_t by_default;
};
constexpr std::array<Positions, 6> kSecondResult = {{{"aten.max.dim", 1, 0},
                                                     {"aten.min.dim", 1, 0},
                                                     {"aten.topk.default", 2, -1},
                                                     {"aten.sort.default", 1, -1},
                                                     {"aten.sort.stable", 2, -1},
                                                     {"aten.kthvalue.default", 2, -1}}};

std::optional<std::int64_t> size_in(const Tensor& tensor, std::int64_t dimension) {
  const auto dimensions = static_cast<std::int64_t>(tensor.shape.size());
  const std::int64_t at = dimension < 0 ? dimension + dimensions : dimension;
  if (at < 0 || at >= dimensions) return std::nullopt;
  const Size& size = tensor.shape[static_cast<std::size_t>(at)];
  return size.expression ? std::nullopt : std::optional(size.hint);
}

const Tensor* first_tensor(const Graph& graph, const Node& call) {
  const auto input = node_argument(call, 0);
  return input && graph[*input].has_tensor() ? &graph[*input].value->tensor : nullptr;
}

std::optional<std::int64_t> last_position(std::optional<std::int64_t> count) {
  return count && *count > 0 ? std::optional(*count - 1) : std::nullopt;
}

// The last index of the dimension that the call names.
std::optional<std::int64_t> last_in_dimension(const Graph& graph, const Node& call, const Positions& positions) {
  const Tensor* tensor = first_tensor(graph, call);
  const Argument* dimension = argument_of(call, positions.dimension, "dim");
  if (!tensor || (dimension && dimension->kind != Argument::Kind::Int)) return std::nullopt;
  return last_position(size_in(*tensor, dimension ? dimension->integer : positions.by_default));
}

std::optional<std::int64_t> last_in_plane(const Tensor& tensor) {
  const auto height = size_in(tensor, -2), width = size_in(tensor, -1);
  return height && width ? last_position(*height * *width) : std::nullopt;
}

std::optional<std::int64_t> last_of_all(const Tensor& tensor) {
  const bool is_known = std::ranges::all_of(tensor.shape, [](const Size& size) { return !size.expression; });
  std::int64_t elements = 1;
  for (const Size& size : tensor.shape) elements *= size.hint;
  return is_known ? last_position(elements) : std::nullopt;
}

std::optional<std::int64_t> of_second_result(const Graph& graph, const Node& call) {
  const Tensor* tensor = first_tensor(graph, call);
  if (call.calls("aten.max_pool2d_with_indices.default")) return tensor ? last_in_plane(*tensor) : std::nullopt;
  const auto row = std::ranges::find_if(kSecondResult, [&](const Positions& one) { return call.calls(one.target); });
  return row == kSecondResult.end() ? std::nullopt : last_in_dimension(graph, call, *row);
}

std::optional<std::int64_t> of_argmax(const Graph& graph, const Node& call) {
  const Tensor* tensor = first_tensor(graph, call);
  const Argument* dimension = argument_of(call, 1, "dim");
  const bool has_dimension = dimension && dimension->kind == Argument::Kind::Int;
  if (!tensor || (dimension && !has_dimension && dimension->kind != Argument::Kind::None)) return std::nullopt;
  return has_dimension ? last_position(size_in(*tensor, dimension->integer)) : last_of_all(*tensor);
}

// Whether the call returns elements of its first input, and no others.
bool returns_elements(const Node& call) {
  return call.callee->is(Operator::View) || call.calls("aten.clone.default");
}

// All elements of the node's value are from 0 to this, if it is known.
std::optional<std::int64_t> greatest_element(const Graph& graph, NodeId id) {
  const Node* node = &graph[id];
  while (node->is_call() && !node->inputs.empty() && returns_elements(*node)) node = &graph[node->inputs.front()];
  if (!node->is_call()) return std::nullopt;
  if (node->calls("operator.getitem") && item_position(*node) == 1) {
    const Node& tuple = graph[node->inputs.front()];
    return tuple.is_call() ? of_second_result(graph, tuple) : std::nullopt;
  }
  const bool is_argmax = node->calls("aten.argmax.default") || node->calls("aten.argmin.default");
  return is_argmax ? of_argmax(graph, *node) : std::nullopt;
}

}  // namespace

const Dtype* narrowest_integer(const Graph& graph, NodeId id) {
  const std::optional<std::int64_t> greatest = greatest_element(graph, id);
  if (!greatest) return nullptr;
  if (*greatest <= 255) return find_dtype("uint8");
  if (*greatest <= 32767) return find_dtype("int16");
  return *greatest <= 2147483647 ? find_dtype("int32") : nullptr;
}

}  // namespace fxcut
