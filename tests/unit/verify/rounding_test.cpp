// Values that cross in 8 bits: what verify takes for their rounding, and what it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "graph_text.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

const std::string kJoint = R"(
  x = placeholder : f32[4, 4]@0
  tangents_1 = placeholder : f32[4, 4]@1
  y = aten.sin.default(x) : f32[4, 4]@2
  g = aten.mul.Tensor(tangents_1, y) : f32[4, 4]@3
  return y | g)";

const std::string kScaled = R"(
  x = placeholder : f32[4, 4]@0
  y = aten.sin.default(x) : f32[4, 4]@2
  a = aten.abs.default(y)
  b = aten.amax.default(a, [-1], True)
  c = prims.convert_element_type.default(b, dtype(float64))
  d = aten.clamp_min.default(c, 1e-12)
  e = aten.reciprocal.default(d)
  f = aten.mul.Tensor(e, 448.0)
  s = prims.convert_element_type.default(f, dtype(float32))
  h = prims.convert_element_type.default(y, dtype(float32))
  i = aten.mul.Tensor(h, s)
  j = aten.clamp_min.default(i, -448.0)
  k = aten.clamp_max.default(j, 448.0)
  q = prims.convert_element_type.default(k, dtype(float8_e4m3fn))
  return y, q, s)";

const std::string kDivided = R"(
  q = placeholder : float8_e4m3fn[4, 4]
  s = placeholder : f32[4, 1]
  tangents_1 = placeholder : f32[4, 4]@1
  a = prims.convert_element_type.default(q, dtype(float32))
  b = aten.div.Tensor(a, s)
  c = prims.convert_element_type.default(b, dtype(float32))
  g = aten.mul.Tensor(tangents_1, c)
  return g)";

Verification verified(const std::string& forward_text, const std::string& backward_text) {
  const JointGraph joint = joint_graph(kJoint);
  JointGraph forward = joint_graph(forward_text);
  forward.num_forward_outputs = joint.num_forward_outputs;
  return verify(joint, forward, joint_graph(backward_text));
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? "" : text.replace(at, what.size(), by);
}

TEST(VerifyRounding, SaysWhatIsRounded) {
  const Verification found = verified(kScaled, kDivided);
  EXPECT_EQ(verification_text(found),
            "equal but for the rounding of what is named below: 1 output and 1 gradient equal the joint graph's; 2 values cross "
            "to the backward\nrounded to float8_e4m3fn: 1 value: y\n");
}

TEST(VerifyRounding, TakesPlainCasts) {
  const std::string forward = "x = placeholder : f32[4, 4]@0\ny = aten.sin.default(x) : f32[4, 4]@2\n"
                              "q = prims.convert_element_type.default(y, dtype(bfloat16))\nreturn y, q";
  const std::string backward = "q = placeholder : bf16[4, 4]\ntangents_1 = placeholder : f32[4, 4]@1\n"
                               "c = prims.convert_element_type.default(q, dtype(float32))\n"
                               "g = aten.mul.Tensor(tangents_1, c)\nreturn g";
  const Verification found = verified(forward, backward);
  EXPECT_TRUE(found.mismatches.empty());
  ASSERT_EQ(found.rounded.size(), 1U);
  EXPECT_EQ(found.rounded[0].dtype, "bfloat16");
  EXPECT_FALSE(verified(forward, with(backward, "(tangents_1, c)", "(tangents_1, q)")).mismatches.empty());
  EXPECT_FALSE(verified(forward, with(backward, "(q, dtype(float32))", "(q, dtype(float16))")).mismatches.empty());
}

TEST(VerifyRounding, TakesNoOtherScaleRangeOrInverse) {
  for (const auto& [what, by] : {std::pair("(e, 448.0)", "(e, 449.0)"), {"(i, -448.0)", "(i, -447.0)"},
                                 {"(j, 448.0)", "(j, 449.0)"}, {"(k, dtype(float8_e4m3fn))", "(k, dtype(float8_e5m2))"},
                                 {"[-1], True", "[0], True"}, {"1e-12", "1e-11"},
                                 {"abs.default(y)", "abs.default(x)"}, {"(h, s)", "(h, h)"}}) {
    ASSERT_NE(with(kScaled, what, by), "") << what;
    EXPECT_FALSE(verified(with(kScaled, what, by), kDivided).mismatches.empty()) << what;
  }
  EXPECT_FALSE(verified(kScaled, with(kDivided, "aten.div.Tensor(a, s)", "aten.mul.Tensor(a, s)")).mismatches.empty());
  EXPECT_FALSE(verified(kScaled, with(kDivided, "(tangents_1, c)", "(tangents_1, a)")).mismatches.empty());
}

const std::string kMask = R"(
  x = placeholder : f32[4, 4]@0
  tangents_1 = placeholder : f32[4, 4]@1
  y = aten.le.Scalar(x, 0) : bool[4, 4]@2
  g = my.grad.default(tangents_1, y) : f32[4, 4]@3
  return x | g)";
const std::string kNumbers =
    "prims.iota.default(8, start=0, step=1, dtype=dtype(uint8), device=device(cpu), requires_grad=False)";
const std::string kPacking = "x = placeholder : f32[4, 4]@0\ny = aten.le.Scalar(x, 0) : bool[4, 4]@2\n"
                             "a = aten.view.default(y, [2, 8])\nb = prims.convert_element_type.default(a, dtype(uint8))\nw = " +
                             kNumbers + "\nc = aten.bitwise_left_shift.Tensor(b, w)\n"
                             "p = aten.sum.dim_IntList(c, [-1], False, dtype=dtype(uint8))\nreturn x, p";
const std::string kUnpacking = "p = placeholder : uint8[2]\ntangents_1 = placeholder : f32[4, 4]@1\n"
                               "a = aten.unsqueeze.default(p, -1)\nw = " + kNumbers +
                               "\nb = aten.bitwise_right_shift.Tensor(a, w)\nc = aten.bitwise_and.Scalar(b, 1)\n"
                               "d = prims.convert_element_type.default(c, dtype(bool))\n"
                               "y = aten.view.default(d, [4, 4]) : bool[4, 4]@2\ng = my.grad.default(tangents_1, y)\nreturn g";

Verification verified_mask(const std::string& forward_text, const std::string& backward_text) {
  const JointGraph joint = joint_graph(kMask);
  JointGraph forward = joint_graph(forward_text);
  forward.num_forward_outputs = joint.num_forward_outputs;
  return verify(joint, forward, joint_graph(backward_text));
}

TEST(VerifyRounding, BitsLoseNothing) {
  const Verification found = verified_mask(kPacking, kUnpacking);
  EXPECT_EQ(verification_text(found),
            "verified: 1 output and 1 gradient equal the joint graph's; 1 value crosses to the backward\n");
  EXPECT_FALSE(verified_mask(kPacking, with(kUnpacking, "Scalar(b, 1)", "Scalar(b, 2)")).mismatches.empty());
  EXPECT_FALSE(verified_mask(with(kPacking, "left_shift", "right_shift"), kUnpacking).mismatches.empty());
  EXPECT_FALSE(verified_mask(with(kPacking, "start=0", "start=1"), kUnpacking).mismatches.empty());
  EXPECT_FALSE(verified_mask(with(kPacking, "Scalar(x, 0)", "Scalar(x, 1)"), kUnpacking).mismatches.empty());
}

// Positions in a plane of 16 * 16 fit a byte, those of 17 * 17 do not.
Verification verified_positions(int side, const std::string& dtype) {
  const std::string plane = std::to_string(side) + ", " + std::to_string(side);
  const std::string forward = "x = placeholder : f32[1, 1, " + plane + "]@0\n"
                              "a = aten.max_pool2d_with_indices.default(x, [2, 2]) : "
                              "tuple(f32[1, 1, 8, 8]@2, i64[1, 1, 8, 8]@3)\n"
                              "b = operator.getitem(a, 0) : f32[1, 1, 8, 8]@2\ny = operator.getitem(a, 1) : i64[1, 1, 8, 8]@3\n";
  const std::string grad = "g = my.grad.default(tangents_1, y) : f32[1, 1, " + plane + "]@4\n";
  const std::string tangent = "tangents_1 = placeholder : f32[1, 1, 8, 8]@1\n";
  const JointGraph joint = joint_graph(forward + tangent + grad + "return b | g");
  JointGraph side_of_forward =
      joint_graph(forward + "n = prims.convert_element_type.default(y, dtype(" + dtype + "))\nreturn b, n");
  side_of_forward.num_forward_outputs = 1;
  return verify(joint, side_of_forward,
                joint_graph("n = placeholder : uint8[1, 1, 8, 8]\n" + tangent +
                            "y = prims.convert_element_type.default(n, dtype(int64))\n" + grad + "return g"));
}

TEST(VerifyRounding, PositionsFitTheIntegersThatHoldTheirDimension) {
  EXPECT_TRUE(verified_positions(16, "uint8").mismatches.empty());
  EXPECT_TRUE(verified_positions(16, "uint8").rounded.empty());
  EXPECT_FALSE(verified_positions(17, "uint8").mismatches.empty());
  EXPECT_TRUE(verified_positions(17, "int16").mismatches.empty());
  EXPECT_FALSE(verified_positions(182, "int16").mismatches.empty());  // 182 * 182 is above 32767
  EXPECT_FALSE(verified_positions(16, "int8").mismatches.empty());
}

// A whole step, the calls after `loss` of which are its backward.
JointGraph step_of(const std::string& text, const std::string& loss) {
  JointGraph step = joint_graph(text);
  bool is_after = false;
  for (Node& node : step.graph.nodes) {
    if (is_after) node.meta.phase = StepPhase::Backward;
    is_after = is_after || node.name == loss;
  }
  step.step = std::make_shared<WholeStep>(WholeStep{step.graph, {}, false});
  return step;
}

TEST(VerifyRounding, AStepsBackwardMayRestoreWhatItsForwardSaves) {
  const std::string head = "x = placeholder : f32[4, 4]@0\ny = aten.le.Scalar(x, 0) : bool[4, 4]@2\n";
  const std::string tail = "loss = aten.sum.default(x) : f32[]@1\ng = my.grad.default(loss, y) : f32[4, 4]@3\nreturn g";
  const JointGraph step = step_of(head + tail, "loss");
  const std::string packed = with(kPacking.substr(kPacking.find("a = ")), "return x, p", "");
  const std::string restored = "u = aten.unsqueeze.default(p, -1)\nn = " + kNumbers +
                               "\nr = aten.bitwise_right_shift.Tensor(u, n)\ne = aten.bitwise_and.Scalar(r, 1)\n"
                               "d = prims.convert_element_type.default(e, dtype(bool))\n"
                               "z = aten.view.default(d, [4, 4]) : bool[4, 4]@2\n";
  const std::string loss = "loss = aten.sum.default(x) : f32[]@1\n";
  const std::string grad = "g = my.grad.default(loss, z) : f32[4, 4]@3\nreturn g";
  EXPECT_TRUE(verify_step(step, step_of(head + packed + loss + restored + grad, "loss")).mismatches.empty());
  EXPECT_FALSE(verify_step(step, step_of(head + packed + restored + loss + grad, "loss")).mismatches.empty());
}

TEST(VerifyRounding, AStepHasToReportWhatItRounds) {
  const std::string head = "x = placeholder : f32[4, 4]@0\ny = aten.sin.default(x) : f32[4, 4]@2\n";
  const std::string loss = "loss = aten.sum.default(y) : f32[]@1\n";
  const JointGraph step = step_of(head + loss + "g = my.grad.default(loss, y) : f32[4, 4]@3\nreturn g", "loss");
  const JointGraph rounding = step_of(head + "q = prims.convert_element_type.default(y, dtype(float8_e5m2))\n" + loss +
                                          "r = prims.convert_element_type.default(q, dtype(float32))\n"
                                          "g = my.grad.default(loss, r) : f32[4, 4]@3\nreturn g",
                                      "loss");
  const Verification found = verify_step(step, rounding);
  EXPECT_TRUE(found.mismatches.empty());
  ASSERT_EQ(found.rounded.size(), 1U);
  EXPECT_EQ(found.rounded[0].name, "y");
  const ReportJson silent = ReportJson::object();
  const Verification unreported = verify_step(step, rounding, &silent);
  const bool is_told = std::ranges::any_of(
      unreported.mismatches, [](const Mismatch& one) { return one.expected == "the value as it is, by the report"; });
  EXPECT_TRUE(is_told);
}

TEST(VerifyRounding, NamesSomeOfManyValues) {
  Verification found;
  for (int i = 0; i < 9; ++i) found.rounded.push_back({"v" + std::to_string(i), "float8_e5m2"});
  found.rounded.push_back({"w", "float8_e4m3fn"});
  const std::string text = verification_text(found);
  EXPECT_NE(text.find("rounded to float8_e4m3fn: 1 value: w\n"), std::string::npos) << text;
  const std::string many = "rounded to float8_e5m2: 9 values: v0, v1, v2, v3, v4, v5, and 3 more (--json names all)\n";
  EXPECT_NE(text.find(many), std::string::npos) << text;
}

}  // namespace
}  // namespace fxcut
