// Subgraphs that expect generators are given them by their callers.
#include "finish/rng_state.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string passed(const std::string& text, std::string_view prefix = "fwd_rng_state") {
  const JointGraph joint = joint_graph(text);
  return text_of(pass_generators(joint.graph, joint.subgraphs, prefix, Namespace(joint.graph)));
}

const std::string kBodies =
    subgraphs_line({{"body_0",
                     "y = placeholder\nfwd_rng_state_0 = placeholder\nfwd_rng_state_1 = placeholder\n"
                     "return y"},
                    {"body_1", "y = placeholder\nfwd_rng_state_0 = placeholder\nreturn y"},
                    {"plain", "y = placeholder\nreturn y"}});

TEST(SubgraphGenerators, EachCallGetsWhatItsSubgraphExpects) {
  EXPECT_EQ(passed(kBodies + R"(
    x = placeholder
    b0 = get_attr body_0
    b1 = get_attr body_1
    p = get_attr plain
    first = higher_order.invoke_subgraph(b0, "body_0", x)
    second = higher_order.invoke_subgraph(b1, "body_1", first)
    third = higher_order.invoke_subgraph(p, "plain", second)
    return third)"),
            "x = placeholder\n"
            "fwd_rng_state_0 = placeholder\n"
            "fwd_rng_state_1 = placeholder\n"
            "fwd_rng_state_2 = placeholder\n"
            "b0 = get_attr body_0\n"
            "b1 = get_attr body_1\n"
            "p = get_attr plain\n"
            "invoke_subgraph = higher_order.invoke_subgraph(b0, \"body_0\", x, fwd_rng_state_0, fwd_rng_state_1)\n"
            "invoke_subgraph_1 = higher_order.invoke_subgraph(b1, \"body_1\", invoke_subgraph, fwd_rng_state_2)\n"
            "third = higher_order.invoke_subgraph(p, \"plain\", invoke_subgraph_1)\n"
            "return third\n");
}

TEST(SubgraphGenerators, AreOfOneSide) {
  const std::string text =
      kBodies +
      "x = placeholder\nb = get_attr body_1\nfirst = higher_order.invoke_subgraph(b, \"body_1\", x)\nreturn first";
  EXPECT_EQ(passed(text, "bwd_rng_state"), text_of(joint_graph(text).graph));
}

TEST(SubgraphGenerators, OtherCallsOfASubgraphGetNone) {
  const std::string text =
      kBodies + "x = placeholder\nb = get_attr body_1\nfirst = higher_order.cond(b, x)\nreturn first";
  EXPECT_EQ(passed(text), text_of(joint_graph(text).graph));
}

}  // namespace
}  // namespace fxcut
