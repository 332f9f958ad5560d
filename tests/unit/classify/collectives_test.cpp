#include "classify/collectives.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// "gather", "reduce" or "scatter" for each that the operator is.
std::string kinds_of(const std::string& target) {
  const JointGraph joint = joint_graph("x = placeholder : f32[4]\n y = " + target + "(x) : f32[4]\n return y");
  const Operator& callee = *joint.graph.nodes[1].callee;
  return std::string(is_all_gather(callee) ? "gather" : "") + (is_all_reduce(callee) ? "reduce" : "") +
         (is_reduce_scatter(callee) ? "scatter" : "");
}

TEST(Collectives, AreKnownInEachForm) {
  EXPECT_EQ(kinds_of("_c10d_functional.all_gather_into_tensor.default"), "gather");
  EXPECT_EQ(kinds_of("_c10d_functional.all_gather_into_tensor_out.default"), "gather");
  EXPECT_EQ(kinds_of("_c10d_functional.all_reduce_.default"), "reduce");
  EXPECT_EQ(kinds_of("_c10d_functional.all_reduce_coalesced.default"), "reduce");
  EXPECT_EQ(kinds_of("_c10d_functional.reduce_scatter_tensor_coalesced.default"), "scatter");
}

TEST(Collectives, OthersAndOtherNamespacesAreNone) {
  EXPECT_EQ(kinds_of("_c10d_functional.all_to_all_single.default"), "");
  EXPECT_EQ(kinds_of("my.all_reduce.default"), "");
}

}  // namespace
}  // namespace fxcut
