#include "inductor/counted_operators.h"

#include <algorithm>
#include <cstddef>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

// Of tensors to the dtype of the result.
std::size_t conversions_in(const Node& call, const Tensor& result, std::span<const LoweredValue> inputs) {
  if (!promotes(call)) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(inputs, [&](const LoweredValue& input) {
    return input.tensor->dtype != result.dtype;
  }));
}

// promote_constants: of a comparison that of what is compared.
const Dtype* dtype_of_constants(const Tensor& result, std::span<const LoweredValue> inputs) {
  return result.dtype->name != "bool" || inputs.empty() ? result.dtype : inputs.front().tensor->dtype;
}

// On a GPU a division by a number is a product (div_prim).
NumberIn as_computed(const Node& call, const Argument& number, const Dtype* dtype, bool on_gpu) {
  const bool is_real = number.kind == Argument::Kind::Float;
  const double value = is_real ? number.real : static_cast<double>(number.integer);
  if (!on_gpu || !divides(call)) return {value, is_real, dtype};
  return {1 / value, true, dtype};
}

}  // namespace

void count_operators(Inlined& expression, const Node& call, std::span<const LoweredValue> inputs, bool on_gpu) {
  const Tensor& result = *expression.tensor;
  expression.compute(operators_of(call) + conversions_in(call, result, inputs));
  const Dtype* const dtype = dtype_of_constants(result, inputs);
  for (const Argument& number : constants_in(call)) expression.constants.insert(as_computed(call, number, dtype, on_gpu));
}

}  // namespace fxcut
