// Symbolic sizes with hints.
#include "python_text/symbolic_sizes.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

const SymbolHints kHints = {{"s0", 7}, {"s1", 3}};

std::optional<std::int64_t> evaluate(std::string_view text) {
  return evaluate_size(parse_python(text, "", {1, 1}), kHints);
}

TEST(SizeArithmetic, OperatorsAndFunctions) {
  EXPECT_EQ(evaluate("2*s0 + s1**2"), 23);
  EXPECT_EQ(evaluate("(s0//2)"), 3);
  EXPECT_EQ(evaluate("-s0//2"), -4) << "rounds down, as Python";
  EXPECT_EQ(evaluate("-s0 % 4"), 1);
  EXPECT_EQ(evaluate("s0*s1/3"), 7);
  EXPECT_EQ(evaluate("Max(s0, s1, 5)"), 7);
  EXPECT_EQ(evaluate("Min(s0, s1)"), 3);
  EXPECT_EQ(evaluate("FloorDiv(s0, s1)"), 2);
  EXPECT_EQ(evaluate("Mod(s0, s1)"), 1);
  EXPECT_EQ(evaluate("ModularIndexing(s0*s1, 2, 4)"), 2);
  EXPECT_EQ(evaluate("u0"), 4096) << "no hint";
}

TEST(SizeArithmetic, OverflowsFractionsAndUnknownFunctionsAreNoNumbers) {
  EXPECT_EQ(evaluate("s0/2"), std::nullopt) << "no integer";
  EXPECT_EQ(evaluate("s0//0"), std::nullopt);
  EXPECT_EQ(evaluate("s0**99"), std::nullopt);
  EXPECT_EQ(evaluate("9223372036854775807*s0"), std::nullopt);
  EXPECT_EQ(evaluate("Unheard(s0)"), std::nullopt);
  EXPECT_EQ(evaluate("Eq(s0, 7)"), std::nullopt);
}

TEST(SizeArithmetic, PrintsAsSympyDoes) {
  for (const char* text : {"s0", "2*s0", "s0*s1 + 1", "(s0//2)", "2*(s0 + s1)", "s0**2", "Max(1, s0)", "-s0"}) {
    EXPECT_EQ(print_size(parse_python(text, "", {1, 1})), text);
  }
}

TEST(SizeArithmetic, FunctionsAreNoSymbols) {
  std::set<std::string> symbols;
  collect_symbols(parse_python("Max(s1, s0*s1)", "", {1, 1}), symbols);
  EXPECT_EQ(symbols, (std::set<std::string>{"s0", "s1"}));
}

}  // namespace
}  // namespace fxcut
