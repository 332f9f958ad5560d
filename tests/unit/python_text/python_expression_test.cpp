// Python's expressions, and where their mistakes are.
#include "python_text/python_expression.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// The tree as nested parentheses, the operator first.
std::string tree(const PythonExpression& e) {
  std::string text = e.is(Kind::String) ? "'" + e.text + "'" : e.text;
  if (e.is(Kind::List)) text = "list";
  if (e.is(Kind::Tuple)) text = "tuple";
  if (e.is(Kind::Dict)) text = "dict";
  if (e.is(Kind::Call)) text = "call";
  if (e.is(Kind::Subscript)) text = "item";
  const bool has_parts = !e.items.empty() || text == "list" || text == "tuple" || text == "dict";
  if (!has_parts) return text;
  for (const PythonExpression& item : e.items) text += " " + tree(item);
  for (const auto& [name, value] : e.keywords) text += " " + name + "=" + tree(value);
  return "(" + text + ")";
}

std::string parse(std::string_view text) { return tree(parse_python(text, "log", {7, 11})); }

std::string refusal(std::string_view text) {
  try {
    return "read: " + parse(text);
  } catch (const Failure& failure) {
    return failure.what();
  }
}

TEST(PythonExpression, CallsAndItems) {
  EXPECT_EQ(parse("torch.ops.aten.mm.default(a, b)"), "(call torch.ops.aten.mm.default a b)");
  EXPECT_EQ(parse("f([1, -2], (3,), dim = 0)"), "(call f (list 1 (- 2)) (tuple 3) dim=0)");
  EXPECT_EQ(parse("x[0]"), "(item x 0)");
  EXPECT_EQ(parse("()"), "(tuple)");
  EXPECT_EQ(parse("(a)"), "a") << "parentheses alone make no tuple";
  EXPECT_EQ(parse("a, b,"), "(tuple a b)");
  EXPECT_EQ(parse("{'a': 1, 'b': [2]}"), "(dict 'a' 1 'b' (list 2))");
}

TEST(PythonExpression, OperatorsBindAsPythons) {
  EXPECT_EQ(parse("a + b*c**2"), "(+ a (* b (** c 2)))");
  EXPECT_EQ(parse("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(parse("-a**2"), "(- (** a 2))");
  EXPECT_EQ(parse("2**-n"), "(** 2 (- n))");
  EXPECT_EQ(parse("-a * b"), "(* (- a) b)");
  EXPECT_EQ(parse("a + 1 < b & c"), "(< (+ a 1) (& b c))");
}

TEST(PythonExpression, LiteralsKeepTheirText) {
  EXPECT_EQ(parse("1e-05"), "1e-05");
  EXPECT_EQ(parse("2.5j"), "2.5");
  EXPECT_EQ(parse(R"('it\'s\n\x41' "b")"), "'it's\nAb'");
  EXPECT_EQ(parse("<object at 0x7f>"), "object at 0x7f");
}

TEST(PythonExpression, MistakesHaveTheirPlace) {
  EXPECT_EQ(refusal("f(a"), "fxcut: log:7:14: error: expected ',' or ')', found the end of the text");
  EXPECT_EQ(refusal("f(a) b"), "fxcut: log:7:16: error: expected the end of the expression, found 'b'");
  EXPECT_EQ(refusal("a +"), "fxcut: log:7:14: error: expected an expression, found the end of the line");
  EXPECT_EQ(refusal("'a"), "fxcut: log:7:11: error: expected an expression, found a string that does not end");
  EXPECT_EQ(refusal("f(a=1, b)"),
            "fxcut: log:7:18: error: a positional argument after a keyword argument\n  expected 'NAME = VALUE'");
}

TEST(PythonExpression, DepthIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(refusal(nested(150)).substr(0, 5), "read:");
  EXPECT_NE(refusal(nested(100000)).find("nests at most 200 deep"), std::string::npos);
  std::string sum = "a";
  for (int i = 0; i < 100000; ++i) sum += "+a";
  EXPECT_NE(refusal(sum).find("nests deeper than 200"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '-') + "a").find("fewer signs"), std::string::npos);
  std::string powers = "a";
  for (int i = 0; i < 100000; ++i) powers += "**a";
  EXPECT_NE(refusal(powers).find("fewer powers"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
