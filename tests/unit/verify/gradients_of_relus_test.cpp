// Gradients of ReLUs by booleans: what verify takes for the gradient, and what it does not.
#include "verify/gradients_of_relus.h"

#include <gtest/gtest.h>

#include <string>

#include "graph_text.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

const std::string kReluJoint = R"(
  x = placeholder : f32[4, 4]@0
  tangents_1 = placeholder : f32[4, 4]@1
  y = aten.relu.default(x) : f32[4, 4]@2
  z = aten.sin.default(y) : f32[4, 4]@3
  d = aten.detach.default(y) : f32[4, 4]@2
  g = aten.threshold_backward.default(tangents_1, d, 0) : f32[4, 4]@4
  return z | g)";

// Whether a partition is right that saves `mask` and makes the gradient of it.
bool is_right(const std::string& mask, const std::string& gradient) {
  const JointGraph joint = joint_graph(kReluJoint);
  JointGraph forward = joint_graph("x = placeholder : f32[4, 4]@0\ny = aten.relu.default(x) : f32[4, 4]@2\n"
                                   "m = " + mask + " : bool[4, 4]@5\nz = aten.sin.default(y) : f32[4, 4]@3\nreturn z, m");
  forward.num_forward_outputs = joint.num_forward_outputs;
  const JointGraph backward = joint_graph("m = placeholder : bool[4, 4]@5\ntangents_1 = placeholder : f32[4, 4]@1\n"
                                          "g = " + gradient + " : f32[4, 4]@4\nreturn g");
  return verify(joint, forward, backward).mismatches.empty();
}

const std::string kSigns = "aten.le.Scalar(y, 0)", kGradient = "aten.where.ScalarSelf(m, 0, tangents_1)";

TEST(GradientsOfRelus, ByTheSignAreThoseByTheValue) { EXPECT_TRUE(is_right(kSigns, kGradient)); }

TEST(GradientsOfRelus, ByAnotherComparisonAreOthers) {
  EXPECT_FALSE(is_right("aten.lt.Scalar(y, 0)", kGradient));
  EXPECT_FALSE(is_right("aten.le.Scalar(y, 1)", kGradient));
  EXPECT_FALSE(is_right("aten.le.Scalar(x, 0)", kGradient));
}

TEST(GradientsOfRelus, ByAnotherChoiceAreOthers) {
  EXPECT_FALSE(is_right(kSigns, "aten.where.ScalarSelf(m, 1, tangents_1)"));
  EXPECT_FALSE(is_right(kSigns, "aten.where.ScalarOther(m, tangents_1, 0)"));
}

}  // namespace
}  // namespace fxcut
