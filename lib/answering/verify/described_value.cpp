#include "verify/described_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace fxcut {
namespace {

std::string described(const Tensor& tensor) {
  std::string text = fmt::format("{} {}", tensor.dtype ? tensor.dtype->name : "no dtype", show_shape(tensor.shape));
  if (!tensor.stride.empty()) text += ", strides " + show_shape(tensor.stride);
  return tensor.device.empty() ? text : text + ", on " + tensor.device;
}

std::string_view name_of(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::Tensor: return "tensor";
    case Value::Kind::SymInt: return "symbolic int";
    case Value::Kind::SymFloat: return "symbolic float";
    case Value::Kind::SymBool: return "symbolic bool";
    case Value::Kind::Tuple: return "tuple";
    case Value::Kind::Dict: return "dict";
    case Value::Kind::None: return "None";
    case Value::Kind::Scalar: return "scalar";
    case Value::Kind::BackwardState: return "backward state";
    case Value::Kind::Opaque: return "opaque";
    case Value::Kind::Other: return "other";
  }
  return "";
}

}  // namespace

std::string described(const Value& value) {
  if (value.is_tensor()) return described(value.tensor);
  std::string text(name_of(value.kind));
  if (value.expression) text += " " + value.expression->text;
  if (!value.type_name.empty()) text += " " + value.type_name;
  if (value.items.empty()) return text;
  std::vector<std::string> items;
  for (const Value& item : value.items) items.push_back(described(item));
  return fmt::format("{} ({})", text, fmt::join(items, "; "));
}

}  // namespace fxcut
