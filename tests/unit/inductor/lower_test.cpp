// What inductor stores, and what it computes in the kernels that read it.
#include "inductor/lower.h"

#include <gtest/gtest.h>

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
  const auto with = [&](std::string_view size) {
    std::string text(kText);
    return text.replace(text.find("{}"), 2, size);
  };
  EXPECT_EQ(fused_kernels(with("8")), "sin");
  EXPECT_EQ(fused_kernels(with("9")), "(sum)+sin") << "a kernel of its own, nested with its reader";
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
      "conv = aten.convolution.default(primals_2, primals_1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : f32[2, 8, 16, 16]\n"
      "return conv, primals_1 |");
  const LoweredGraph lowered = lower(joint.graph, rules_for_cpu());
  ASSERT_EQ(lowered.copied_inputs.size(), 1U);
  EXPECT_EQ(joint.graph[lowered.copied_inputs.front()].name, "primals_1");
  EXPECT_TRUE(lower(joint.graph, rules_for_gpu()).copied_inputs.empty());
}

TEST(Lower, AnUnknownOperatorIsACallWithBuffers) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64]\n"
                          "mine = my.operator.default(sin) : f32[64]\n"
                          "return mine |"),
            "sin [mine]");
}

}  // namespace
}  // namespace fxcut
