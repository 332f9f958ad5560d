#include "inductor/counted_operators.h"

#include <algorithm>
#include <cstddef>

#include "inductor/lowering_rules.h"
#include "inductor/paddings.h"

namespace fxcut {
namespace {

// Conversions of tensors to the result's dtype.
std::size_t conversions_in(const Node& call, const Tensor& result, std::span<const LoweredValue> inputs) {
  if (!promotes(call)) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(inputs, [&](const LoweredValue& input) {
    return input.tensor->dtype != result.dtype;
  }));
}

// promote_constants: for a comparison, the dtype of its operands.
const Dtype* dtype_of_constants(const Tensor& result, std::span<const LoweredValue> inputs) {
  return result.dtype->name != "bool" || inputs.empty() ? result.dtype : inputs.front().tensor->dtype;
}

// On a GPU a division by a number is a multiplication (div_prim).
NumberIn as_computed(const Node& call, const Argument& number, const Dtype* dtype, bool on_gpu) {
  if (on_gpu && divides(call)) return {1 / number.number(), true, dtype};
  return {number.number(), number.kind == Argument::Kind::Float, dtype};
}

// pointwise_cat: the index, the end of each term, both comparisons, the masked value, and the select; for a middle term, also the
// conjunction of both comparisons. The first term begins at a constant that others may share, each other one at the previous end.
void count_of_terms(Inlined& expression, std::size_t terms) {
  expression.compute(6 * terms - 2);
  expression.constants.insert({.value = 0, .dtype = find_dtype("int64")});
}

}  // namespace

void count_operators(Inlined& expression, const Node& call, std::span<const LoweredValue> inputs, const InductorRules& rules) {
  const Tensor& result = *expression.tensor;
  const bool on_gpu = !rules.nests_loops, pads = rules.concatenates_paddings && padding_at_end(call);
  if (pads) expression.constants.insert(number_of_filling(call, result));
  const std::size_t terms = inputs.size() + (pads ? 1 : 0);
  if (terms > 1 && (pads || call.packet() == "aten.cat")) return count_of_terms(expression, terms);
  expression.compute(operators_of(call) + conversions_in(call, result, inputs));
  const Dtype* const dtype = dtype_of_constants(result, inputs);
  for (const Argument& number : constants_in(call)) expression.constants.insert(as_computed(call, number, dtype, on_gpu));
}

}  // namespace fxcut
