// Paddings at the end of one dimension, which newer releases of inductor turn into concatenations with a filling (lowering.py,
// _pad_as_cat).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "inductor/lowered_values.h"

namespace fxcut {

struct PaddingAtEnd {
  std::size_t dimension = 0;
  std::int64_t amount = 0;
};

// nullopt for other calls and other paddings.
std::optional<PaddingAtEnd> padding_at_end(const Node& call);

// The filling, in the dtype of the padded tensor (tensor_constructor).
NumberIn number_of_filling(const Node& call, const Tensor& result);

// The filling as an expression of one number, held by no node.
LoweredValue filling_of(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result);

}  // namespace fxcut
