#include "compiled/code_arguments.h"

#include "python_text/symbolic_sizes.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

}  // namespace

const PythonExpression* argument(const PythonExpression& call, std::size_t position) {
  return position < call.items.size() ? &call.items[position] : nullptr;
}

const PythonExpression* keyword(const PythonExpression& call, std::string_view name) {
  for (const PythonKeyword& given : call.keywords) {
    if (given.name == name) return &given.value;
  }
  return nullptr;
}

const Dtype* dtype_named(const PythonExpression& name) {
  constexpr std::string_view kTorch = "torch.";
  const bool is_torch = name.is(Kind::Name) && name.text.starts_with(kTorch);
  return is_torch ? find_dtype(std::string_view(name.text).substr(kTorch.size())) : nullptr;
}

std::optional<Extents> plain_numbers(const PythonExpression& tuple) {
  Extents numbers;
  for (const PythonExpression& item : tuple.items) {
    const auto number = item.is(Kind::Integer) ? evaluate_size(item, {}) : std::nullopt;
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace fxcut
