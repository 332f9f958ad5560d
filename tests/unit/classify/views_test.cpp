// Calls that compute nothing.
#include "classify/views_and_writes.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

bool call_computes_nothing(const std::string& call) {
  const JointGraph joint = joint_graph("x = placeholder : f32[4]@1\nt = placeholder\ncall = " + call + "\nreturn call");
  return computes_nothing(joint.graph, node_named(joint.graph, "call"));
}

TEST(Views, AreTheOperatorsThatPyTorchCallsViews) {
  EXPECT_TRUE(call_computes_nothing("aten.view.default(x, [2, 2]) : f32[2, 2]"));
  EXPECT_FALSE(call_computes_nothing("aten.clone.default(x) : f32[4]@2"));
}

TEST(Views, AreOperatorsWhoseResultLiesInAnInput) {
  EXPECT_TRUE(call_computes_nothing("my.window.default(x) : f32[2]@1"));
  EXPECT_FALSE(call_computes_nothing("my.window.default(x) : f32[2]@2"));
}

TEST(Views, AreNotWhatWritesToItsInput) { EXPECT_FALSE(call_computes_nothing("aten.relu_.default(x) : f32[4]@1")); }

TEST(Views, ItemsOfTuplesComputeNothing) { EXPECT_TRUE(call_computes_nothing("operator.getitem(t, 0) : f32[4]@3")); }

TEST(Views, WaitsComputeNothing) {
  EXPECT_TRUE(call_computes_nothing("_c10d_functional.wait_tensor.default(x) : f32[4]@2"));
  EXPECT_TRUE(call_computes_nothing("ao.wait_tensor.default(x, t) : f32[4]@2"));
  EXPECT_TRUE(call_computes_nothing("_c10d_functional.wait_tensors.default([x]) : tuple(f32[4]@1)"));
}

}  // namespace
}  // namespace fxcut
