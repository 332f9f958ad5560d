#include "classify/purity.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

bool draws(const std::string& line, Release release) {
  const std::string inputs = "primals_1 = placeholder : f32[8]\n";
  return draws_numbers(node_named(joint_graph(made_by(release) + inputs + line + "\nreturn x").graph, "x"));
}

TEST(RandomCalls, AreThoseThatTakeNumbersFromAGenerator) {
  for (const Release release : {Release{13}, Release{15}}) {
    EXPECT_TRUE(draws("x = aten.rand_like.default(primals_1) : f32[8]", release));
    EXPECT_TRUE(draws("x = prims.inductor_seed.default(device(cpu)) : i64[]", release));
    EXPECT_FALSE(draws("x = prims.inductor_random.default([8], primals_1, \"rand\") : f32[8]", release));
    const std::string attention =
        "x = aten._scaled_dot_product_flash_attention.default(primals_1, primals_1, primals_1";
    EXPECT_FALSE(draws(attention + ") : f32[8]", release)) << "without dropout";
    EXPECT_TRUE(draws(attention + ", 0.1) : f32[8]", release));
  }
}

TEST(RandomCalls, AreCallsOfSubgraphsThatDrawToo) {
  const auto contains = [](const std::string& op) {
    const JointGraph joint = joint_graph(
        subgraphs_line({{"sg", "a = placeholder : f32[8]\nb = " + op + "(a) : f32[8]\nreturn b"}}) +
        "\nprimals_1 = placeholder : f32[8]\nsg = get_attr sg\nx = higher_order.wrap(sg, primals_1) : f32[8]\nreturn x");
    return RandomCalls(joint.subgraphs).contains(joint.graph, node_named(joint.graph, "x"));
  };
  EXPECT_TRUE(contains("aten.rand_like.default"));
  EXPECT_FALSE(contains("aten.sin.default"));
}

}  // namespace
}  // namespace fxcut
