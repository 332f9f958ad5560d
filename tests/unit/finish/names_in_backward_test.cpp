// The backward runs without naming operators.
#include "finish/finish.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string without_names(std::string_view text,
                          const std::vector<std::string>& operators = {"xla.name_tensor.default"}) {
  return text_of(drop_names(joint_graph(text).graph, operators));
}

TEST(NamesInBackward, ReadersOfANameReadTheNamedValue) {
  EXPECT_EQ(without_names(R"(
    x = placeholder
    a = aten.sin.default(x)
    n = xla.name_tensor.default(a, "q")
    b = aten.mul.Tensor(n, a)
    return b)"),
            "x = placeholder\na = aten.sin.default(x)\nb = aten.mul.Tensor(a, a)\nreturn b\n");
}

TEST(NamesInBackward, NamesOfNamesGoAsWell) {
  EXPECT_EQ(without_names(R"(
    x = placeholder
    n = xla.name_tensor.default(x, "q")
    m = xla.name_tensor.default(n, "k")
    return m, n)"),
            "x = placeholder\nreturn x, x\n");
}

TEST(NamesInBackward, OtherOperatorsStay) {
  EXPECT_EQ(without_names("x = placeholder\nn = my.tag.default(x, \"q\")\nreturn n"),
            "x = placeholder\nn = my.tag.default(x, \"q\")\nreturn n\n");
  EXPECT_EQ(without_names("x = placeholder\nn = my.tag.default(x, \"q\")\nreturn n", {"my.tag.default"}),
            "x = placeholder\nreturn x\n");
}

}  // namespace
}  // namespace fxcut
