// The order of the backward: recomputed values just before they are used.
#include "finish/execution_order.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string ordered(std::string_view text) { return names_of(order_like_autograd(joint_graph(text).graph)); }

TEST(AutogradOrder, RecomputedNodesWaitForTheirFirstUse) {
  EXPECT_EQ(ordered(R"(
    x = placeholder
    tangents_1 = placeholder
    late = aten.sin.default(x)
    early = aten.cos.default(x)
    first = aten.mul.Tensor(tangents_1, early)
    second = aten.mul.Tensor(first, late)
    return second)"),
            "x tangents_1 early first late second output");
}

TEST(AutogradOrder, PredecessorsComeInTheOrderOfTheGraph) {
  EXPECT_EQ(ordered(R"(
    x = placeholder
    tangents_1 = placeholder
    a = aten.sin.default(x)
    b = aten.cos.default(x)
    c = aten.exp.default(b)
    first = my.own.default(c, a, tangents_1)
    return first)"),
            "x tangents_1 a b c first output");
}

TEST(AutogradOrder, InputsComeFirstWhereverTheyStand) {
  EXPECT_EQ(ordered(R"(
    x = placeholder
    a = aten.sin.default(x)
    tangents_1 = placeholder
    first = aten.mul.Tensor(tangents_1, a)
    return first)"),
            "x tangents_1 a first output");
}

TEST(AutogradOrder, UnusedNodesBeforeTheFirstGradientAreDropped) {
  EXPECT_EQ(ordered(R"(
    x = placeholder
    tangents_1 = placeholder
    unused = aten.sin.default(x)
    first = aten.neg.default(tangents_1)
    unused_later = aten.sin.default(x)
    return first)"),
            "x tangents_1 first unused_later output");
}

TEST(AutogradOrder, MutationsBeforeTheFirstGradientStay) {
  EXPECT_EQ(ordered(R"(
    x = placeholder
    tangents_1 = placeholder
    a = aten.sin.default(x)
    written = aten.copy_.default(x, a)
    b = aten.cos.default(x)
    first = aten.mul.Tensor(tangents_1, b)
    return first)"),
            "x tangents_1 a written b first output");
}

TEST(AutogradOrder, WithoutAGradientNothingChanges) {
  EXPECT_EQ(ordered("x = placeholder\na = aten.sin.default(x)\ny = placeholder\nreturn y"), "x a y output");
}

}  // namespace
}  // namespace fxcut
