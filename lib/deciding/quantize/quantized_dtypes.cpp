#include "quantize/quantized_dtypes.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/comma_list.h"

namespace fxcut {
namespace {

// The part after the last dot, which PyTorch looks up.
std::string_view without_module(std::string_view name) { return name.substr(name.rfind('.') + 1); }

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAliases = {{
    {"half", "float16"}, {"float", "float32"}, {"double", "float64"}, {"short", "int16"}, {"int", "int32"},
    {"long", "int64"}, {"chalf", "complex32"}, {"cfloat", "complex64"}, {"cdouble", "complex128"}}};

}  // namespace

const Dtype* find_torch_dtype(std::string_view name) {
  name = without_module(name);
  const auto alias = std::ranges::find(kAliases, name, &std::pair<std::string_view, std::string_view>::first);
  return find_dtype(alias == kAliases.end() ? name : alias->second);
}

std::optional<std::vector<const Dtype*>> parse_dtypes(std::string_view list) {
  std::vector<const Dtype*> dtypes;
  for (const std::string& name : split_at(';', list)) {
    dtypes.push_back(find_torch_dtype(name));
    if (!dtypes.back()) return std::nullopt;
  }
  return dtypes;
}

const std::vector<QuantizedDtype>& quantized_dtypes() {
  // Source: torch.finfo of torch 2.13 and 2.15.
  static const std::vector<QuantizedDtype> rows = {
      {"float8_e5m2", -57344, 57344},
      {"float8_e4m3fn", -448, 448},
      {"float8_e5m2fnuz", -57344, 57344},
      {"float8_e4m3fnuz", -240, 240},
      {"float8_e8m0fnu", 5.877471754111438e-39, 1.7014118346046923e+38},
      {"float16", -65504, 65504},
      {"bfloat16", -3.3895313892515355e+38, 3.3895313892515355e+38},
      {"float32", -3.4028234663852886e+38, 3.4028234663852886e+38},
      {"float64", -1.7976931348623157e+308, 1.7976931348623157e+308},
  };
  return rows;
}

const QuantizedDtype* find_quantized_dtype(std::string_view name) {
  const Dtype* dtype = find_torch_dtype(name);
  const auto& rows = quantized_dtypes();
  const auto found = dtype ? std::ranges::find(rows, dtype->name, &QuantizedDtype::name) : rows.end();
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace fxcut
