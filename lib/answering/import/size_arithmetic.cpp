#include "import/size_arithmetic.h"

#include <algorithm>
#include <charconv>
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

// As Python's: the sign is the divisor's.
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

}  // namespace fxcut
