#include "python_text/symbolic_sizes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <vector>

#include "graph/value.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Number = std::optional<std::int64_t>;

Number add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : Number(sum);
}

Number subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  return __builtin_sub_overflow(a, b, &difference) ? std::nullopt : Number(difference);
}

Number multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : Number(product);
}

bool can_divide(std::int64_t a, std::int64_t b) {
  return b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
}

Number floor_divide(std::int64_t a, std::int64_t b) {
  if (!can_divide(a, b)) return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// Like Python's: the sign is the divisor's.
Number modulo(std::int64_t a, std::int64_t b) {
  if (!can_divide(a, b)) return std::nullopt;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Number divide_evenly(std::int64_t a, std::int64_t b) {
  return can_divide(a, b) && a % b == 0 ? Number(a / b) : std::nullopt;
}

Number power(std::int64_t base, std::int64_t exponent) {
  constexpr std::int64_t kLargestExponent = 63;
  if (exponent < 0 || exponent > kLargestExponent) return std::nullopt;
  Number result = 1;
  for (std::int64_t i = 0; i < exponent && result; ++i) result = multiply(*result, base);
  return result;
}

Number apply_sign(std::string_view sign, std::int64_t a, std::int64_t b) {
  if (sign == "+") return add(a, b);
  if (sign == "-") return subtract(a, b);
  if (sign == "*") return multiply(a, b);
  if (sign == "//") return floor_divide(a, b);
  if (sign == "/") return divide_evenly(a, b);
  if (sign == "%") return modulo(a, b);
  return sign == "**" ? power(a, b) : std::nullopt;
}

// PyTorch's and sympy's functions on integers, by their printed names.
Number apply_function(std::string_view name, const std::vector<std::int64_t>& of) {
  if (of.empty()) return std::nullopt;
  if (name == "Max" || name == "max") return *std::max_element(of.begin(), of.end());
  if (name == "Min" || name == "min") return *std::min_element(of.begin(), of.end());
  if (of.size() == 1) {
    const bool changes_nothing = name == "TruncToInt" || name == "CeilToInt" || name == "FloorToInt" ||
                                 name == "RoundToInt" || name == "Identity" || name == "ceiling" || name == "floor";
    if (changes_nothing) return of[0];
    return name == "Abs" ? (of[0] < 0 ? subtract(0, of[0]) : of[0]) : std::nullopt;
  }
  if (of.size() == 2) {
    if (name == "FloorDiv") return floor_divide(of[0], of[1]);
    if (name == "CleanDiv") return divide_evenly(of[0], of[1]);
    if (name == "Mod" || name == "PythonMod") return modulo(of[0], of[1]);
    if (name == "PowByNatural") return power(of[0], of[1]);
  }
  if (of.size() == 3 && name == "ModularIndexing") {
    const Number quotient = floor_divide(of[0], of[1]);
    return quotient ? modulo(*quotient, of[2]) : std::nullopt;
  }
  return std::nullopt;
}

Number read_integer(const std::string& digits) {
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc() ? Number(number) : std::nullopt;
}

int binding_of(const PythonExpression& expression) {
  if (expression.is(Kind::Unary)) return 2;
  if (!expression.is(Kind::Binary)) return 4;
  if (expression.text == "**") return 3;
  const bool multiplies = expression.text.find_first_of("*/%") != std::string::npos;
  return multiplies ? 2 : expression.text == "+" || expression.text == "-" ? 1 : 0;
}

std::string print_operand(const PythonExpression& operand, int least_binding) {
  const std::string text = print_size(operand);
  return binding_of(operand) < least_binding ? "(" + text + ")" : text;
}

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

Number evaluate_size(const PythonExpression& expression, const SymbolHints& hints) {
  if (expression.is(Kind::Integer)) return read_integer(expression.text);
  if (expression.is(Kind::Name)) {
    const auto hint = hints.find(expression.text);
    return hint == hints.end() ? kUnhintedSize : hint->second;
  }
  std::vector<std::int64_t> operands;
  for (std::size_t i = expression.is(Kind::Call) ? 1 : 0; i < expression.items.size(); ++i) {
    const Number operand = evaluate_size(expression.items[i], hints);
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  if (expression.is(Kind::Binary)) return apply_sign(expression.text, operands[0], operands[1]);
  if (expression.is(Kind::Unary) && expression.text == "-") return subtract(0, operands[0]);
  if (expression.is(Kind::Call) && expression.items[0].is(Kind::Name)) {
    return apply_function(expression.items[0].text, operands);
  }
  return std::nullopt;
}

void collect_symbols(const PythonExpression& expression, std::set<std::string>& symbols) {
  if (expression.is(Kind::Name)) symbols.insert(expression.text);
  for (std::size_t i = expression.is(Kind::Call) ? 1 : 0; i < expression.items.size(); ++i) {
    collect_symbols(expression.items[i], symbols);
  }
}

std::string print_size(const PythonExpression& expression) {
  switch (expression.kind) {
    case Kind::Unary: return expression.text + print_operand(expression.items[0], 2);
    case Kind::Binary: {
      const int binding = binding_of(expression);
      const std::string sign = binding < 2 ? " " + expression.text + " " : expression.text;
      const std::string text = print_operand(expression.items[0], binding) + sign +
                               print_operand(expression.items[1], binding + (binding == 3 ? 0 : 1));
      return expression.text == "//" ? "(" + text + ")" : text;
    }
    case Kind::Call: {
      std::string text = print_size(expression.items[0]) + "(";
      for (std::size_t i = 1; i < expression.items.size(); ++i) {
        text += (i > 1 ? ", " : "") + print_size(expression.items[i]);
      }
      return text + ")";
    }
    default: return expression.text;
  }
}

PythonExpression read_symbolic_repr(std::string_view repr, std::string_view place) {
  return printed(parse_python(repr, place, {1, 1}));
}

}  // namespace fxcut
