#include "quantize/quantizing_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "classify/make_call.h"
#include "classify/operator_table.h"
#include "graph/strides.h"

namespace fxcut {
namespace {

constexpr double kLeast = 1e-12;  // PyTorch's, by which no row of zeros is divided

const Dtype& float32() { return *find_dtype("float32"); }
const Dtype& float64() { return *find_dtype("float64"); }

// torch.fx's name of a call that has none: "aten.clamp_min.default" becomes clamp_min_default, in lower case.
std::string name_of_call(std::string_view target) {
  std::string name(target.substr(target.find('.') + 1));
  for (char& c : name) {
    if (c == '.') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

bool are_numbers(const Sizes& sizes) {
  return std::ranges::all_of(sizes, [](const Size& size) { return !size.expression; });
}

Sizes as_sizes(const Extents& extents) {
  std::vector<Size> sizes;
  for (const std::int64_t extent : extents) sizes.push_back({extent, nullptr});
  return sizes;
}

// New memory for each element, in the order of the tensor's dimensions in its own; strides are unknown if they would have to be
// computed from symbolic sizes.
Value result_like(const Tensor& tensor, const Dtype& dtype) {
  Value result;
  result.kind = Value::Kind::Tensor;
  result.tensor = tensor;
  result.tensor.dtype = &dtype;
  result.tensor.storage.reset();
  const Extents shape = hints_of(tensor.shape), strides = hints_of(tensor.stride);
  if (strides.empty() || is_dense(shape, strides)) return result;
  result.tensor.stride = are_numbers(tensor.shape) ? as_sizes(dense_strides(shape, strides)) : Sizes();
  return result;
}

// One number for each row along the last dimension, which stays with size 1.
Value result_of_rows(const Tensor& tensor) {
  Value result;
  result.kind = Value::Kind::Tensor;
  result.tensor = tensor;
  result.tensor.storage.reset();
  std::vector<Size> shape(tensor.shape.begin(), tensor.shape.end());
  if (!shape.empty()) shape.back() = {1, nullptr};
  result.tensor.shape = Sizes(std::move(shape));
  result.tensor.stride =
      are_numbers(result.tensor.shape) ? as_sizes(contiguous_strides(hints_of(result.tensor.shape))) : Sizes();
  return result;
}

// The dtype of a product or quotient with a float32 tensor.
const Dtype& promoted_with_float32(const Dtype& dtype) {
  const bool is_wider = dtype.name == "float64" || dtype.name.starts_with("complex");
  return is_wider ? dtype : float32();
}

constexpr std::int64_t kBits = 8;  // of a byte

const Dtype& uint8() { return *find_dtype("uint8"); }

Argument int_list(const Extents& numbers) {
  Argument list;
  list.kind = Argument::Kind::List;
  for (const std::int64_t number : numbers) list.items.push_back(int_argument(number));
  return list;
}

Value contiguous_result(const Dtype& dtype, const Extents& shape, const std::string& device) {
  Value result;
  result.kind = Value::Kind::Tensor;
  result.tensor.dtype = &dtype;
  result.tensor.shape = as_sizes(shape);
  result.tensor.stride = as_sizes(contiguous_strides(shape));
  result.tensor.device = device;
  return result;
}

struct Operators {
  Operator abs = make_operator("aten.abs.default");
  Operator amax = make_operator("aten.amax.default");
  Operator cast = make_operator("prims.convert_element_type.default");
  Operator clamp_min = make_operator("aten.clamp_min.default");
  Operator clamp_max = make_operator("aten.clamp_max.default");
  Operator reciprocal = make_operator("aten.reciprocal.default");
  Operator mul = make_operator("aten.mul.Tensor");
  Operator div = make_operator("aten.div.Tensor");
  Operator view = make_operator("aten.view.default");
  Operator unsqueeze = make_operator("aten.unsqueeze.default");
  Operator iota = make_operator("prims.iota.default");
  Operator left_shift = make_operator("aten.bitwise_left_shift.Tensor");
  Operator right_shift = make_operator("aten.bitwise_right_shift.Tensor");
  Operator bitwise_and = make_operator("aten.bitwise_and.Scalar");
  Operator sum = make_operator("aten.sum.dim_IntList");
};

const Operators& operators() {
  static const Operators all;
  return all;
}

}  // namespace

NodeId QuantizingCalls::add(const Operator& callee, std::vector<NodeId> inputs, std::vector<Argument> further, Value value,
                            const std::string& name, const Tensor* view_of) {
  value.tensor.storage = view_of ? view_of->storage : storages_++;
  Arguments arguments = references(inputs.size());
  std::ranges::move(further, std::back_inserter(arguments.positional));
  const std::string given = names_.create(name.empty() ? name_of_call(callee.target) : name);
  return last_ = editing_.add_after(last_, make_call(callee, std::move(arguments), std::move(inputs),
                                                     std::make_shared<const Value>(std::move(value)), given));
}

NodeId QuantizingCalls::elementwise(const Operator& callee, NodeId value, const Dtype& dtype, std::vector<Argument> further,
                                    const std::string& name) {
  return add(callee, {value}, std::move(further), result_like(editing_.graph[value].value->tensor, dtype), name);
}

NodeId QuantizingCalls::cast(NodeId value, const Dtype& dtype, const std::string& name) {
  return elementwise(operators().cast, value, dtype, {dtype_argument(dtype)}, name);
}

NodeId QuantizingCalls::scales(NodeId value, const QuantizedDtype& dtype, const std::string& name) {
  const NodeId absolute = elementwise(operators().abs, value, *editing_.graph[value].value->tensor.dtype, {});
  const NodeId largest = add(operators().amax, {absolute}, {int_list({-1}), bool_argument(true)},
                             result_of_rows(editing_.graph[absolute].value->tensor), "");
  const NodeId wide = cast(largest, float64());
  const NodeId positive = elementwise(operators().clamp_min, wide, float64(), {float_argument(kLeast)});
  const NodeId inverse = elementwise(operators().reciprocal, positive, float64(), {});
  const NodeId scale = elementwise(operators().mul, inverse, float64(), {float_argument(dtype.max)});
  return cast(scale, float32(), name);
}

NodeId QuantizingCalls::scaled(NodeId value, NodeId scales, const QuantizedDtype& dtype, const std::string& name) {
  const NodeId as_float = cast(value, float32());
  const NodeId product =
      add(operators().mul, {as_float, scales}, {}, result_like(editing_.graph[as_float].value->tensor, float32()), "");
  const NodeId above = elementwise(operators().clamp_min, product, float32(), {float_argument(dtype.min)});
  const NodeId within = elementwise(operators().clamp_max, above, float32(), {float_argument(dtype.max)});
  return cast(within, *find_dtype(dtype.name), name);
}

NodeId QuantizingCalls::divided(NodeId quantized, NodeId scales, const Dtype& dtype) {
  const NodeId restored = cast(quantized, dtype);
  const NodeId quotient = add(operators().div, {restored, scales}, {},
                              result_like(editing_.graph[restored].value->tensor, promoted_with_float32(dtype)), "");
  return cast(quotient, dtype);
}

NodeId QuantizingCalls::with_keywords(NodeId call, std::vector<std::pair<std::string, Argument>> keywords) {
  Node& node = editing_.graph[call];
  Arguments arguments = *node.arguments;
  arguments.keyword = std::move(keywords);
  node.arguments = std::make_shared<const Arguments>(std::move(arguments));
  return call;
}

NodeId QuantizingCalls::bit_numbers(const std::string& device) {
  const NodeId numbers =
      add(operators().iota, {}, {int_argument(kBits)}, contiguous_result(uint8(), {kBits}, device), "");
  return with_keywords(numbers, {{"start", int_argument(0)},
                                 {"step", int_argument(1)},
                                 {"dtype", dtype_argument(uint8())},
                                 {"device", device_argument(device)},
                                 {"requires_grad", bool_argument(false)}});
}

NodeId QuantizingCalls::packed(NodeId value, const std::string& name) {
  const Tensor tensor = editing_.graph[value].value->tensor;
  const std::int64_t bytes = element_bytes(tensor) / kBits;
  const auto result = [&](const Dtype& dtype) { return contiguous_result(dtype, {bytes, kBits}, tensor.device); };
  const NodeId rows = add(operators().view, {value}, {int_list({bytes, kBits})}, result(*tensor.dtype), "", &tensor);
  const NodeId numbers = cast(rows, uint8());
  const NodeId shifted = add(operators().left_shift, {numbers, bit_numbers(tensor.device)}, {}, result(uint8()), "");
  const NodeId sum = add(operators().sum, {shifted}, {int_list({-1}), bool_argument(false)},
                         contiguous_result(uint8(), {bytes}, tensor.device), name);
  return with_keywords(sum, {{"dtype", dtype_argument(uint8())}});
}

NodeId QuantizingCalls::unpacked(NodeId packed, const Tensor& original) {
  const Tensor bits = editing_.graph[packed].value->tensor;
  const std::int64_t bytes = element_bytes(bits);
  const auto result = [&](const Extents& shape) { return contiguous_result(uint8(), shape, original.device); };
  const NodeId column = add(operators().unsqueeze, {packed}, {int_argument(-1)}, result({bytes, 1}), "", &bits);
  const NodeId shifted =
      add(operators().right_shift, {column, bit_numbers(original.device)}, {}, result({bytes, kBits}), "");
  const NodeId lowest = elementwise(operators().bitwise_and, shifted, uint8(), {int_argument(1)});
  const NodeId booleans = cast(lowest, *original.dtype);
  const Extents shape = hints_of(original.shape);
  const Tensor made = editing_.graph[booleans].value->tensor;
  return add(operators().view, {booleans}, {int_list(shape)}, contiguous_result(*original.dtype, shape, original.device), "",
             &made);
}

}  // namespace fxcut
