#include "graph/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/int128.h"

namespace fxcut {
namespace {

constexpr std::array kDtypes = {
    Dtype{"bcomplex32", 4},
    Dtype{"bfloat16", 2},         Dtype{"bits16", 2},          Dtype{"bits1x8", 1},        Dtype{"bits2x4", 1},
    Dtype{"bits4x2", 1},          Dtype{"bits8", 1},           Dtype{"bool", 1},           Dtype{"complex128", 16},
    Dtype{"complex32", 4},        Dtype{"complex64", 8},       Dtype{"float16", 2},        Dtype{"float32", 4},
    Dtype{"float4_e2m1fn_x2", 1}, Dtype{"float64", 8},         Dtype{"float8_e4m3fn", 1},  Dtype{"float8_e4m3fnuz", 1},
    Dtype{"float8_e5m2", 1},      Dtype{"float8_e5m2fnuz", 1}, Dtype{"float8_e8m0fnu", 1}, Dtype{"int1", 1},
    Dtype{"int16", 2},            Dtype{"int2", 1},            Dtype{"int3", 1},           Dtype{"int32", 4},
    Dtype{"int4", 1},             Dtype{"int5", 1},            Dtype{"int6", 1},           Dtype{"int64", 8},
    Dtype{"int7", 1},             Dtype{"int8", 1},            Dtype{"qint32", 4},         Dtype{"qint8", 1},
    Dtype{"quint2x4", 1},         Dtype{"quint4x2", 1},        Dtype{"quint8", 1},         Dtype{"uint1", 1},
    Dtype{"uint16", 2},           Dtype{"uint2", 1},           Dtype{"uint3", 1},          Dtype{"uint32", 4},
    Dtype{"uint4", 1},            Dtype{"uint5", 1},           Dtype{"uint6", 1},          Dtype{"uint64", 8},
    Dtype{"uint7", 1},            Dtype{"uint8", 1},
};
static_assert(std::is_sorted(kDtypes.begin(), kDtypes.end(),
                             [](const Dtype& a, const Dtype& b) { return a.name < b.name; }));

bool is_empty(const Tensor& tensor) {
  return std::any_of(tensor.shape.begin(), tensor.shape.end(), [](const Size& size) { return size.hint == 0; });
}

}  // namespace

const Dtype* find_dtype(std::string_view name) {
  const auto found = std::lower_bound(kDtypes.begin(), kDtypes.end(), name,
                                      [](const Dtype& dtype, std::string_view known) { return dtype.name < known; });
  return found != kDtypes.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string_view> dtype_names() {
  std::vector<std::string_view> names;
  for (const Dtype& dtype : kDtypes) names.push_back(dtype.name);
  return names;
}

std::int64_t element_bytes(const Tensor& tensor) {
  if (is_empty(tensor)) return 0;  // the product of the other sizes has no bound then
  std::int64_t bytes = tensor.dtype->size_bytes;
  for (const Size& size : tensor.shape) bytes *= size.hint;
  return bytes;
}

std::int64_t tensor_bytes(const Value& value) {
  if (value.is_tensor()) return element_bytes(value.tensor);
  std::int64_t bytes = 0;
  for (const Value& item : value.items) bytes += tensor_bytes(item);
  return bytes;
}

bool is_contiguous(const Tensor& tensor) {
  if (tensor.stride.size() != tensor.shape.size() || is_empty(tensor)) return true;
  Int128 expected = 1;
  for (std::size_t d = tensor.shape.size(); d-- > 0;) {
    if (tensor.shape[d].hint == 1) continue;  // its stride is never used
    if (tensor.stride[d].hint != expected) return false;
    expected *= tensor.shape[d].hint;
  }
  return true;
}

std::int64_t extent_bytes(const Tensor& tensor) {
  if (tensor.stride.size() != tensor.shape.size()) return element_bytes(tensor);
  if (is_empty(tensor)) return 0;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    last += (tensor.shape[d].hint - 1) * tensor.stride[d].hint;
  }
  return (last + 1) * tensor.dtype->size_bytes;
}

Extents hints_of(const Sizes& sizes) {
  Extents hints;
  for (const Size& size : sizes) hints.push_back(size.hint);
  return hints;
}

std::string show_shape(const Sizes& shape) {
  std::vector<std::string> sizes;
  for (const Size& size : shape) sizes.push_back(size.expression ? size.expression->text : std::to_string(size.hint));
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

}  // namespace fxcut
