// The values that inductor stores, and those that it computes in the kernels that read them.
#include "inductor/lower.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "programs.h"

namespace fxcut {
namespace {

TEST(Lower, AChainOfPointwiseOperatorsIsOneKernel) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
                          "cos = aten.cos.default(sin) : f32[64, 64]\n"
                          "mm = aten.mm.default(cos, primals_1) : f32[64, 64]\n"
                          "return mm |"),
            "cos [mm]");
}

TEST(Lower, ACheapValueWithTwoReadersIsComputedTwice) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
                          "sum = aten.sum.dim_IntList(sin, [0]) : f32[64]\n"
                          "amax = aten.amax.default(sin, [0]) : f32[64]\n"
                          "return sum, amax |"),
            "sum+amax");
}

constexpr std::string_view kHeavy =
    "primals_1 = placeholder : f32[64, 64]\n"
    "exp = aten.exp.default(primals_1) : f32[64, 64]\n"
    "sum = aten.sum.dim_IntList(exp, [0]) : f32[64]\n"
    "amax = aten.amax.default(exp, [0]) : f32[64]\n"
    "return sum, amax |";

TEST(Lower, AHeavyValueWithTwoReadersIsStoredOnTheCpu) {
  EXPECT_EQ(fused_kernels(kHeavy), "exp sum+amax");
  EXPECT_EQ(fused_kernels(kHeavy, rules_for_gpu()), "sum+amax");
}

TEST(Lower, ExpressionsWithoutReadsAreComputedByEachReader) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "iota = prims.iota.default(64) : f32[64]\n"
                          "log = aten.log.default(iota) : f32[64]\n"
                          "add = aten.add.Tensor(primals_1, log) : f32[64, 64]\n"
                          "mm = aten.mm.default(add, primals_1) : f32[64, 64]\n"
                          "mul = aten.mul.Tensor(mm, log) : f32[64, 64]\n"
                          "return mul |"),
            "add [mm] mul");
}

// `operators` of them, each with a constant of its own, of the sum of two inputs.
std::string chain(std::size_t operators) {
  std::string text =
      "primals_1 = placeholder : f32[64, 64]\n"
      "primals_2 = placeholder : f32[64, 64]\n"
      "mul_0 = aten.mul.Tensor(primals_1, primals_2) : f32[64, 64]\n";
  for (std::size_t i = 1; i <= operators; ++i) {
    const std::string number = std::to_string(i);
    text += "mul_" + number + " = aten.mul.Tensor(mul_" + std::to_string(i - 1) + ", " + number + ".5) : f32[64, 64]\n";
  }
  return text + "sin = aten.sin.default(mul_" + std::to_string(operators) + ") : f32[64, 64]\nreturn sin |";
}

TEST(Lower, ConstantsAreOperators) {
  EXPECT_EQ(fused_kernels(chain(23)), "sin") << "3 and 46 of them before the last";
  EXPECT_EQ(fused_kernels(chain(24)), "(mul_24)+sin") << "51";
}

std::vector<Access> reads_of_last(std::string_view text) {
  const JointGraph joint = joint_graph(text);
  return lower(joint.graph, rules_for_cpu()).program.kernels.back().reads;
}

TEST(Lower, AViewThatIsReturnedIsStoredInItsTurnAndReadFromThere) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 64]\n"
      "iota = prims.iota.default(64) : i64[64]\n"
      "neg = aten.neg.default(iota) : i64[64]\n"
      "view = aten.view.default(neg, [8, 8]) : i64[8, 8]\n"
      "sin = aten.sin.default(view) : f32[8, 8]\n"
      "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
      "return mm, sin, {} |";
  const auto returning = [&](std::string_view what) { return fused_kernels(filled(kText, what)); };
  EXPECT_EQ(returning("view"), "neg+sin [mm]");
  EXPECT_EQ(returning("neg"), "[mm] sin neg") << "what is no view and reads nothing is stored last, and computed twice";
}

TEST(Lower, CopyReadsOnlyTheShapeOfItsDestination) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "primals_2 = placeholder : f32[64]\n"
                          "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
                          "exp = aten.exp.default(mm) : f32[64, 64]\n"
                          "copy = aten.copy.default(exp, primals_2) : f32[64, 64]\n"
                          "sin = aten.sin.default(copy) : f32[64, 64]\n"
                          "return sin |"),
            "[mm] sin");
}

TEST(Lower, FlippedTensorsAreReadBackwards) {
  const std::vector<Access> reads = reads_of_last(
      "primals_1 = placeholder : f32[4, 8]\n"
      "rev = prims.rev.default(primals_1, [1]) : f32[4, 8]\n"
      "return rev |");
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads[0].strides, (Extents{8, -1}));
  EXPECT_EQ(reads[0].place, 7U);
}

TEST(Lower, EachLoadCounts) {
  const std::vector<Access> reads = reads_of_last(
      "primals_1 = placeholder : f32[4, 8]\n"
      "mul = aten.mul.Tensor(primals_1, primals_1) : f32[4, 8]\n"
      "add = aten.add.Tensor(mul, primals_1) : f32[4, 8]\n"
      "sub = aten.sub.Tensor(add, mul) : f32[4, 8]\n"
      "return sub |");
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads[0].times, 5U);
}

TEST(Lower, LoopsAreNotMergedWhereAPositionIsComputedWith) {
  const auto loops = [](std::string_view operand) {
    const JointGraph joint = joint_graph("primals_1 = placeholder : f32[4, 8]\n"
                                         "primals_2 = placeholder : f32[4, 8]\n"
                                         "iota = prims.iota.default(8) : i64[8]\n"
                                         "unsqueeze = aten.unsqueeze.default(iota, 0) : i64[1, 8]\n"
                                         "add = aten.add.Tensor(primals_1, " + std::string(operand) + ") : f32[4, 8]\n"
                                         "return add |");
    return lower(joint.graph, rules_for_cpu()).program.kernels.front().loops->outer;
  };
  EXPECT_EQ(loops("primals_2"), (Extents{32}));
  EXPECT_EQ(loops("unsqueeze"), (Extents{4, 8}));
}

TEST(Lower, LoopsRunAsMostLoadsWalk) {
  // primals_1 is walked in its own order, two others in the transposed one; loaded often enough it decides.
  const auto sizes = [](std::string_view operand) {
    const JointGraph joint = joint_graph("primals_1 = placeholder : f32[4, 8]\n"
                                         "primals_2 = placeholder : f32[8, 4]\n"
                                         "primals_3 = placeholder : f32[8, 4]\n"
                                         "permute = aten.permute.default(primals_2, [1, 0]) : f32[4, 8]{1, 4}\n"
                                         "permute_1 = aten.permute.default(primals_3, [1, 0]) : f32[4, 8]{1, 4}\n"
                                         "mul = aten.mul.Tensor(primals_1, primals_1) : f32[4, 8]\n"
                                         "add = aten.add.Tensor(permute, permute_1) : f32[4, 8]\n"
                                         "sub = aten.sub.Tensor(add, " + std::string(operand) + ") : f32[4, 8]\n"
                                         "sum = aten.sum.dim_IntList(sub, [0, 1]) : f32[]\n"
                                         "return sum |");
    return lower(joint.graph, rules_for_cpu()).program.kernels.front().loops->order;
  };
  EXPECT_EQ(sizes("primals_1"), (LoopOrder{1, 0}));
  EXPECT_EQ(sizes("mul"), (LoopOrder{0, 1}));
}

TEST(Lower, AViewIsNoKernel) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                          "t = aten.t.default(primals_1) : f32[32, 64]{1, 32}@0\n"
                          "mm = aten.mm.default(primals_1, t) : f32[64, 64]\n"
                          "return mm |"),
            "[mm]");
}

TEST(Lower, AReductionOfFewElementsIsAnExpression) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, {}]\n"
      "sum = aten.sum.dim_IntList(primals_1, [1]) : f32[64]\n"
      "sin = aten.sin.default(sum) : f32[64]\n"
      "return sin |";
  const auto with = [&](std::string_view size) { return filled(kText, size); };
  EXPECT_EQ(fused_kernels(with("7")), "sin");
  EXPECT_EQ(fused_kernels(with("8")), "(sum)+sin") << "a kernel of its own, nested with its reader";
}

TEST(Lower, OnTheCpuAReductionToOneNumberIsAKernel) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[4]\n"
      "sum = aten.sum.default(primals_1) : f32[]\n"
      "sin = aten.sin.default(sum) : f32[]\n"
      "return sin |";
  EXPECT_EQ(fused_kernels(kText), "sum sin");
  EXPECT_EQ(fused_kernels(kText, rules_for_gpu()), "sin");
}

TEST(Lower, AVarianceIsAMeanAndThenSquares) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, {}]\n"
      "var_mean = aten.var_mean.correction(primals_1, [1]) : tuple(f32[64], f32[64])\n"
      "getitem = operator.getitem(var_mean, 0) : f32[64]\n"
      "getitem_1 = operator.getitem(var_mean, 1) : f32[64]\n"
      "sqrt = aten.sqrt.default(getitem) : f32[64]\n"
      "return sqrt, getitem_1 |";
  const auto with = [&](std::string_view size) { return fused_kernels(filled(kText, size)); };
  EXPECT_EQ(with("1024"), "(var_mean)+var_mean+(var_mean)+sqrt");
  EXPECT_EQ(with("1025"), "(var_mean)+var_mean+sqrt") << "both in one pass";
}

// The product of the variances of two inputs, scaled by `operators` operators, each with a constant of its own.
std::string scaled_by_variances(std::size_t operators, std::string_view other_size) {
  std::string text =
      "primals_1 = placeholder : f32[64, 64, 1025]\n"
      "primals_2 = placeholder : f32[64, 64, " + std::string(other_size) + "]\n"
      "var = aten.var.correction(primals_1, [2]) : f32[64, 64]\n"
      "var_1 = aten.var.correction(primals_2, [2]) : f32[64, 64]\n"
      "mul_0 = aten.mul.Tensor(var, var_1) : f32[64, 64]\n";
  for (std::size_t i = 1; i <= operators; ++i) {
    const std::string number = std::to_string(i);
    text += "mul_" + number + " = aten.mul.Tensor(mul_" + std::to_string(i - 1) + ", " + number + ".5) : f32[64, 64]\n";
  }
  return text + "sin = aten.sin.default(mul_" + std::to_string(operators) + ") : f32[64, 64]\nreturn sin |";
}

TEST(Lower, VariancesOfAsManyElementsShareTheirDivisor) {
  const auto with = [](std::string_view size) { return fused_kernels(scaled_by_variances(10, size), rules_for_gpu()); };
  EXPECT_EQ(with("1025"), "var+(var)+var_1+(var_1)+sin") << "30 operators";
  EXPECT_EQ(with("1026"), "var+var var_1+(var_1)+(mul_9)+sin") << "33, and 31 of them before the last two";
}

TEST(Lower, TheSumBehindAMeanIsStored) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                          "mean = aten.mean.dim(primals_1, [1]) : f32[64]\n"
                          "mm = aten.mm.default(mean, mean) : f32[64]\n"
                          "return mm |"),
            "(mean)+mean [mm]");
}

TEST(Lower, RandomNumbersAreStoredWhoeverReadsThem) {
  EXPECT_EQ(fused_kernels("seeds = prims.inductor_seeds.default(1, device(cpu)) : i64[1]\n"
                          "seed = prims.inductor_lookup_seed.default(seeds, 0) : i64[]\n"
                          "random = prims.inductor_random.default([64], seed, \"rand\") : f32[64]\n"
                          "gt = aten.gt.Scalar(random, 0.5) : bool[64]\n"
                          "return gt |"),
            "[seeds] (random)+gt");
}

TEST(Lower, ASumWithAProductIsOneCallOnTheCpu) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 64]\n"
      "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
      "add = aten.add.Tensor(mm, primals_1) : f32[64, 64]\n"
      "sin = aten.sin.default(add) : f32[64, 64]\n"
      "return sin |";
  EXPECT_EQ(fused_kernels(kText), "[add] sin");
  EXPECT_EQ(fused_kernels(kText, rules_for_gpu()), "[mm] sin") << "all its readers are pointwise";
}

TEST(Lower, AProductWithAnotherReaderStays) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
                          "add = aten.add.Tensor(mm, primals_1) : f32[64, 64]\n"
                          "return add, mm |"),
            "[mm] add");
}

TEST(Lower, AViewOfSeveralReadersIsStoredAsAProductReadsIt) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[8, 8, 64]\n"
                          "permute = aten.permute.default(primals_1, [1, 0, 2]) : f32[8, 8, 64]{64, 512, 1}@0\n"
                          "clone = aten.clone.default(permute) : f32[8, 8, 64]\n"
                          "view = aten.view.default(clone, [64, 64]) : f32[64, 64]\n"
                          "mm = aten.mm.default(view, view) : f32[64, 64]\n"
                          "sum = aten.sum.dim_IntList(view, [0]) : f32[64]\n"
                          "return mm, sum |"),
            "view [mm] sum");
}

TEST(Lower, TermsOfAConcatenationAreWrittenInPlace) {
  const JointGraph joint = joint_graph(
      "primals_1 = placeholder : f32[64, 64]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
      "cat = aten.cat.default([sin, primals_1], 1) : f32[64, 128]\n"
      "return cat |");
  const Kernels program = lower(joint.graph, rules_for_cpu()).program;
  ASSERT_EQ(program.kernels.size(), 3U);
  EXPECT_FALSE(program.kernels.back().runs);
  const BufferId whole = program.kernels.back().writes.front();
  for (std::size_t term : {0U, 1U}) EXPECT_EQ(program.buffers[program.kernels[term].writes.front()].within, whole);
}

TEST(Lower, AConvolutionTakesCopiesOfInputsThatHaveNotChannelsLast) {
  const JointGraph joint = joint_graph(
      "primals_1 = placeholder : f32[8, 3, 3, 3]{27, 9, 3, 1}\n"
      "primals_2 = placeholder : f32[2, 3, 16, 16]{768, 1, 48, 3}\n"
      "conv = aten.convolution.default(primals_2, primals_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : f32[2, 8, 16, "
      "16]\n"
      "return conv, primals_1 |");
  const LoweredGraph lowered = lower(joint.graph, rules_for_cpu());
  ASSERT_EQ(lowered.copied_inputs.size(), 1U);
  EXPECT_EQ(joint.graph[lowered.copied_inputs.front()].name, "primals_1");
  EXPECT_TRUE(lower(joint.graph, rules_for_gpu()).copied_inputs.empty());
}

TEST(Lower, InputsOfAsStridedAreStored) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
                          "as_strided = aten.as_strided.default(sin, [64, 32], [64, 1]) : f32[64, 32]{64, 1}@1\n"
                          "mm = aten.mm.default(primals_1, as_strided) : f32[64, 32]\n"
                          "return mm |"),
            "sin [mm]");
}

TEST(Lower, AResultIsStoredInItsTurn) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
                          "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
                          "return mm, sin |"),
            "sin [mm]");
}

constexpr std::string_view kRepeated =
    "primals_1 = placeholder : f32[1, 16]\n"
    "expand = aten.expand.default(primals_1, [2, 16]) : f32[2, 16]{0, 1}@0\n"
    "clone = aten.clone.default(expand) : f32[2, 16]\n"
    "view = aten.view.default(clone, [32]) : f32[32]\n"
    "low = aten.slice.Tensor(view, 0, 0, HALF) : f32[HALF]\n"
    "high = aten.slice.Tensor(view, 0, HALF, 32) : f32[HALF]\n"
    "add = aten.add.Tensor(low, high) : f32[HALF]\n"
    "return add |";

std::string repeated(std::string_view half) {
  std::string text(kRepeated);
  for (std::size_t at = text.find("HALF"); at != std::string::npos; at = text.find("HALF")) text.replace(at, 4, half);
  return text;
}

TEST(Lower, HalvesOfWhatIsRepeatedAreReadAtOnePlace) {
  EXPECT_EQ(reads_of_last(repeated("16")).size(), 1U);
  EXPECT_EQ(reads_of_last(repeated("8")).size(), 2U) << "the second begins within a repetition";
}

TEST(Lower, AReductionOfFewElementsReadsEachOfThem) {
  const std::vector<Access> reads = reads_of_last(
      "primals_1 = placeholder : f32[4, 2, 64]\n"
      "sum = aten.sum.dim_IntList(primals_1, [1]) : f32[4, 64]\n"
      "return sum |");
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0].strides, (Extents{128, 1}));
  EXPECT_EQ(reads[0].place, 0U);
  EXPECT_EQ(reads[1].strides, reads[0].strides);
  EXPECT_EQ(reads[1].place, 64U);
}

// The backward of a convolution of `groups` groups.
std::string convolution_backward(std::string_view weight, std::string_view first = "") {
  return "primals_1 = placeholder : f32[2, 16, 8, 8]{1024, 1, 128, 16}\n"
         "primals_2 = placeholder : f32[16, " + std::string(weight) + ", 3, 3]\n"
         "tangents_1 = placeholder : f32[2, 16, 8, 8]{1024, 1, 128, 16}\n" + std::string(first) +
         "sin = aten.sin.default(tangents_1) : f32[2, 16, 8, 8]\n"
         "back = aten.convolution_backward.default(sin, primals_1, primals_2, [16], [1, 1], [1, 1], [1, 1], False, [0, 0], 16, "
         "[True, True, True]) : tuple(f32[2, 16, 8, 8], f32[16, " + std::string(weight) + ", 3, 3], f32[16])\n"
         "return | back";
}

std::string without_channels_last(std::string text) {
  for (std::size_t at; (at = text.find("{1024, 1, 128, 16}")) != std::string::npos;) text.erase(at, 18);
  return text;
}

std::size_t kernels_in(const std::string& text, const InductorRules& rules = rules_for_cpu()) {
  const JointGraph joint = joint_graph(text);
  return lower(joint.graph, rules).program.kernels.size();
}

TEST(Lower, TheBackwardOfADepthwiseConvolutionTakesCopiesWhereNoConvolutionIs) {
  // The sine, the call, and three that take items of its result.
  const InductorRules older = rules_for_cpu(Release{13});
  EXPECT_EQ(kernels_in(convolution_backward("16"), older), 6U) << "and the weight with channels last, as the other inputs have";
  EXPECT_EQ(kernels_in(convolution_backward("1"), older), 8U);
  EXPECT_EQ(kernels_in(convolution_backward("1"), rules_for_gpu()), 5U);
  EXPECT_EQ(kernels_in(convolution_backward("1"), rules_for_gpu(Release{13})), 8U);
  EXPECT_EQ(kernels_in(without_channels_last(convolution_backward("1")), rules_for_gpu(Release{13})), 5U);
}

TEST(Lower, TheBackwardOfAConvolutionDecidesTheLayoutInNewerReleases) {
  EXPECT_EQ(kernels_in(convolution_backward("16")), 6U) << "the weight with channels last";
  EXPECT_EQ(kernels_in(convolution_backward("1")), 5U) << "a weight of one channel is in either order";
  const std::string contiguous = without_channels_last(convolution_backward("16"));
  EXPECT_EQ(kernels_in(contiguous, rules_for_cpu(Release{13})), 5U) << "as it was traced";
  EXPECT_EQ(kernels_in(contiguous, rules_for_cpu(Release{15})), 7U) << "the input and the weight are copied";
}

TEST(Lower, AViewThatHasNoStridesIsCopiedForACall) {
  // A product reads rows of all channels of a row of pixels.
  const auto kernels = [](const std::string& strides) {
    return fused_kernels("primals_1 = placeholder : f32[2, 16, 8, 8]" + strides + "\n"
                         "primals_2 = placeholder : f32[64, 4]\n"
                         "view = aten.view.default(primals_1, [32, 64]) : f32[32, 64]\n"
                         "mm = aten.mm.default(view, primals_2) : f32[32, 4]\n"
                         "return mm |");
  };
  EXPECT_EQ(kernels(""), "[mm]");
  EXPECT_EQ(kernels("{1024, 1, 128, 16}"), "mm [mm]") << "channels last";
}

TEST(Lower, TheBackwardOfAveragePoolingTakesTheShapeOfWhatWasPooled) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[2, 4, 8, 8]\n"
      "tangents_1 = placeholder : f32[2, 4, 4, 4]\n"
      "sin = aten.sin.default(primals_1) : f32[2, 4, 8, 8]\n"
      "back = aten.avg_pool2d_backward.default(tangents_1, sin, [2, 2], [], [0, 0], False, True, None) : f32[2, 4, 8, 8]\n"
      "return | back";
  const std::vector<Access> reads = reads_of_last(kText);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads.front().buffer, 1U) << "the gradient";
}

std::string max_pooling(std::string_view padding, std::string_view results) {
  return "primals_1 = placeholder : f32[2, 4, 8, 8]\n"
         "pool = prims._low_memory_max_pool_with_offsets.default(primals_1, [3, 3], [2, 2], [" + std::string(padding) +
         "], [1, 1], False) : tuple(f32[2, 4, 4, 4], int8[2, 4, 4, 4])\n"
         "getitem = operator.getitem(pool, 0) : f32[2, 4, 4, 4]\n"
         "getitem_1 = operator.getitem(pool, 1) : int8[2, 4, 4, 4]\n"
         "sin = aten.sin.default(getitem) : f32[2, 4, 4, 4]\n"
         "return " + std::string(results) + " |";
}

TEST(Lower, TheMaximumOfASmallWindowIsAnExpressionUnlessItHasABorder) {
  EXPECT_EQ(fused_kernels(max_pooling("0, 0", "sin, getitem_1")), "pool+sin") << "where the maximum is";
  EXPECT_EQ(fused_kernels(max_pooling("1, 1", "sin, getitem_1")), "(pool)+pool+sin");
}

TEST(Lower, ArgmaxOfFourIsAnExpression) {
  const auto with = [](std::string_view window) {
    std::string text = max_pooling("0, 0", "sin, neg");
    text.replace(text.find("3, 3"), 4, window);
    text.insert(text.find("return"), "neg = aten.neg.default(getitem_1) : int8[2, 4, 4, 4]\n");
    return fused_kernels(text);
  };
  EXPECT_EQ(with("2, 2"), "sin+neg");
  EXPECT_EQ(with("3, 3"), "(pool)+sin+neg");
}

TEST(Lower, ArgmaxWithoutReadersIsSkipped) {
  std::string text = max_pooling("1, 1", "sin");
  const std::size_t line = text.find("getitem_1 =");
  text.erase(line, text.find('\n', line) + 1 - line);
  EXPECT_EQ(fused_kernels(text), "(pool)+sin");
}

// Graphs that no tracer makes must not crash the prediction.
TEST(Lower, WindowsAndItemsMayBeNone) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text = max_pooling("0, 0", "sin");
    text.replace(text.find(from), from.size(), to);
    return fused_kernels(text);
  };
  EXPECT_EQ(with("[3, 3]", "[100000, 100000]"), "(pool)+pool+sin");
  EXPECT_EQ(with("[3, 3]", "[0, 3]"), "(pool)+pool+sin");
  EXPECT_EQ(with("primals_1, [3, 3]", "1.5, [3, 3]"), "pool pool sin");
  EXPECT_EQ(with("(pool, 0)", "(pool)"), "pool sin");
  EXPECT_EQ(with("(pool, 0)", "(pool, -5)"), "pool sin");
}

TEST(Lower, APermutationOfOtherDimensionsIsReadSomewhere) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[8, 4]\n"
                          "permute = aten.permute.default(primals_1, [5, -9]) : f32[4, 8]@0\n"
                          "sin = aten.sin.default(permute) : f32[4, 8]\n"
                          "return sin |"),
            "sin");
}

// A term, what reads it before, the other term, what stands for the whole; and a copy of the term where its layout is fixed.
TEST(Lower, AConcatenationTakesInWhatASumWithAProductReads) {
  const auto kernels = [](const std::string& reader, const std::string& returned) {
    return kernels_in("primals_1 = placeholder : f32[64, 64]\n"
                      "sin = aten.sin.default(primals_1) : f32[64, 64]\n" +
                      reader + "cat = aten.cat.default([sin, primals_1], 1) : f32[64, 128]\nreturn cat, " + returned + " |");
  };
  const std::string sum = "call = aten.addmm.default(primals_1, sin, primals_1) : f32[64, 64]\n";
  const std::string fused = "mm = aten.mm.default(sin, primals_1) : f32[64, 64]\n"
                            "call = aten.add.Tensor(mm, primals_1) : f32[64, 64]\n";
  const std::string product = "call = aten.mm.default(sin, primals_1) : f32[64, 64]\n";
  const std::string of_a_part = "view = aten.slice.Tensor(sin, 0, 0, 32) : f32[32, 64]@1\n"
                                "call = aten.addmm.default(primals_1, primals_1, view) : f32[64, 64]\n";
  EXPECT_EQ(kernels(sum, "call"), 4U);
  EXPECT_EQ(kernels(fused, "call"), 4U);
  EXPECT_EQ(kernels(product, "call"), 5U) << "of a value with several readers it fixes the layout";
  EXPECT_EQ(kernels(of_a_part, "call"), 5U);
  EXPECT_EQ(kernels("call = my.operator.default(sin) : f32[64, 64]\n", "call"), 5U);
  EXPECT_EQ(kernels(sum, "call, sin"), 5U) << "so does returning it";
}

TEST(Lower, AConvolutionTakesACopyOfAConcatenation) {
  const std::string text =
      "primals_1 = placeholder : f32[2, 8, 16, 16]\n"
      "primals_2 = placeholder : f32[4, 16, 3, 3]{144, 1, 48, 16}\n"
      "sin = aten.sin.default(primals_1) : f32[2, 8, 16, 16]\n"
      "cat = aten.cat.default([sin, primals_1], 1) : f32[2, 16, 16, 16]\n"
      "conv = aten.convolution.default(cat, primals_2, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : f32[2, 4, 16, 16]\n"
      "return conv |";
  EXPECT_EQ(kernels_in(text), 5U) << "two terms, what stands for the whole, its copy with channels last, the call";
}

TEST(Lower, AnUnknownOperatorIsACallWithBuffers) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64]\n"
                          "mine = my.operator.default(sin) : f32[64]\n"
                          "return mine |"),
            "sin [mine]");
}

TEST(Lower, ViewsOfViewsAreReadAtTheirPlacesHoweverManyThereAre) {
  constexpr int kViews = 200'000;  // more than a stack has room for, if each took some of it
  std::string text = "primals_1 = placeholder : f32[64, 32]\n", last = "primals_1";
  for (int i = 0; i < kViews; ++i) {
    const std::string view = "t_" + std::to_string(i);
    text += view + " = aten.t.default(" + last + (i % 2 == 0 ? ") : f32[32, 64]\n" : ") : f32[64, 32]\n");
    last = view;
  }
  text += "sin = aten.sin.default(" + last + ") : f32[64, 32]\nreturn sin |";
  const std::vector<Access> reads = reads_of_last(text);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads.front().strides, (Extents{32, 1}));
}

// The bytes of the results of the graph.
std::int64_t returned_bytes(std::string_view text, const InductorRules& rules = rules_for_cpu()) {
  std::int64_t bytes = 0;
  for (const Buffer& buffer : lower(joint_graph(text).graph, rules).program.buffers) bytes += buffer.is_output ? buffer.bytes : 0;
  return bytes;
}

TEST(Lower, AnExpandedResultIsCopiedWholeWhereItsStridesAreNotAsTraced) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[4, 8, 2]{}\n"
      "sin = aten.sin.default(primals_1) : f32[4, 8, 2]{}\n"
      "unsqueeze = aten.unsqueeze.default(sin, 1) : f32[4, 1, 8, 2]{}\n"
      "expand = aten.expand.default(unsqueeze, [4, 3, 8, 2]) : f32[4, 3, 8, 2]{}\n"
      "return expand |";
  const auto with = [&](std::string_view input, std::string_view unsqueezed, std::string_view expanded) {
    return filled(filled(filled(filled(kText, input), input), unsqueezed), expanded);
  };
  EXPECT_EQ(returned_bytes(with("{16, 2, 1}@0", "{16, 16, 2, 1}@1", "{16, 0, 2, 1}@1")), 4 * 8 * 2 * 4);
  EXPECT_EQ(returned_bytes(with("{16, 1, 8}@0", "{16, 16, 1, 8}@1", "{16, 0, 1, 8}@1")), 4 * 3 * 8 * 2 * 4);
}

TEST(Lower, AConcatenationThatIsReadPointwiseIsComputedThereOnAGpu) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 32]\n"
      "primals_2 = placeholder : f32[64, 64]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 32]\n"
      "cos = aten.cos.default(primals_1) : f32[64, 32]\n"
      "cat = aten.cat.default([sin, cos], 1) : f32[64, 64]\n"
      "{}"
      "return out |";
  const std::string read = filled(kText, "out = aten.mul.Tensor(cat, primals_2) : f32[64, 64]\n");
  EXPECT_EQ(fused_kernels(read, rules_for_gpu()), "out");
  EXPECT_EQ(fused_kernels(read), "sin+cos cat out");
}

TEST(Lower, APaddingAtAnEndIsAConcatenationOnAGpuInNewerReleases) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 32]\n"
      "primals_2 = placeholder : f32[32, 32]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 32]\n"
      "{}"
      "pad = aten.constant_pad_nd.default(sin, [{}], 0.0) : f32[64, 64]\n"
      "{}"
      "return pad{} |";
  const auto with = [&](std::string_view before, std::string_view sides, std::string_view after, std::string_view returned) {
    return filled(filled(filled(filled(kText, before), sides), after), returned);
  };
  constexpr std::string_view kProduct = "mm = aten.addmm.default(primals_1, sin, primals_2) : f32[64, 32]\n";
  const std::string at_end = with("", "0, 32", kProduct, ", mm"), at_beginning = with("", "32, 0", kProduct, ", mm");
  EXPECT_EQ(fused_kernels(at_end, rules_for_gpu()), "sin pad pad [mm]") << "into its place, and the filling into another";
  EXPECT_EQ(fused_kernels(at_end, rules_for_gpu(Release{11})), "pad sin [mm]");
  EXPECT_EQ(fused_kernels(at_beginning, rules_for_gpu()), fused_kernels(at_beginning, rules_for_gpu(Release{11})));
  EXPECT_EQ(fused_kernels(at_end), fused_kernels(at_beginning)) << "on the CPU";
  EXPECT_EQ(fused_kernels(with("", "0, 32", "", ""), rules_for_gpu()), "pad") << "that nobody else reads is computed there";
}

TEST(Lower, ATermThatOthersReadIsNotComputedTwiceInNewerReleases) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 32]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 32]\n"
      "cat = aten.cat.default([sin, primals_1], 1) : f32[64, 64]\n"
      "mm = aten.addmm.default(primals_1, sin, primals_1) : f32[64, 32]\n"
      "return cat, mm |";
  EXPECT_EQ(fused_kernels(kText, rules_for_gpu()), "sin+cat cat [mm]") << "the other term is copied into its place";
  EXPECT_EQ(fused_kernels(kText, rules_for_gpu(Release{11})), "cat sin [mm]");
}

TEST(Lower, AMatrixIsAddedWithinAProductOnAGpuWhateverReadsTheSumInNewerReleases) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 64]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
      "mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
      "sum = aten.add.Tensor({}, mm) : f32[64, 64]\n"
      "out = aten.cos.default(sum) : f32[64, 64]\n"
      "return out |";
  EXPECT_EQ(fused_kernels(filled(kText, "sin"), rules_for_gpu()), "sin [sum] out");
  EXPECT_EQ(fused_kernels(filled(kText, "sin"), rules_for_gpu(Release{13})), "[mm] out");
  EXPECT_EQ(fused_kernels(filled(kText, "primals_1"), rules_for_gpu()), "[mm] out") << "it may be a bias";
}

TEST(Lower, ASumThatAnotherProductAddsIsNotReadPointwise) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 64]\n"
      "first = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
      "sum = aten.add.Tensor(primals_1, first) : f32[64, 64]\n"
      "second = aten.mm.default(primals_1, primals_1) : f32[64, 64]\n"
      "both = aten.add.Tensor(sum, second) : f32[64, 64]\n"
      "return both |";
  EXPECT_EQ(fused_kernels(kText, rules_for_gpu(Release{13})), "[sum] [both]");
}

TEST(Lower, ConvolutionsOnAGpuHaveChannelsLastUnlessThatIsSlow) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[2, 128, 8, 8]\n"
      "primals_2 = placeholder : f32[{}, 3, 3]\n"
      "out = aten.convolution.default(primals_1, primals_2, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : f32[2, 128, 8, 8]\n"
      "return out |";
  EXPECT_EQ(kernels_in(filled(kText, "128, 128"), rules_for_gpu()), 3U) << "copies of the inputs, and the call";
  EXPECT_EQ(kernels_in(filled(kText, "64, 128"), rules_for_gpu()), 1U) << "half as many channels go out";
  EXPECT_EQ(kernels_in(filled(kText, "64, 64"), rules_for_gpu()), 1U) << "few channels";
}

}  // namespace
}  // namespace fxcut
