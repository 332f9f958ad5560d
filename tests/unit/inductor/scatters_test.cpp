// Writes at indexed positions: what is filled or copied first, and whether a kernel or a library overwrites it.
#include "inductor/scatters.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "programs.h"

namespace fxcut {
namespace {

// With an index, a mask and a source, `target` and `call` of it.
std::string kernels_of(std::string_view target, std::string_view call, std::string_view returned = "scatter") {
  return fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                       "primals_2 = placeholder : i64[16, 32]\n"
                       "primals_3 = placeholder : f32[16, 32]\n"
                       "primals_4 = placeholder : i64[16]\n"
                       "primals_5 = placeholder : bool[64]\n"
                       "one = aten.full.default([], 1) : f32[]\n"
                       "sin = aten.sin.default(primals_3) : f32[16, 32]\n" +
                       std::string(target) + "\n" + std::string(call) + "\nreturn " + std::string(returned) + " |");
}

constexpr std::string_view kZeros = "zeros = aten.full.default([64, 32], 0) : f32[64, 32]";

TEST(Scatters, ASumOverwritesACopyInALibrarysCall) {
  EXPECT_EQ(kernels_of(kZeros, "scatter = aten.scatter_add.default(zeros, 0, primals_2, primals_3) : f32[64, 32]"),
            "scatter [scatter]");
  EXPECT_EQ(kernels_of(kZeros, "scatter = aten.scatter_add.default(zeros, 0, primals_2, sin) : f32[64, 32]"),
            "scatter sin [scatter]")
      << "which reads what is stored";
}

TEST(Scatters, OnAGpuOrWithOneThreadASumIsAKernelButNoOtherReduction) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 32]\n"
      "primals_2 = placeholder : i64[16, 32]\n"
      "primals_3 = placeholder : f32[16, 32]\n"
      "sin = aten.sin.default(primals_3) : f32[16, 32]\n"
      "scatter = aten.scatter_reduce.two(primals_1, 0, primals_2, sin, \"{}\") : f32[64, 32]\n"
      "return scatter |";
  for (const InductorRules& rules : {rules_for_gpu(), rules_for_cpu(kNewestRelease, true)}) {
    const auto by = [&](std::string_view reduction) { return fused_kernels(filled(kText, reduction), rules); };
    EXPECT_EQ(by("sum"), "scatter scatter");
    EXPECT_EQ(by("amax"), "scatter sin [scatter]");
  }
}

TEST(Scatters, ScattersThatDoNotAddComputeTheirSource) {
  EXPECT_EQ(kernels_of("", "scatter = aten.scatter.src(primals_1, 0, primals_2, sin) : f32[64, 32]"), "scatter scatter");
}

TEST(Scatters, AnIndexPutOverwritesWhatNothingElseReads) {
  constexpr std::string_view kPut = "scatter = aten.index_put.default(zeros, [primals_4], sin, True) : f32[64, 32]";
  EXPECT_EQ(kernels_of(kZeros, kPut), "zeros scatter");
  EXPECT_EQ(kernels_of(kZeros, kPut, "scatter, zeros"), "scatter scatter zeros") << "else a copy";
}

TEST(Scatters, AMaskOfOneNumberIsAnExpression) {
  EXPECT_EQ(kernels_of("", "put = aten.index_put.default(primals_1, [primals_5], one) : f32[64, 32]\n"
                           "scatter = aten.cos.default(put) : f32[64, 32]"),
            "scatter");
}

TEST(Scatters, OtherMasksAndSumsOfIntegersAreALibrarys) {
  EXPECT_EQ(kernels_of(kZeros, "scatter = aten.index_put.default(zeros, [primals_5], sin) : f32[64, 32]"),
            "zeros sin [scatter]");
  EXPECT_EQ(kernels_of("zeros = aten.full.default([64, 32], 0) : i64[64, 32]",
                       "scatter = aten.index_put.default(zeros, [primals_4], primals_2, True) : i64[64, 32]"),
            "zeros [scatter]");
}

// The places of the result stay those of the copy: a term of a concatenation is written, and then overwritten, in its slice.
TEST(Scatters, ATermOfAConcatenationIsOverwrittenInItsSlice) {
  const JointGraph joint = joint_graph(
      "primals_1 = placeholder : i64[16]\n"
      "primals_2 = placeholder : f32[16, 32]\n"
      "zeros = aten.full.default([64, 32], 0) : f32[64, 32]\n"
      "put = aten.index_put.default(zeros, [primals_1], primals_2, True) : f32[64, 32]\n"
      "sin = aten.sin.default(primals_2) : f32[16, 32]\n"
      "cat = aten.cat.default([put, sin]) : f32[80, 32]\n"
      "return cat |");
  const Kernels program = lower(joint.graph, rules_for_cpu()).program;
  ASSERT_EQ(program.kernels.size(), 4U) << "a fill, what overwrites it, the other term, the whole";
  const BufferId put = program.kernels[1].writes.front(), filled = program.kernels[0].writes.front();
  EXPECT_EQ(program.buffers[put].changed_from, filled);
  EXPECT_EQ(program.buffers[filled].within, program.kernels[3].writes.front());
  EXPECT_EQ(whole_of(program.buffers, put), program.kernels[3].writes.front());
}

TEST(Scatters, WithoutTheirArgumentsAreCallsLikeOthers) {
  for (const std::string_view call : {"aten.index_put.default(zeros, [primals_4])",
                                      "aten.index_put.default([zeros], primals_4, one)",
                                      "aten._unsafe_masked_index_put_accumulate.default(zeros, primals_5, [primals_4])",
                                      "aten.scatter_add.default(zeros)", "aten.scatter.src()", "aten.index.Tensor(zeros)",
                                      "aten.index.Tensor([zeros], primals_4)"}) {
    EXPECT_NE(kernels_of(kZeros, "scatter = " + std::string(call) + " : f32[64, 32]"), "") << call;
  }
}

}  // namespace
}  // namespace fxcut
