// The dtypes that PyTorch's quantization of activations takes and gives.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graph/value.h"

namespace fxcut {

// A dtype by PyTorch's name, with or without "torch.", also by an alias ("torch.half"); null if there is none.
const Dtype* find_torch_dtype(std::string_view name);

// The dtypes of a list such as "torch.bfloat16;torch.float32" (PyTorch's get_allowed_dtypes); nullopt if one is unknown.
std::optional<std::vector<const Dtype*>> parse_dtypes(std::string_view list);

// A dtype to which activations can be quantized, and its range (torch.finfo's min and max).
struct QuantizedDtype {
  std::string_view name;
  double min;
  double max;
};

const std::vector<QuantizedDtype>& quantized_dtypes();

// By PyTorch's name, with or without "torch."; null if it is none of these.
const QuantizedDtype* find_quantized_dtype(std::string_view name);

}  // namespace fxcut
