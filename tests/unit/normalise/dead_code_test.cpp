// Unused nodes are removed, unless they have an effect.
#include "normalise/dead_code.h"

#include <gtest/gtest.h>

#include "classify/purity.h"
#include "graph_text.h"

namespace fxcut {
namespace {

std::string alive_of(std::string_view text) { return names_of(eliminate_dead_code(joint_graph(text)).graph); }

TEST(DeadCode, InputsOfOnlyDeadCodeAreDead) {
  EXPECT_EQ(alive_of(R"(
    x = placeholder
    a = aten.sin.default(x)
    b = aten.cos.default(a)
    c = aten.cos.default(x)
    return c)"),
            "x c output");
}

TEST(DeadCode, InputsStay) { EXPECT_EQ(alive_of("x = placeholder\ny = placeholder\nreturn x"), "x y output"); }

TEST(DeadCode, OperatorsThatWriteStayWithWhatTheyTake) {
  EXPECT_EQ(alive_of(R"(
    x = placeholder
    a = aten.sin.default(x)
    m = aten.copy_.default(x, a)
    check = aten._assert_scalar.default(a, "positive")
    return x)"),
            "x a m check output");
}

TEST(DeadCode, RandomOperatorsAreDeadLikeAnyOther) {
  EXPECT_EQ(alive_of("x = placeholder\na = aten.bernoulli.default(x)\nw = get_attr w\nreturn x"), "x output");
}

TEST(DeadCode, InputsOfWhatStaysAreRenumbered) {
  const JointGraph joint = eliminate_dead_code(joint_graph(R"(
    x = placeholder
    dead = aten.sin.default(x)
    a = aten.cos.default(x)
    b = aten.mul.Tensor(a, x)
    return b)"));
  EXPECT_EQ(text_of(joint.graph), "x = placeholder\na = aten.cos.default(x)\nb = aten.mul.Tensor(a, x)\nreturn b\n");
}

TEST(DeadCode, TheCallerDecidesWhatMustStay) {
  const auto keep_inputs_and_output = [](const Node& node) { return !node.is_call(); };
  const JointGraph joint = joint_graph("x = placeholder\nm = aten.copy_.default(x, x)\nreturn x");
  EXPECT_EQ(names_of(eliminate_dead_code(joint.graph, keep_inputs_and_output)), "x output");
  EXPECT_EQ(names_of(eliminate_dead_code(joint.graph, is_impure)), "x m output");
}

TEST(DeadCode, SubgraphsThatAreReferredToAreCleanedAtEveryDepth) {
  const std::string inner = "z = placeholder\ndead = aten.sin.default(z)\nreturn z";
  const std::string body = subgraphs_line({{"inner", inner}}) + R"(
    y = placeholder
    dead = aten.sin.default(y)
    g = get_attr inner
    r = higher_order.invoke_subgraph(g, "inner", y)
    return r)";
  const JointGraph joint = eliminate_dead_code(joint_graph(subgraphs_line({{"body", body}, {"unused", inner}}) + R"(
    x = placeholder
    f = get_attr body
    c = higher_order.invoke_subgraph(f, "body", x)
    return c)"));
  const Subgraph& cleaned = joint.subgraphs.at(0).subgraph;
  EXPECT_EQ(names_of(cleaned.graph), "y g r output");
  EXPECT_EQ(names_of(cleaned.subgraphs.at(0).subgraph.graph), "z output");
  EXPECT_EQ(names_of(joint.subgraphs.at(1).subgraph.graph), "z dead output");
}

TEST(DeadCode, SubgraphsAreCleanedSince2_8) {
  const std::string lines = subgraphs_line({{"body", "y = placeholder\ndead = aten.sin.default(y)\nreturn y"}}) + R"(
    x = placeholder
    f = get_attr body
    c = higher_order.invoke_subgraph(f, "body", x)
    return c)";
  const auto cleaned = [&](Release release) {
    return names_of(eliminate_dead_code(joint_graph(made_by(release) + lines)).subgraphs.at(0).subgraph.graph);
  };
  EXPECT_EQ(cleaned(kTorch2_7), "y dead output");
  EXPECT_EQ(cleaned(kTorch2_8), "y output");
}

}  // namespace
}  // namespace fxcut
