// The differences that verify sees through, and those that it reports.
#include "verify/verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "graph_text.h"

namespace fxcut {
namespace {

// The mismatches, as text; empty if there are none. The forward has as many outputs of its own as the joint graph.
std::string wrong(const std::string& joint_text, const std::string& forward_text, const std::string& backward_text) {
  const JointGraph joint = joint_graph(joint_text);
  JointGraph forward = joint_graph(forward_text);
  forward.num_forward_outputs = joint.num_forward_outputs;
  const Verification found = verify(joint, forward, joint_graph(backward_text));
  return found.mismatches.empty() ? "" : verification_text(found);
}

// A graph over x and the tangent t, and its sides; `saved` is what crosses.
struct Step {
  std::string forward, backward, saved = "y";
  std::string output = "y";
  std::string joint_text() const {
    return "x = placeholder : f32[4]@0\ntangents_1 = placeholder : f32[4]@1\n" + forward + backward + "return " +
           output + " | g";
  }
  std::string forward_text() const {
    return "x = placeholder : f32[4]@0\n" + forward + "return " + output + ", " + saved;
  }
  std::string backward_text() const {
    return saved + " = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]@1\n" + backward + "return g";
  }
  std::string wrong_with(const std::string& forward_side, const std::string& backward_side) const {
    return wrong(joint_text(), forward_side, backward_side);
  }
};

const Step kPlain = {"y = aten.sin.default(x) : f32[4]@2\n", "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\n"};

TEST(VerifySides, HoldWhereTheyComputeTheJointGraph) {
  EXPECT_EQ(kPlain.wrong_with(kPlain.forward_text(), kPlain.backward_text()), "");
}

TEST(VerifySides, MayComputeAgain) {
  const std::string forward = "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nreturn y, x";
  const std::string backward =
      "x = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\ny = aten.sin.default(x)\n"
      "g = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(kPlain.wrong_with(forward, backward), "");
}

// `first` and `second` are writes of the backward in its order.
std::string writes_in_order(const std::string& first, const std::string& second) {
  const std::string inputs = "x = placeholder : f32[4]@0\nz = placeholder : f32[4]@9\n";
  const std::string tangents = "tangents_1 = placeholder : f32[4]@1\n";
  const std::string to_x = "a = aten.add_.Tensor(x, tangents_1) : f32[4]@0 partitioner_tag=is_backward\n";
  const std::string to_z = "b = aten.mul_.Tensor(z, tangents_1) : f32[4]@9 partitioner_tag=is_backward\n";
  const std::string to_x_again = "c = aten.mul_.Tensor(x, tangents_1) : f32[4]@0 partitioner_tag=is_backward\n";
  const std::map<std::string, std::string> calls = {{"x", to_x}, {"z", to_z}, {"x again", to_x_again}};
  const std::string end = "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\nreturn ";
  const std::string forward = "y = aten.sin.default(x) : f32[4]@2\n";
  return wrong(inputs + tangents + forward + to_x + (first == "z" || second == "z" ? to_z : to_x_again) + end + "y | g",
               inputs + forward + "return y, y, x, z",
               "y = placeholder : f32[4]@2\n" + inputs + tangents + calls.at(first) + calls.at(second) + end + "g");
}

TEST(VerifySides, MayWriteToDifferentMemoryInAnotherOrder) {
  EXPECT_EQ(writes_in_order("x", "z"), "");
  EXPECT_EQ(writes_in_order("z", "x"), "");
  EXPECT_EQ(writes_in_order("x", "x again"), "");
  EXPECT_NE(writes_in_order("x again", "x"), "");
}

TEST(VerifySides, MayLoseWritesThatNobodyNotices) {
  const Step lost = {
      "m = aten.exp.default(x) : f32[4]@5\ny = aten.sin.default(x) : f32[4]@2\nw = aten.add_.Tensor(m, x) : f32[4]@5\n",
      "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\n"};
  EXPECT_EQ(lost.wrong_with(kPlain.forward_text(), kPlain.backward_text()), "");
  EXPECT_EQ(kPlain.wrong_with(lost.forward_text(), lost.backward_text()), "") << "nor does anybody notice an additional one";
  const Step of_input = {
      "m = aten.exp.default(x) : f32[4]@5\ny = aten.sin.default(x) : f32[4]@2\nw = aten.add_.Tensor(x, m) : f32[4]@0\n",
      kPlain.backward};
  EXPECT_NE(of_input.wrong_with(kPlain.forward_text(), kPlain.backward_text()), "");
  EXPECT_NE(kPlain.wrong_with(of_input.forward_text(), of_input.backward_text()), "");
}

TEST(VerifySides, HaveEachOrderedEffectOnce) {
  const Step step = {
      "e = higher_order.with_effects(x, op(my.log.default), x) : tuple(f32[4]@4, f32[4]@5)\ny = operator.getitem(e, 1) : "
      "f32[4]@5\n",
      "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\n"};
  EXPECT_EQ(step.wrong_with(step.forward_text(), step.backward_text()), "");
  Step again = step;
  again.saved = "x";
  again.backward = step.forward + step.backward;
  EXPECT_EQ(step.wrong_with(again.forward_text(), again.backward_text()), "backward: e\n"
            "  expected no such call, or one less\n"
            "  found    e = higher_order.with_effects(x, op(my.log.default), x)\n"
            "1 mismatch\n");
}

TEST(VerifySides, SayOfTheirValuesWhatTheJointGraphSays) {
  std::string backward = kPlain.backward_text();
  const auto replace = [&](std::string_view from, std::string_view to) {
    backward.replace(backward.find(from), from.size(), to);
  };
  replace("y = placeholder : f32[4]", "y = placeholder : f16[4]");
  replace("y) : f32[4]@3", "y) : f32[2, 2]@3");
  EXPECT_EQ(kPlain.wrong_with(kPlain.forward_text(), backward),
            "backward: y, its value\n"
            "  expected float32 [4]\n"
            "  found    float16 [4]\n"
            "backward: g, its value\n"
            "  expected float32 [4]\n"
            "  found    float32 [2, 2]\n"
            "2 mismatches\n");
}

TEST(VerifySides, MayMergeEqualCalls) {
  const std::string joint =
      "x = placeholder\ntangents_1 = placeholder\ny = aten.sin.default(x)\nz = aten.sin.default(x)\n"
      "w = aten.add.Tensor(y, z)\ng = aten.mul.Tensor(tangents_1, z)\nreturn w | g";
  const std::string forward = "x = placeholder\ny = aten.sin.default(x)\nw = aten.add.Tensor(y, y)\nreturn w, y";
  const std::string backward =
      "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(wrong(joint, forward, backward), "");
}

TEST(VerifySides, DifferencesNameTheNodeAndBothCalls) {
  EXPECT_EQ(
      kPlain.wrong_with(kPlain.forward_text(),
                        "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(y, tangents_1)\nreturn g"),
      "backward: gradient 0 (g)\n"
      "  expected g = aten.mul.Tensor(tangents_1, y)\n"
      "  found    g = aten.mul.Tensor(y, tangents_1)\n"
      "1 mismatch\n");
}

TEST(VerifySides, OneCauseIsReportedOnceForAllItsDependents) {
  const std::string joint =
      "x = placeholder\ntangents_1 = placeholder\ny = aten.sin.default(x)\nz = aten.exp.default(y)\n"
      "w = aten.neg.default(y)\ng = aten.mul.Tensor(tangents_1, y)\nreturn z, w | g";
  const std::string forward =
      "x = placeholder\ny = aten.cos.default(x)\nz = aten.exp.default(y)\nw = aten.neg.default(y)\nreturn z, w, y";
  const std::string backward =
      "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(wrong(joint, forward, backward),
            "forward: y, of output 0 (z) and 2 more\n"
            "  expected y = aten.sin.default(x)\n"
            "  found    y = aten.cos.default(x)\n"
            "1 mismatch\n");
}

TEST(VerifySides, NeedAnOutputForEachInput) {
  EXPECT_EQ(kPlain.wrong_with("x = placeholder\ny = aten.sin.default(x)\nreturn y, x", kPlain.backward_text()),
            "backward: y\n"
            "  expected an output of the forward, a tangent or a state of the step\n"
            "  found    input 0, which has no source\n"
            "forward: x\n"
            "  expected an input of the backward that reads it\n"
            "  found    output 1, which has no reader\n"
            "backward: y, of gradient 0 (g)\n"
            "  expected y = aten.sin.default(x)\n"
            "  found    input without source y\n"
            "3 mismatches\n");
}

TEST(VerifySides, TakeTheStepsInputsInTheirOrder) {
  const std::string joint =
      "x = placeholder\nz = placeholder\ntangents_1 = placeholder\ny = aten.mul.Tensor(x, z)\n"
      "g = aten.mul.Tensor(tangents_1, z)\nreturn y | g";
  const std::string backward =
      "z = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, z)\nreturn g";
  EXPECT_EQ(wrong(joint, "z = placeholder\nx = placeholder\ny = aten.mul.Tensor(x, z)\nreturn y, z", backward),
            "forward: input 0 of the step's own\n"
            "  expected x\n"
            "  found    z\n"
            "1 mismatch\n");
}

// Values that PyTorch's runtime hands on by position.

const std::string kTwoJoint =
    "s0 = placeholder : symint(s0=4)\nx = placeholder : f32[s0=4]\ntangents_1 = placeholder : f32[s0=4]\n"
    "y = aten.sin.default(x) : f32[s0=4]\nz = aten.cos.default(x) : f32[s0=4]\n"
    "g = my.grad.default(tangents_1, y, z, s0) : f32[s0=4]\nreturn y | g";

// The names of what the forward returns for the backward, and of the backward's placeholders.
std::string wrong_in_order(const std::string& returned, const std::vector<std::string>& taken) {
  std::string backward;
  for (const std::string& name : taken) backward += name + " = placeholder\n";
  return wrong(kTwoJoint,
               "s0 = placeholder\nx = placeholder\ny = aten.sin.default(x)\nz = aten.cos.default(x)\nreturn y, " +
                   returned,
               backward + "g = my.grad.default(tangents_1, y, z, s0)\nreturn g");
}

TEST(VerifyPositions, FitTheRuntimeWhichHandsOverSymbolsFirst) {
  EXPECT_EQ(wrong_in_order("y, z, s0", {"s0", "y", "z", "tangents_1"}), "");
  EXPECT_EQ(wrong_in_order("z, y, s0", {"s0", "z", "y", "tangents_1"}), "");
}

TEST(VerifyPositions, AreNamedWhereTheyAreExchanged) {
  EXPECT_EQ(wrong_in_order("z, y, s0", {"s0", "y", "z", "tangents_1"}),
            "backward: input 1, and 1 more\n"
            "  expected 'z', output 1, by its position\n"
            "  found    'y', output 2, by its name\n"
            "1 mismatch\n");
  EXPECT_EQ(wrong_in_order("y, z, s0", {"y", "z", "s0", "tangents_1"}),
            "backward: input 0, and 2 more\n"
            "  expected 's0', output 3, by its position\n"
            "  found    'y', output 1, by its name\n"
            "1 mismatch\n");
}

TEST(VerifyPositions, PutTheGradientsBehindWhatIsSaved) {
  EXPECT_EQ(wrong_in_order("y, z, s0", {"s0", "y", "tangents_1", "z"}),
            "backward: input 2\n"
            "  expected 'z', output 2, by its position\n"
            "  found    'tangents_1', which the forward does not return\n"
            "1 mismatch\n");
}

TEST(VerifyPositions, PutSymbolsBehindTheForwardsOtherOutputs) {
  EXPECT_EQ(wrong_in_order("y, s0, z", {"s0", "y", "z", "tangents_1"}),
            "forward: the order of its outputs for the backward\n"
            "  expected values, then symbolic numbers\n"
            "  found    's0', output 2, a symbolic number, before 'z', output 3\n"
            "1 mismatch\n");
}

// Random operators.

const std::string kDraw = "aten.rand_like.default(x)";
const Step kRandom = {"y = " + kDraw + " : f32[4]@2\n", "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\n"};
const std::string kSavesState =
    "x = placeholder : f32[4]@0\nboth = higher_order.run_and_save_rng_state(op(aten.rand_like.default), x)\n"
    "state = operator.getitem(both, 0)\nfirst = operator.getitem(both, 1)\nreturn first, x, state";
const std::string kInputsOfRandomBackward =
    "x = placeholder\nrng_state_output_0 = placeholder\ntangents_1 = placeholder\n";

TEST(VerifyDraws, AreTheSameUnderTheSavedState) {
  EXPECT_EQ(kRandom.wrong_with(kSavesState, kInputsOfRandomBackward +
                                                "y = higher_order.run_with_rng_state(rng_state_output_0, "
                                                "op(aten.rand_like.default), x)\n"
                                                "g = aten.mul.Tensor(tangents_1, y)\nreturn g"),
            "");
}

TEST(VerifyDraws, AreOthersWithoutIt) {
  EXPECT_EQ(kRandom.wrong_with("x = placeholder : f32[4]@0\ny = " + kDraw + "\nreturn y, x",
                               "x = placeholder\ntangents_1 = placeholder\ny = " + kDraw +
                                   "\ng = aten.mul.Tensor(tangents_1, y)\nreturn g"),
            "draw: y\n"
            "  expected the random numbers of the joint graph, each drawn once\n"
            "  found    aten.rand_like.default(x), which draws new random numbers\n"
            "backward: y, of gradient 0 (g)\n"
            "  expected y = draw 0 of aten.rand_like.default(x)\n"
            "  found    y = extra draw 1 of aten.rand_like.default(x)\n"
            "2 mismatches\n");
}

TEST(VerifyDraws, EqualCallsDrawTwice) {
  const std::string joint = "x = placeholder\ntangents_1 = placeholder\na = " + kDraw + "\nb = " + kDraw +
                            "\nc = aten.sub.Tensor(a, b)\ng = aten.mul.Tensor(tangents_1, b)\nreturn c | g";
  const std::string backward =
      "b = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, b)\nreturn g";
  EXPECT_EQ(
      wrong(joint, "x = placeholder\na = " + kDraw + "\nb = " + kDraw + "\nc = aten.sub.Tensor(a, b)\nreturn c, b",
            backward),
      "");
  EXPECT_NE(wrong(joint, "x = placeholder\nb = " + kDraw + "\nc = aten.sub.Tensor(b, b)\nreturn c, b", backward), "");
}

TEST(VerifyDraws, AreTheSameUnderGeneratorsOfOneNumber) {
  const std::string forward =
      "x = placeholder : f32[4]@0\nfwd_rng_state_0 = placeholder\ny = higher_order.graphsafe_run_with_rng_state("
      "op(aten.rand_like.default), x, rng_state=fwd_rng_state_0)\nreturn y, x";
  const auto backward = [](const std::string& generator) {
    return "x = placeholder\ntangents_1 = placeholder\n" + generator +
           " = placeholder\ny = higher_order.graphsafe_run_with_rng_state(op(aten.rand_like.default), x, rng_state=" +
           generator + ")\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  };
  EXPECT_EQ(kRandom.wrong_with(forward, backward("bwd_rng_state_0")), "");
  EXPECT_NE(kRandom.wrong_with(forward, backward("bwd_rng_state_1")), "");
}

// Writes.

const Step kWrite = {
    "y = aten.sin.default(x) : f32[4]@2\nw = aten.copy_.default(x, y) : f32[4]@0 partitioner_tag=must_be_in_forward\n",
    "g = aten.mul.Tensor(tangents_1, y) : f32[4]@3\n"};

TEST(VerifyWrites, HappenOnce) {
  EXPECT_EQ(kWrite.wrong_with(kWrite.forward_text(), kWrite.backward_text()), "");
  EXPECT_EQ(
      kWrite.wrong_with("x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nreturn y, y", kWrite.backward_text())
          .substr(0, 11),
      "forward: w\n");
  EXPECT_NE(kWrite.wrong_with("x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nw = aten.copy_.default(x, y)\n"
                              "v = aten.copy_.default(x, y)\nreturn y, y",
                              kWrite.backward_text()),
            "");
}

TEST(VerifyWrites, HappenOnTheirSide) {
  const std::string forward = "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nreturn y, y, x";
  const std::string backward =
      "y = placeholder\nx = placeholder\ntangents_1 = placeholder\nw = aten.copy_.default(x, y)\n"
      "g = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(kWrite.wrong_with(forward, backward),
            "backward: w\n  expected to run in the forward\n  found    it runs here\n1 mismatch\n");
}

TEST(VerifyWrites, AreSeenByWhatReadsLater) {
  // The backward computes y again, from an input that the forward has written to.
  EXPECT_EQ(kWrite.wrong_with("x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nw = aten.copy_.default(x, y)\n"
                              "return y, x",
                              "x = placeholder\ntangents_1 = placeholder\ny = aten.sin.default(x)\n"
                              "g = aten.mul.Tensor(tangents_1, y)\nreturn g"),
            "backward: y, of gradient 0 (g)\n"
            "  expected y = aten.sin.default(x)\n"
            "  found    y = aten.sin.default(x after a write to it)\n"
            "1 mismatch\n");
}

TEST(VerifyWrites, WritingBackTheSameMayBeReordered) {
  const std::string inputs = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string clone = "y = aten.clone.default(x) : f32[4]{1}@2\n";
  const std::string back = "back = aten.copy_.default(x, y) : f32[4]{1}@0 partitioner_tag=is_backward\n";
  const std::string add = "add = aten.add_.Tensor(x, y) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string saved = "x = placeholder : f32[4]{1}@0\ny = placeholder : f32[4]{1}@2\n";
  EXPECT_EQ(wrong(inputs + tangent + clone + back + gradient + "return y | g", inputs + clone + "return y, x, y",
                  saved + tangent + back + gradient + "return g"),
            "");
  EXPECT_NE(wrong(inputs + tangent + clone + back + add + gradient + "return y | g", inputs + clone + add + "return y, x, y",
                  saved + tangent + back + gradient + "return g"),
            "");
}

// `y` only provides memory: it may be made from something else, but must not be read before it is overwritten.
TEST(VerifyWrites, WholeWritesToAnUnreadResultMayFindAnything) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string made = "y = aten.sin.default(x) : f32[4]{1}@2\n";
  const std::string add = "add = aten.add_.Tensor(x, x) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string write = "write = aten.copy_.default(y, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string joint = input + tangent + made + add + write + gradient + "return add | g";
  const std::string forward = input + add + "return add, x";
  EXPECT_EQ(wrong(joint, forward, input + tangent + made + write + gradient + "return g"), "");
  EXPECT_NE(wrong(joint, forward, input + tangent + made + gradient + write + "return g"), "");
}

// Its inputs may be made from something else, too, but have to have the same form.
TEST(VerifyWrites, WholeWritesToAnUnreadResultMayFindAnyOriginOfItsForm) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string source = "c = aten.cos.default(x) : f32[4]{1}@4\n", made = "y = aten.sin.default(c) : f32[4]{1}@2\n";
  const std::string add = "add = aten.add_.Tensor(x, x) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string write = "write = aten.copy_.default(y, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string joint = input + tangent + source + made + add + write + gradient + "return add | g";
  const auto wrong_from = [&](const std::string& from) {
    return wrong(joint, input + add + "return add, x", input + tangent + from + made + write + gradient + "return g");
  };
  EXPECT_EQ(wrong_from(source), "");
  EXPECT_NE(wrong_from("c = aten.cos.default(x) : f32[2]{1}@4\n"), "");
}

// `c` may be made again where `back` has brought back what `other` has overwritten, but neither before it nor without it.
TEST(VerifyWrites, MayBringBackWhatWasThere) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string clone = "c = aten.clone.default(x) : f32[4]{1}@2\n", sin = "y = aten.sin.default(x) : f32[4]{1}@3\n";
  const std::string other = "other = aten.copy_.default(x, y) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string back = "back = aten.copy_.default(x, c) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, c) : f32[4]{1}@4\n";
  const std::string joint = input + tangent + clone + sin + other + back + gradient + "return y | g";
  const std::string backward = input + tangent + clone + gradient + "return g";
  EXPECT_EQ(wrong(joint, input + clone + sin + other + back + "return y, x", backward), "");
  EXPECT_NE(wrong(joint, input + clone + sin + other + "return y, x", backward), "");
  EXPECT_NE(wrong(joint, input + clone + sin + back + other + "return y, x", backward), "");
  EXPECT_NE(wrong(joint, input + clone + sin + other + "return y, x, c",
                  input + "c = placeholder : f32[4]{1}@2\n" + tangent + back + gradient + "return g"),
            "");
}

// A side that has made one call of two equal ones reads it where the joint graph reads the other.
TEST(VerifyWrites, ToAllOfAResultThatNobodyHasReadDoNotHideItsEqual) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string made = "y = aten.sin.default(x) : f32[4]{1}@2\n", equal = "z = aten.sin.default(x) : f32[4]{1}@5\n";
  const std::string cos = "c = aten.cos.default(x) : f32[4]{1}@4\n";
  const std::string write = "write = aten.copy_.default(y, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const auto gradient = [](const std::string& factor) {
    return "g = aten.mul.Tensor(tangents_1, " + factor + ") : f32[4]{1}@3\n";
  };
  const std::string joint = input + tangent + made + equal + cos + write + gradient("z") + "return c | g";
  const auto wrong_with = [&](const std::string& backward) {
    return wrong(joint, input + cos + "return c, x", input + tangent + made + backward + "return g");
  };
  EXPECT_EQ(wrong_with(gradient("y") + write), "");
  EXPECT_NE(wrong_with(write + gradient("y")), "");
}

// If two equal calls were merged, a copy of one to the other is a copy to itself.
TEST(VerifyWrites, AMergedCallWritesNothingToItsEqual) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string made = "y = aten.sin.default(x) : f32[4]{1}@2\n", equal = "z = aten.sin.default(x) : f32[4]{1}@5\n";
  const auto write = [](const std::string& from) {
    return "write = aten.copy_.default(y, " + from + ") : f32[4]{1}@2 partitioner_tag=is_forward\n";
  };
  const std::string more = "more = aten.mul_.Tensor(y, x) : f32[4]{1}@2 partitioner_tag=is_forward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string forward = input + made + write("y") + more + "return y, y";
  const std::string backward = "y = placeholder : f32[4]{1}@2\n" + tangent + gradient + "return g";
  const auto wrong_for = [&](const std::string& source) {
    return wrong(input + tangent + made + source + write("z") + more + gradient + "return y | g", forward, backward);
  };
  EXPECT_EQ(wrong_for(equal), "");
  EXPECT_NE(wrong_for("z = aten.cos.default(x) : f32[4]{1}@5\n"), "");
}

// The other of two equal calls is on no side, since it is not needed.
TEST(VerifyWrites, WholeWritesToAnUnreadResultMayHaveAnUnneededEqual) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string made = "y = aten.sin.default(x) : f32[4]{1}@2\n", equal = "z = aten.sin.default(x) : f32[4]{1}@5\n";
  const std::string write = "write = aten.copy_.default(y, x) : f32[4]{1}@2 partitioner_tag=is_forward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  EXPECT_EQ(wrong(input + tangent + equal + made + write + gradient + "return y | g", input + made + write + "return y, y",
                  "y = placeholder : f32[4]{1}@2\n" + tangent + gradient + "return g"),
            "");
}

// Nor which random numbers it finds.
TEST(VerifyWrites, ToAllOfADrawThatNobodyHasReadMayFindAnything) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string drawn = "y = aten.bernoulli.p(x, 0.5) : f32[4]{1}@2\n";
  const std::string add = "add = aten.add_.Tensor(x, x) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string write = "write = aten.copy_.default(y, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string joint = input + tangent + drawn + add + write + gradient + "return add | g";
  const std::string forward = input + add + "return add, x", drawn_first = input + drawn + add + "return add, x";
  EXPECT_EQ(wrong(joint, forward, input + tangent + drawn + write + gradient + "return g"), "");
  EXPECT_EQ(wrong(joint, drawn_first, input + tangent + drawn + write + gradient + "return g"), "");
  EXPECT_NE(wrong(joint, forward, input + tangent + drawn + gradient + write + "return g"), "");
}

// Nor what the backward draws again, though the forward reads what it has drawn itself.
TEST(VerifyWrites, ToAllOfADrawOfTheBackwardThatItHasNotReadMayFindAnything) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string drawn = "y = aten.bernoulli.p(x, 0.5) : f32[4]{1}@2\n", read = "s = aten.sin.default(y) : f32[4]{1}@4\n";
  const std::string view = "v = aten.view.default(y, [4]) : f32[4]{1}@2\n";
  const std::string write = "write = aten.copy_.default(v, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, v) : f32[4]{1}@3\n";
  const std::string joint = input + tangent + drawn + read + view + write + gradient + "return s | g";
  const std::string forward = input + drawn + read + "return s, x";
  EXPECT_EQ(wrong(joint, forward, input + tangent + drawn + view + write + gradient + "return g"), "");
  EXPECT_NE(wrong(joint, forward, input + tangent + drawn + view + gradient + write + "return g"), "");
  EXPECT_NE(wrong(joint, forward, input + tangent + drawn + "c = aten.cos.default(y) : f32[4]{1}@5\n" + view + write +
                                      "g = aten.mul.Tensor(c, v) : f32[4]{1}@3\nreturn g"), "");
}

// The same under a saved state, of an operand that has changed since.
TEST(VerifyWrites, ToAllOfADrawUnderTheSavedStateThatNobodyHasReadMayFindAnything) {
  const std::string input = "x = placeholder : f32[4]{1}@0\n", tangent = "tangents_1 = placeholder : f32[4]{1}@1\n";
  const std::string read = "s = aten.sin.default(y) : f32[4]{1}@4\n";
  const std::string add = "add = aten.add_.Tensor(x, x) : f32[4]{1}@0 partitioner_tag=is_forward\n";
  const std::string write = "write = aten.copy_.default(y, tangents_1) : f32[4]{1}@2 partitioner_tag=is_backward\n";
  const std::string gradient = "g = aten.mul.Tensor(tangents_1, y) : f32[4]{1}@3\n";
  const std::string drawn = "y = aten.bernoulli.p(x, 0.5) : f32[4]{1}@2\n";
  const std::string joint = input + tangent + drawn + read + add + write + gradient + "return s | g";
  const std::string forward = input + "both = higher_order.run_and_save_rng_state(op(aten.bernoulli.p), x, 0.5)\n"
                              "state = operator.getitem(both, 0)\ny = operator.getitem(both, 1) : f32[4]{1}@2\n" +
                              read + add + "return s, x, state";
  const std::string again =
      input + "rng_state_output_0 = placeholder\n" + tangent +
      "y = higher_order.run_with_rng_state(rng_state_output_0, op(aten.bernoulli.p), x, 0.5) : f32[4]{1}@2\n";
  EXPECT_EQ(wrong(joint, forward, again + write + gradient + "return g"), "");
  EXPECT_NE(wrong(joint, forward, again + gradient + write + "return g"), "");
}

// Copies to the host.

const Step kOnDevice = {"y = aten.sin.default(x) : f32[4] on cuda:0\n", "g = aten.mul.Tensor(tangents_1, y)\n"};

// The mismatch if the forward overwrites the running mean of a batch norm and the backward recomputes the batch norm.
std::string wrong_batch_norm(std::string_view training, const std::string& gradient) {
  const std::string inputs = "x = placeholder : f32[4]@0\nmean = placeholder : f32[4]@9\n";
  const std::string tangent = "tangents_1 = placeholder : f32[4]@1\n";
  const std::string norm = fmt::format(
      "norm = aten._native_batch_norm_legit_functional.default(x, None, None, mean, mean, {}, 0.1, 1e-05)\n"
      "y = operator.getitem(norm, 0) : f32[4]@2\nnew = operator.getitem(norm, 3) : f32[4]@3\n",
      training);
  const std::string write = "written = aten.copy_.default(mean, new) : f32[4]@9 partitioner_tag=is_forward\n";
  return wrong(inputs + tangent + norm + write + gradient + "return y, written | g, None",
               inputs + norm + write + "return y, written, x, mean", inputs + tangent + norm + gradient + "return g, None");
}

TEST(VerifyWrites, ToRunningStatisticsAreNoMatterToTheNormalisedValue) {
  const std::string of_output = "g = aten.mul.Tensor(tangents_1, y) : f32[4]@4\n";
  EXPECT_EQ(wrong_batch_norm("True", of_output), "");
  EXPECT_NE(wrong_batch_norm("False", of_output), "");
  EXPECT_NE(wrong_batch_norm("True", "g = aten.mul.Tensor(tangents_1, new) : f32[4]@4\n"), "");
  const std::string of_backward =
      "b = aten.native_batch_norm_backward.default(tangents_1, x, None, new, new, y, y, {}, 1e-05, [True, False, False])\n"
      "g = operator.getitem(b, 0) : f32[4]@4\n";
  EXPECT_EQ(wrong_batch_norm("True", fmt::format(fmt::runtime(of_backward), "True")), "");
  EXPECT_NE(wrong_batch_norm("True", fmt::format(fmt::runtime(of_backward), "False")), "");
}

TEST(VerifyCopies, BringTheValueBack) {
  const std::string forward =
      "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nh = prims.device_put.default(y, device(cpu), "
      "non_blocking=True)\nreturn y, h";
  const auto backward = [](const std::string& back) {
    return "h = placeholder\ntangents_1 = placeholder\n" + back + "g = aten.mul.Tensor(tangents_1, y)\nreturn g";
  };
  EXPECT_EQ(
      kOnDevice.wrong_with(forward, backward("y = prims.device_put.default(h, device(cuda:0), non_blocking=True)\n")),
      "");
  EXPECT_NE(
      kOnDevice.wrong_with(forward, backward("y = prims.device_put.default(h, device(cuda:1), non_blocking=True)\n")),
      "");
  EXPECT_NE(kOnDevice.wrong_with(forward,
                                 "h = placeholder\ntangents_1 = placeholder\n"
                                 "g = aten.mul.Tensor(tangents_1, h)\nreturn g"),
            "");
}

TEST(VerifyCopies, OnTheirOwnStreamAreWaitedFor) {
  const std::string forward =
      "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\ns = ao.offload.default(y)\n"
      "h = ao.wait_tensor.default(s, y)\nreturn y, h";
  const std::string start =
      "h = placeholder\ntangents_1 = placeholder\ns = ao.reload.default(h, device(cuda:0), [4], [1])\n";
  EXPECT_EQ(kOnDevice.wrong_with(forward, start + "y = ao.wait_tensor.default(s, h)\n"
                                                  "g = aten.mul.Tensor(tangents_1, y)\nreturn g"),
            "");
  EXPECT_NE(kOnDevice.wrong_with(forward, start + "g = aten.mul.Tensor(tangents_1, s)\nreturn g"), "");
}

// The base is copied after a write through one view, and read through another.
const Step kWrittenThroughAView = {
    "y = aten.sin.default(x) : f32[4]@2 on cuda:0\nv = aten.view.default(y, [4]) : f32[4]@2 on cuda:0\n"
    "w = aten.add_.Tensor(v, x) : f32[4]@2 on cuda:0 partitioner_tag=is_forward\n",
    "u = aten.alias.default(y) : f32[4]@2 on cuda:0\ng = aten.mul.Tensor(tangents_1, u) : f32[4]@3 on cuda:0\n"};

TEST(VerifyCopies, BringBackWhatWasWrittenThroughViews) {
  const std::string to_host = "h = prims.device_put.default(y, device(cpu), non_blocking=True)\n";
  const auto forward = [&](const std::string& early, const std::string& late) {
    return "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\nv = aten.view.default(y, [4])\n" + early +
           "w = aten.add_.Tensor(v, x)\n" + late + "return y, h";
  };
  const std::string backward =
      "h = placeholder\ntangents_1 = placeholder\ny = prims.device_put.default(h, device(cuda:0), non_blocking=True)\n"
      "u = aten.alias.default(y)\ng = aten.mul.Tensor(tangents_1, u)\nreturn g";
  EXPECT_EQ(kWrittenThroughAView.wrong_with(forward("", to_host), backward), "");
  EXPECT_NE(kWrittenThroughAView.wrong_with(forward(to_host, ""), backward), "");
}

// The copy's source is written to before the copy has ended; its result goes to memory that is never read.
TEST(VerifyCopies, MayBeOvertakenByAnUnobservableWrite) {
  const auto joint = [](const std::string& factor) {
    return Step{"y = aten.sin.default(x) : f32[4]@2 on cuda:0\nr = aten.cos.default(y) : f32[4]@4 on cuda:0\n"
                "w = aten.add_.Tensor(y, x) : f32[4]@2 on cuda:0 partitioner_tag=is_forward\n",
                "u = aten.add_.Tensor(r, tangents_1) : f32[4]@4 on cuda:0 partitioner_tag=is_backward\n"
                "g = aten.mul.Tensor(tangents_1, " + factor + ") : f32[4]@3 on cuda:0\n", "h", "x"};
  };
  const std::string forward =
      "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\ns = ao.offload.default(y)\nw = aten.add_.Tensor(y, x)\n"
      "h = ao.wait_tensor.default(s, y)\nreturn x, h";
  const auto backward = [](const std::string& factor) {
    return "h = placeholder\ntangents_1 = placeholder\nb = ao.reload.default(h, device(cuda:0), [4], [1])\n"
           "y = ao.wait_tensor.default(b, h)\nr = aten.cos.default(y)\nu = aten.add_.Tensor(r, tangents_1)\n"
           "g = aten.mul.Tensor(tangents_1, " + factor + ")\nreturn g";
  };
  EXPECT_EQ(joint("tangents_1").wrong_with(forward, backward("tangents_1")), "");
  EXPECT_NE(joint("r").wrong_with(forward, backward("r")), "");
}

// The caller's memory lacks what the backward writes to a copy of it.
TEST(VerifyCopies, AreNotTheCallersMemory) {
  const Step step = {"y = aten.sin.default(x) : f32[4]@2\n",
                     "w = aten.mul_.Tensor(x, tangents_1) : f32[4]@0 partitioner_tag=is_backward\n"
                     "g = aten.mul.Tensor(tangents_1, w) : f32[4]@3\n",
                     "x"};
  EXPECT_EQ(step.wrong_with(step.forward_text(), step.backward_text()), "");
  const std::string forward =
      "x = placeholder : f32[4]@0\ny = aten.sin.default(x)\n"
      "h = prims.device_put.default(x, device(cpu), non_blocking=True)\nreturn y, h";
  const std::string backward =
      "h = placeholder\ntangents_1 = placeholder\nb = prims.device_put.default(h, device(cpu), non_blocking=True)\n"
      "w = aten.mul_.Tensor(b, tangents_1)\ng = aten.mul.Tensor(tangents_1, w)\nreturn g";
  EXPECT_NE(step.wrong_with(forward, backward).find("memory of the caller: x"), std::string::npos);
}

// Equal calls have a memory each, of which one is written to.
TEST(VerifySides, KeepTheMemoryOfEqualCallsApart) {
  const Step step = {
      "y = aten.sin.default(x) : f32[4]@2\nz = aten.sin.default(x) : f32[4]@5\n",
      "v = aten.view.default(z, [4]) : f32[4]@5\nw = aten.mul_.Tensor(v, tangents_1) : f32[4]@5 partitioner_tag=is_backward\n"
      "g = aten.mul.Tensor(tangents_1, w) : f32[4]@3\n",
      "z", "z"};
  EXPECT_EQ(step.wrong_with("x = placeholder : f32[4]@0\nz = aten.sin.default(x)\nreturn z, z", step.backward_text()), "");
}

TEST(VerifySides, MayHaveKeywordsInAnotherOrder) {
  const Step step = {"y = aten.sin.default(x, a=1, b=2) : f32[4]@2\n", kPlain.backward};
  EXPECT_EQ(step.wrong_with("x = placeholder : f32[4]@0\ny = aten.sin.default(x, b=2, a=1)\nreturn y, y", step.backward_text()),
            "");
  EXPECT_NE(step.wrong_with("x = placeholder : f32[4]@0\ny = aten.sin.default(x, b=1, a=2)\nreturn y, y", step.backward_text()),
            "");
}

// Other transparent calls.

// A step that computes with a value, or with what came back of one that was sent to the host.
JointGraph sent_and_back(const std::string& sent, const std::string& read) {
  JointGraph step = joint_graph(
      "x = placeholder : f32[4]@0\ny = aten.sin.default(x) : f32[4]@1\nz = aten.cos.default(x) : f32[4]@2\n"
      "there = ao.offload.default(" + sent + ") : f32[4]@3\nsent = ao.wait_tensor.default(there, " + sent + ") : f32[4]@3\n"
      "coming = ao.reload.default(sent, device(cpu)) : f32[4]@4\nback = ao.wait_tensor.default(coming) : f32[4]@4\n"
      "again = aten.tanh.default(" + read + ") : f32[4]@5\nreturn again");
  step.step = std::make_shared<WholeStep>(WholeStep{step.graph, {}, false});
  return step;
}

TEST(VerifyCopies, AStepsCopiesStandForTheirSources) {
  const JointGraph step = sent_and_back("y", "y");
  EXPECT_EQ(verification_text(verify_step(step, sent_and_back("y", "back"))).substr(0, 9), "verified:");
  EXPECT_NE(verification_text(verify_step(step, sent_and_back("z", "back"))).substr(0, 9), "verified:");
  EXPECT_NE(verification_text(verify_step(step, sent_and_back("y", "coming"))).substr(0, 9), "verified:");
}

// A copy to the host and back, by the graph itself: of `value`, as `back`.
std::string round_trip(const std::string& value, const std::string& back) {
  return fmt::format(
      "{1}_there = ao.offload.default({0}) : f32[4]\n{1}_sent = ao.wait_tensor.default({1}_there, {0}) : f32[4]\n"
      "{1}_coming = ao.reload.default({1}_sent, device(cpu)) : f32[4]\n{1} = ao.wait_tensor.default({1}_coming) : f32[4]\n",
      value, back);
}

TEST(VerifyCopies, WaitsForDifferentOnesMayChangePlaces) {
  const std::string forward = "y = aten.sin.default(x) : f32[4]@2\nz = aten.cos.default(x) : f32[4]@3\n";
  const std::string products = "p = aten.mul.Tensor(tangents_1, a) : f32[4]\ng = aten.mul.Tensor(p, b) : f32[4]\nreturn ";
  const std::string joint = "x = placeholder : f32[4]@0\ntangents_1 = placeholder : f32[4]@1\n" + forward + round_trip("y", "a") +
                            round_trip("z", "b") + products + "y | g";
  const auto wrong_with = [&](const std::string& copies) {
    return wrong(
        joint, "x = placeholder : f32[4]@0\n" + forward + "return y, y, z",
        "y = placeholder : f32[4]\nz = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n" + copies + products + "g");
  };
  EXPECT_EQ(wrong_with(round_trip("y", "a") + round_trip("z", "b")), "");
  EXPECT_EQ(wrong_with(round_trip("z", "b") + round_trip("y", "a")), "");
  EXPECT_NE(wrong_with(round_trip("z", "a") + round_trip("y", "b")), "");
  std::string without_wait = round_trip("z", "b") + round_trip("y", "a");
  const std::string_view read = "reload.default(a_sent";
  without_wait.replace(without_wait.find(read), read.size(), "reload.default(a_there");
  EXPECT_NE(wrong_with(without_wait), "");
}

TEST(VerifySeesThrough, BarriersAndNames) {
  const Step named = {"s = aten.sin.default(x)\ny = xla.name_tensor.default(s, \"act\")\n",
                      "g = aten.mul.Tensor(tangents_1, y)\n"};
  const std::string forward =
      "x = placeholder : f32[4]@0\ns = aten.sin.default(x)\ny = xla.name_tensor.default(s, \"act\")\nreturn y, x";
  const auto backward = [](const std::string& item) {
    return "x = placeholder\ntangents_1 = placeholder\nb = xla.optimization_barrier.default([x, tangents_1])\n"
           "i = operator.getitem(b, " +
           item + ")\ny = aten.sin.default(i)\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  };
  EXPECT_EQ(named.wrong_with(forward, backward("0")), "");
  EXPECT_NE(named.wrong_with(forward, backward("1")), "");
}

// A name's result in a storage of its own does not have a later write to what it names.
TEST(VerifySeesThrough, NamesOfWhatIsWrittenToLater) {
  const auto joint = [](const std::string& storage) {
    return "x = placeholder : f32[4]@0\ntangents_1 = placeholder : f32[4]@1\n"
           "y = xla.name_tensor.default(x, \"act\") : f32[4]@" +
           storage +
           "\nz = aten.cos.default(y) : f32[4]@5\ng = aten.mul.Tensor(tangents_1, y) : f32[4]@6\n"
           "w = aten.copy_.default(x, z) : f32[4]@0\nreturn z | g";
  };
  const auto forward = [](const std::string& storage) {
    return "x = placeholder : f32[4]@0\ny = xla.name_tensor.default(x, \"act\") : f32[4]@" + storage +
           "\nz = aten.cos.default(y) : f32[4]@5\nw = aten.copy_.default(x, z) : f32[4]@0\nreturn z, y";
  };
  const std::string backward = "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(wrong(joint("2"), forward("2"), backward), "");
  EXPECT_NE(wrong(joint("0"), forward("0"), backward), "") << "a view of what is written to";
}

TEST(VerifySeesThrough, CheckpointedRegions) {
  const std::string body = subgraphs_line({{"body", "a = placeholder\nb = aten.sin.default(a)\nreturn b"}});
  const std::string joint = body +
                            "x = placeholder\ntangents_1 = placeholder\nr = get_attr body\n"
                            "c = higher_order.tag_activation_checkpoint(r, x)\ny = operator.getitem(c, 0)\n"
                            "g = aten.mul.Tensor(tangents_1, y)\nreturn y | g";
  const std::string backward =
      "x = placeholder\ntangents_1 = placeholder\nb = aten.sin.default(x)\n"
      "g = aten.mul.Tensor(tangents_1, b)\nreturn g";
  EXPECT_EQ(wrong(joint, "x = placeholder\nb = aten.sin.default(x)\nreturn b, x", backward), "");
  EXPECT_NE(wrong(joint, "x = placeholder\nb = aten.cos.default(x)\nreturn b, x", backward), "");
}

// The copy_ in the body has the name of one outside that writes nothing.
TEST(VerifySeesThrough, BodiesWhoseNodesHaveTheNamesOfIdleCopies) {
  const std::string joint = subgraphs_line({{"body", "a = placeholder : f32[4]{1}@0\nb = aten.sin.default(a) : f32[4]{1}@2\n"
                                                     "w = aten.copy_.default(a, b) : f32[4]{1}@0\nreturn b"}}) +
                            "x = placeholder : f32[4]{1}@0\ntangents_1 = placeholder : f32[4]{1}@1\n"
                            "w = aten.copy_.default(x, x) : f32[4]{1}@0\nr = get_attr body\n"
                            "c = higher_order.tag_activation_checkpoint(r, x)\ny = operator.getitem(c, 0)\n"
                            "g = aten.mul.Tensor(tangents_1, y)\nreturn y | g";
  const auto forward = [](const std::string& write) {
    return "x = placeholder : f32[4]{1}@0\nw = aten.copy_.default(x, x)\nb = aten.sin.default(x)\n" + write + "return b, b";
  };
  const std::string backward = "b = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, b)\nreturn g";
  EXPECT_EQ(wrong(joint, forward("w_1 = aten.copy_.default(x, b)\n"), backward), "");
  EXPECT_NE(wrong(joint, forward(""), backward), "");
}

// The copy_ in the body leaves what `add` has written to the rest of the memory; that of its name outside leaves nothing.
TEST(VerifySeesThrough, BodiesWhoseNodesHaveTheNamesOfWholeWrites) {
  const std::string joint = subgraphs_line({{"body", "a = placeholder : f32[4]{1}@0\nb = placeholder : f32[2]{1}@5\n"
                                                     "v = aten.slice.Tensor(a, 0, 0, 2) : f32[2]{1}@0\n"
                                                     "w = aten.copy_.default(v, b) : f32[2]{1}@0\nreturn b"}}) +
                            "x = placeholder : f32[4]{1}@0\ns = placeholder : f32[2]{1}@5\n"
                            "tangents_1 = placeholder : f32[4]{1}@1\ny = aten.sin.default(x) : f32[4]{1}@2\n"
                            "w = aten.copy_.default(y, x) : f32[4]{1}@2\n"
                            "add = aten.add_.Tensor(x, x) : f32[4]{1}@0\nr = get_attr body\n"
                            "c = higher_order.tag_activation_checkpoint(r, x, s)\n"
                            "g = aten.mul.Tensor(tangents_1, y)\nreturn y | g";
  const auto forward = [](const std::string& add) {
    return "x = placeholder : f32[4]{1}@0\ns = placeholder : f32[2]{1}@5\ny = aten.sin.default(x) : f32[4]{1}@2\n"
           "w = aten.copy_.default(y, x)\n" + add + "v = aten.slice.Tensor(x, 0, 0, 2) : f32[2]{1}@0\n"
           "w_1 = aten.copy_.default(v, s)\nreturn y, y";
  };
  const std::string backward = "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  EXPECT_EQ(wrong(joint, forward("add = aten.add_.Tensor(x, x)\n"), backward), "");
  EXPECT_NE(wrong(joint, forward(""), backward), "");
}

TEST(VerifySeesThrough, SubgraphsButForWhatTheyCompute) {
  const auto branch = [](const std::string& op) {
    return subgraphs_line({{"body", "a = placeholder\nunused = aten.exp.default(a)\nb = " + op + "(a)\nreturn b"}});
  };
  const auto joint = [&](const std::string& result) {
    return "x = placeholder\ntangents_1 = placeholder\nr = get_attr body\nc = higher_order.cond(True, r, r, [x])\n"
           "y = operator.getitem(c, 0)\ng = aten.mul.Tensor(tangents_1, y)\n" +
           result;
  };
  const std::string forward =
      "x = placeholder\nr = get_attr body\nc = higher_order.cond(True, r, r, [x])\ny = operator.getitem(c, 0)\n"
      "return y, y";
  const std::string backward =
      "y = placeholder\ntangents_1 = placeholder\ng = aten.mul.Tensor(tangents_1, y)\nreturn g";
  const std::string whole = branch("aten.sin.default") + joint("return y | g");
  EXPECT_EQ(wrong(whole, subgraphs_line({{"body", "p = placeholder\nq = aten.sin.default(p)\nreturn q"}}) + forward,
                  backward),
            "");
  EXPECT_NE(wrong(whole, branch("aten.cos.default") + forward, backward), "");
}

TEST(VerifyOutput, SaysWhatHolds) {
  const JointGraph joint = joint_graph(kPlain.joint_text());
  JointGraph forward = joint_graph(kPlain.forward_text());
  forward.num_forward_outputs = 1;
  const Verification found = verify(joint, forward, joint_graph(kPlain.backward_text()));
  EXPECT_EQ(verification_text(found),
            "verified: 1 output and 1 gradient equal the joint graph's; 1 value crosses to the backward\n");
}

}  // namespace
}  // namespace fxcut
