#include "inductor/paddings.h"

#include <string_view>
#include <utility>
#include <vector>

#include "inductor/lowering_rules.h"

namespace fxcut {

std::optional<PaddingAtEnd> padding_at_end(const Node& call) {
  if (call.packet() != "aten.constant_pad_nd" || call.arguments->positional.size() < 2) return {};
  const std::vector<Argument>& sides = call.arguments->positional[1].items;
  const std::size_t rank = call.value && call.value->is_tensor() ? call.value->tensor.shape.size() : 0;
  std::optional<PaddingAtEnd> padding;
  for (std::size_t i = 0; i + 1 < sides.size(); i += 2) {  // of the last dimension first
    if (sides[i].kind != Argument::Kind::Int || sides[i + 1].kind != Argument::Kind::Int) return {};
    if (sides[i].integer != 0 || sides[i + 1].integer < 0 || i / 2 >= rank) return {};
    if (sides[i + 1].integer == 0) continue;
    if (padding) return {};
    padding = PaddingAtEnd{rank - 1 - i / 2, sides[i + 1].integer};
  }
  return padding;
}

NumberIn number_of_filling(const Node& call, const Tensor& result) {
  const std::vector<Argument>& given = call.arguments->positional;
  const bool is_real = result.dtype->name.find("float") != std::string_view::npos;
  if (given.size() < 3) return {0, is_real, result.dtype};
  return {given[2].number(), is_real, result.dtype};
}

LoweredValue filling_of(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result) {
  const PaddingAtEnd padding = *padding_at_end(graph[call]);
  const Extents shape = hints_of(result.shape);
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < shape.size(); ++i) sizes.push_back({i == padding.dimension ? padding.amount : shape[i], nullptr});
  Tensor filling = result;
  filling.shape = Sizes(std::move(sizes));
  Inlined expression{.node = call, .tensor = &values.contiguous(filling)};
  expression.constants.insert(number_of_filling(graph[call], result));
  return values.express(std::move(expression));
}

}  // namespace fxcut
