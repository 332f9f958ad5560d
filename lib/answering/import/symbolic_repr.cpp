#include "import/symbolic_repr.h"

#include <algorithm>
#include <array>
#include <functional>

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Renamed = std::pair<std::string_view, std::string_view>;

// Classes that are printed as signs, and classes that are printed under another name.
constexpr std::array<Renamed, 9> kSigns = {{
    {"Add", "+"}, {"Mul", "*"}, {"Pow", "**"}, {"Rational", "/"}, {"FloorDiv", "//"}, {"StrictLessThan", "<"},
    {"LessThan", "<="}, {"StrictGreaterThan", ">"}, {"GreaterThan", ">="}}};
constexpr std::array<Renamed, 2> kNames = {{{"Equality", "Eq"}, {"Unequality", "Ne"}}};

template <typename Rows>
std::string_view find_row(const Rows& rows, std::string_view name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Renamed& each) { return each.first == name; });
  return row == rows.end() ? std::string_view() : row->second;
}

bool is_number(const PythonExpression& expression) {
  if (expression.is(Kind::Unary)) return is_number(expression.items[0]);
  return expression.is(Kind::Integer) || expression.is(Kind::Real);
}

// Sums are printed with numbers last.
PythonExpression chained(std::string_view sign, std::vector<PythonExpression> operands) {
  if (sign == "+") std::stable_partition(operands.begin(), operands.end(), std::not_fn(is_number));
  PythonExpression chain = std::move(operands[0]);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    chain = make_python(Kind::Binary, std::string(sign), {std::move(chain), std::move(operands[i])});
  }
  return chain;
}

PythonExpression printed(PythonExpression repr);

PythonExpression printed_call(PythonExpression call) {
  const std::string name = call.items[0].text;
  if (call.items.size() >= 2) {
    PythonExpression& first = call.items[1];
    if (name == "Symbol") return python_name(first.text);
    if (name == "Integer") return std::move(first);
    if (name == "Float") return make_python(Kind::Real, first.text);
  }
  std::vector<PythonExpression> operands;
  for (std::size_t i = 1; i < call.items.size(); ++i) operands.push_back(printed(std::move(call.items[i])));
  const std::string_view sign = find_row(kSigns, name);
  if (!sign.empty() && !operands.empty()) return chained(sign, std::move(operands));
  const std::string_view other_name = find_row(kNames, name);
  operands.insert(operands.begin(), python_name(std::string(other_name.empty() ? name : other_name)));
  return make_python(Kind::Call, "", std::move(operands));
}

PythonExpression printed(PythonExpression repr) {
  return repr.is(Kind::Call) && repr.items[0].is(Kind::Name) ? printed_call(std::move(repr)) : std::move(repr);
}

}  // namespace

PythonExpression read_symbolic_repr(std::string_view repr, std::string_view place) {
  return printed(parse_python(repr, place, {1, 1}));
}

}  // namespace fxcut
