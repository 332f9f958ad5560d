// A backward in two parts, and verify's messages about parts that do not fit.
#include "split/split_backward.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "split/describe_split.h"
#include "verify/join_backward.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

// Linear: the gradients of the weight `w` and of the input `x`.
const std::string kForwardPart = "w = placeholder : f32[4, 4]@0 static\nx = placeholder : f32[2, 4]@1\n"
                             "y = aten.mm.default(x, w) : f32[2, 4]@3\nz = aten.sin.default(y) : f32[2, 4]@4\nreturn z, w, x, y";
const std::string kGiven = "w = placeholder : f32[4, 4]@0 static\nx = placeholder : f32[2, 4]@1\ny = placeholder : f32[2, 4]@3\n"
                            "tangents_1 = placeholder : f32[2, 4]@2\n";
const std::string kGradient = "cos = aten.cos.default(y) : f32[2, 4]@5\ng = aten.mul.Tensor(tangents_1, cos) : f32[2, 4]@6\n";
const std::string kWeight = "xt = aten.t.default(x) : f32[4, 2]@1\ngw = aten.mm.default(xt, g) : f32[4, 4]@7\n";
const std::string kInput = "wt = aten.t.default(w) : f32[4, 4]@0\ngx = aten.mm.default(g, wt) : f32[2, 4]@8\n";

const std::string kWholeStep = "w = placeholder : f32[4, 4]@0 static\nx = placeholder : f32[2, 4]@1\n"
                           "tangents_1 = placeholder : f32[2, 4]@2\ny = aten.mm.default(x, w) : f32[2, 4]@3\n"
                           "z = aten.sin.default(y) : f32[2, 4]@4\n" +
                           kGradient + kWeight + kInput + "return z | gw, gx";

BackwardParts parts_of(const std::string& text, const std::vector<bool>& of_weights) {
  return split_backward(joint_graph(text), of_weights).value();
}

TEST(SplitBackward, ComputesInTheSecondPartWhatOnlyWeightsNeed) {
  const BackwardParts parts = parts_of(kGiven + kGradient + kWeight + kInput + "return gw, gx", {true, false});
  EXPECT_EQ(names_of(parts.input), "w x y tangents_1 cos g wt gx output");
  EXPECT_EQ(names_of(parts.weight), "x g xt gw output");
  EXPECT_EQ(parts.num_gradients, 1U);
}

TEST(SplitBackward, TellsWhatIsHeldOfWhatKind) {
  const JointGraph backward = joint_graph(kGiven + kGradient + kWeight + kInput + "return gw, gx");
  const std::vector<bool> of_weights = {true, false};
  EXPECT_EQ(split_text(describe_split(backward, backward, of_weights, split_backward(backward, of_weights))),
            "backward  6 operators\n"
            "  input   4 operators for 1 gradient of inputs\n"
            "  weight  2 operators for 1 gradient of weights\n"
            "held      64 B in between, in 2 values\n"
            "  saved   32 B by the forward\n"
            "  new     32 B by the first part\n");
}

TEST(SplitBackward, CountsTheWholeStorageOfAViewThatTheForwardHasSaved) {
  const std::string inputs = "w = placeholder : f32[4]@1 static\nx = placeholder : f32[64, 4]@0\n";
  const JointGraph joint = joint_graph(inputs + "tangents_1 = placeholder : f32[4]@2\nrow = aten.select.int(x, 0, 0) : f32[4]@0\n"
                                                "half = aten.slice.Tensor(w, 0, 0, 2) : f32[2]@1\n"
                                                "y = aten.mul.Tensor(row, w) : f32[4]@3\nreturn y | tangents_1, tangents_1");
  const JointGraph backward = joint_graph("row = placeholder : f32[4]@0\nhalf = placeholder : f32[2]@1\n"
                                          "tangents_1 = placeholder : f32[4]@2\ngx = aten.neg.default(tangents_1) : f32[4]@4\n"
                                          "p = aten.mul.Tensor(row, half) : f32[4]@6\ngw = aten.dot.default(gx, p) : f32[4]@5\n"
                                          "return gw, gx");
  const BackwardSplit split = describe_split(joint, backward, {true, false}, split_backward(backward, {true, false}));
  ASSERT_EQ(split.held.size(), 3U);
  EXPECT_EQ(split.held[0].name, "row");
  EXPECT_EQ(split.held[0].bytes, 64 * 4 * 4);
  EXPECT_EQ(split.held[1].name, "half");
  EXPECT_EQ(split.held[1].bytes, 0) << "it is in a parameter's";
}

TEST(SplitBackward, IsNoneOfOneKindOfGradient) {
  EXPECT_FALSE(split_backward(joint_graph(kGiven + kGradient + kInput + "return None, gx"), {true, false}));
  EXPECT_FALSE(split_backward(joint_graph(kGiven + kGradient + kWeight + "return gw, None"), {true, false}));
}

TEST(SplitBackward, HandsOverItemsAndSizesInPlaceOfTuplesAndTensors) {
  const BackwardParts parts = parts_of(
      "x = placeholder : f32[2, s0]@1\nt = placeholder : f32[2, s0]@2\npair = aten.max.dim(t, 1) : tuple(f32[2]@3, i64[2]@4)\n"
      "values = operator.getitem(pair, 0) : f32[2]@3\nindices = operator.getitem(pair, 1) : i64[2]@4\n"
      "size = aten.sym_size.int(x, 1) : symint(s0)\ngx = aten.neg.default(values) : f32[2]@5\n"
      "gw = aten.full.default(indices, size) : f32[2]@6\nreturn gw, gx",
      {true, false});
  EXPECT_EQ(names_of(parts.weight), "indices size gw output");
}

TEST(SplitBackward, HasEffectsOnce) {
  const BackwardParts parts =
      parts_of("w = placeholder : f32[4]@0\nt = placeholder : f32[4]@1\ngx = aten.neg.default(t) : f32[4]@2\n"
               "gw = aten.mul.Tensor(t, w) : f32[4]@3\nwritten = aten.copy_.default(w, t) : f32[4]@0\nreturn gw, gx",
               {true, false});
  EXPECT_EQ(names_of(parts.input), "w t gx written output");
  EXPECT_EQ(names_of(parts.weight), "w t gw output");
}

// verify's message about these parts of the backward of `kWholeStep`; empty if they are right.
std::string wrong_with(const std::string& input_part, const std::string& weight_part) {
  const JointGraph joint = joint_graph(kWholeStep);
  JointGraph forward = joint_graph(kForwardPart);
  forward.num_forward_outputs = 1;
  std::vector<Mismatch> mismatches;
  const JointGraph backward = join_backward(joint, joint_graph(input_part), joint_graph(weight_part), mismatches);
  Verification found = verify(joint, forward, backward);
  found.mismatches.insert(found.mismatches.begin(), mismatches.begin(), mismatches.end());
  return found.mismatches.empty() ? "" : verification_text(found);
}

TEST(SplitBackward, IsVerifiedAsOne) {
  const std::string held = "x = placeholder : f32[2, 4]@1\ng = placeholder : f32[2, 4]@6\n";
  const std::string exchanged = "g = placeholder : f32[2, 4]@6\nx = placeholder : f32[2, 4]@1\n";
  const std::string input_part = kGiven + kGradient + kInput + "return gx, x, g";
  EXPECT_EQ(wrong_with(input_part, held + kWeight + "return gw"), "");
  EXPECT_NE(wrong_with(input_part, exchanged + kWeight + "return gw"), "");
  EXPECT_NE(wrong_with(input_part, held + "gw = aten.mm.default(x, g) : f32[4, 4]@7\nreturn gw"), "");
  EXPECT_NE(wrong_with(input_part, held + kWeight + "return gw, gw"), "");
  EXPECT_NE(wrong_with(kGiven + kGradient + kInput + "return gx, x", held + kWeight + "return gw"), "");
  EXPECT_NE(wrong_with(kGiven + kGradient + kInput + "return g, x, g", held + kWeight + "return gw"), "");
}

// The gradients of a cut graph's stage for values of other stages, which are not inputs of the joint graph.
TEST(SplitBackward, TakesFurtherGradientsForThoseOfInputs) {
  const std::string returned = "return z | gw, gx, g";
  const JointGraph joint = joint_graph(kWholeStep.substr(0, kWholeStep.rfind("return")) + returned);
  EXPECT_EQ(gradients_of_weights(joint), (std::vector<bool>{true, false, false}));
  const JointGraph backward = joint_graph(kGiven + kGradient + kWeight + kInput + "return gw, gx, g");
  const BackwardParts parts = split_backward(backward, gradients_of_weights(joint)).value();
  EXPECT_EQ(parts.num_gradients, 2U);
  JointGraph forward = joint_graph(kForwardPart), input_part = backward, weight_part = backward;
  forward.num_forward_outputs = 1;
  input_part.graph = parts.input;
  weight_part.graph = parts.weight;
  std::vector<Mismatch> mismatches;
  const Verification found = verify(joint, forward, join_backward(joint, input_part, weight_part, mismatches));
  EXPECT_TRUE(mismatches.empty() && found.mismatches.empty()) << verification_text(found);
}

TEST(SplitBackward, WantsAGradientForEachInput) {
  EXPECT_THROW(gradients_of_weights(joint_graph("a = placeholder : f32[4]@0\nb = placeholder : f32[4]@1\n"
                                                "tangents_1 = placeholder : f32[4]@2\ny = aten.add.Tensor(a, b) : f32[4]@3\n"
                                                "return y | tangents_1")),
               Failure);
  EXPECT_THROW(split_backward(joint_graph(kGiven + "return w"), {true, false}), Failure);
}

}  // namespace
}  // namespace fxcut
