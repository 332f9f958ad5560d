// FLOPs by shapes: the expected counts are worked out from the definition of each operator.
#include "cost/flops.h"

#include <gtest/gtest.h>

#include "classify/operator_table.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// The FLOPs of the node named `call` in a graph of these lines.
std::int64_t flops(const std::string& lines, Release release = kNewestRelease) {
  const JointGraph joint = joint_graph(lines + "\nreturn call");
  return static_cast<std::int64_t>(estimate_flops(joint.graph, node_named(joint.graph, "call"), release));
}

TEST(Flops, AnythingElseCountsOne) {
  EXPECT_EQ(flops("x = placeholder : f32[8, 8]\ncall = aten.sin.default(x) : f32[8, 8]"), 1);
  EXPECT_EQ(flops("call = placeholder : f32[8, 8]"), 1);
}

TEST(Flops, MatrixProducts) {
  const std::string operands =
      "a = placeholder : f32[3, 4]\nb = placeholder : f32[4, 5]\nbias = placeholder : f32[5]\n";
  EXPECT_EQ(flops(operands + "call = aten.mm.default(a, b) : f32[3, 5]"), 2 * 3 * 4 * 5);
  EXPECT_EQ(flops(operands + "call = aten.addmm.default(bias, a, b) : f32[3, 5]"), 2 * 3 * 4 * 5);
  EXPECT_EQ(flops(operands + "call = aten._scaled_mm.default(a, b, a, a) : f32[3, 5]"), 2 * 3 * 4 * 5);
}

TEST(Flops, BatchedMatrixProducts) {
  const std::string operands =
      "a = placeholder : f32[2, 3, 4]\nb = placeholder : f32[2, 4, 5]\nbias = placeholder : f32[2, 3, 5]\n";
  EXPECT_EQ(flops(operands + "call = aten.bmm.default(a, b) : f32[2, 3, 5]"), 2 * 2 * 3 * 4 * 5);
  EXPECT_EQ(flops(operands + "call = aten.baddbmm.default(bias, a, b) : f32[2, 3, 5]"), 2 * 2 * 3 * 4 * 5);
}

TEST(Flops, SymbolicSizesCountTheirHintsAnd4096Without) {
  EXPECT_EQ(flops("a = placeholder : f32[s0=3, 4]\nb = placeholder : f32[4, 5]\ncall = aten.mm.default(a, b)"),
            2 * 3 * 4 * 5);
  EXPECT_EQ(flops("a = placeholder : f32[u0, 4]\nb = placeholder : f32[4, 5]\ncall = aten.mm.default(a, b)"),
            2 * 4096 * 4 * 5);
}

TEST(Flops, AnEmptyProductCountsOne) {
  EXPECT_EQ(flops("a = placeholder : f32[0, 4]\nb = placeholder : f32[4, 5]\ncall = aten.mm.default(a, b)"), 1);
}

TEST(Flops, ArgumentsThatDoNotFitCountOne) {
  EXPECT_EQ(flops("a = placeholder : f32[3, 4]\nb = placeholder : f32[5, 4]\ncall = aten.mm.default(a, b)"), 1);
  EXPECT_EQ(flops("a = placeholder : f32[4]\nb = placeholder : f32[4, 5]\ncall = aten.mm.default(a, b)"), 1);
  EXPECT_EQ(flops("a = placeholder\nb = placeholder : f32[4, 5]\ncall = aten.mm.default(a, b)"), 1);
  EXPECT_EQ(flops("a = placeholder : f32[3, 4]\ncall = aten.mm.default(a)"), 1);
  EXPECT_EQ(flops("a = placeholder : f32[2, 3, 4]\nb = placeholder : f32[1, 4, 5]\ncall = aten.bmm.default(a, b)"), 1);
}

TEST(Flops, CountsBeyond64Bits) {
  const JointGraph joint = joint_graph(R"(
    a = placeholder : f32[1000000000, 1]
    b = placeholder : f32[1, 1000000000]
    call = aten.mm.default(a, b)
    wide_a = placeholder : bool[2000000000, 2000000000]
    wide = aten.mm.default(wide_a, wide_a)
    return call)");
  EXPECT_TRUE(estimate_flops(joint.graph, node_named(joint.graph, "call"), kNewestRelease) ==
              Int128{2} * 1'000'000'000 * 1'000'000'000);
  EXPECT_TRUE(estimate_flops(joint.graph, node_named(joint.graph, "wide"), kNewestRelease) ==
              Int128{2} * 2'000'000'000 * 2'000'000'000 * 2'000'000'000);
}

constexpr std::string_view kConvolution = R"(
  x = placeholder : f32[2, 3, 8, 8]
  w = placeholder : f32[16, 3, 5, 5]
  g = placeholder : f32[2, 16, 4, 4]
  )";
// Batch, output channels, output points, weights a point; a product and a sum each.
constexpr std::int64_t kConvolutionFlops = 2 * 2 * (4 * 4) * (16 * 3 * 5 * 5);

std::string convolution(std::string_view call) { return std::string(kConvolution) + std::string(call); }

TEST(Flops, Convolutions) {
  for (const std::string target :
       {"aten.convolution.default", "aten._convolution.default", "aten.convolution_overrideable.default"}) {
    EXPECT_EQ(flops(convolution("call = " + target +
                                "(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1) : f32[2, 16, 4, 4]")),
              kConvolutionFlops)
        << target;
  }
}

TEST(Flops, TransposedConvolutionsSlideOverTheirInput) {
  EXPECT_EQ(flops(R"(x = placeholder : f32[2, 16, 4, 4]
                     w = placeholder : f32[16, 3, 5, 5]
                     call = aten.convolution.default(x, w, None, [1], [0], [1], True, [0], 1) : f32[2, 3, 8, 8])"),
            kConvolutionFlops);
}

TEST(Flops, BackwardOfConvolutionsCountsTheGradientsThatAreWanted) {
  const auto backward = [](const std::string& mask) {
    return flops(convolution(
        "call = aten.convolution_backward.default(g, x, w, [16], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, " + mask +
        ") : tuple(f32[2, 3, 8, 8], f32[16, 3, 5, 5], f32[16])"));
  };
  // The gradient of the input is a transposed convolution of the output's gradient.
  EXPECT_EQ(backward("[True, False, False]"), kConvolutionFlops);
  // That of the weight slides the gradient (as a weight [16, 2, 4, 4]) over the input, batch and channels exchanged:
  // for each of 3 channels and of 5 x 5 points.
  EXPECT_EQ(backward("[False, True, False]"), 2 * 3 * (5 * 5) * (16 * 2 * 4 * 4));
  EXPECT_EQ(backward("[True, True, True]"), kConvolutionFlops + 2 * 3 * (5 * 5) * (16 * 2 * 4 * 4));
  EXPECT_EQ(backward("[False, False, True]"), 1);
}

TEST(Flops, BackwardOfTransposedConvolutions) {
  const auto backward = [](const std::string& mask) {
    return flops(R"(x = placeholder : f32[2, 16, 4, 4]
                    w = placeholder : f32[16, 3, 5, 5]
                    g = placeholder : f32[2, 3, 8, 8]
                    call = aten.convolution_backward.default(g, x, w, [3], [1, 1], [0, 0], [1, 1], True, [0, 0], 1, )" +
                 mask + ") : tuple(f32[2, 16, 4, 4], f32[16, 3, 5, 5], f32[3])");
  };
  EXPECT_EQ(backward("[True, False, False]"), kConvolutionFlops);
  // The input (as a weight [16, 2, 4, 4]) slides over the gradient.
  EXPECT_EQ(backward("[False, True, False]"), 2 * 3 * (5 * 5) * (16 * 2 * 4 * 4));
}

// Batch 2, 8 heads, 16 queries, 32 keys, 4 features, and 6 of the values.
constexpr std::int64_t kScores = 2 * (2 * 8) * 16 * 4 * 32, kWeighted = 2 * (2 * 8) * 16 * 32 * 6;

constexpr std::string_view kAttention = R"(
  q = placeholder : f32[2, 8, 16, 4]
  k = placeholder : f32[2, 8, 32, 4]
  v = placeholder : f32[2, 8, 32, 6]
  g = placeholder : f32[2, 8, 16, 6]
  )";

TEST(Flops, Attention) {
  for (const std::string kind : {"efficient", "flash", "cudnn"}) {
    const std::string target = "aten._scaled_dot_product_" + kind + "_attention";
    EXPECT_EQ(flops(std::string(kAttention) + "call = " + target + ".default(q, k, v)"), kScores + kWeighted) << kind;
    EXPECT_EQ(flops(std::string(kAttention) + "call = " + target + "_backward.default(g, q, k, v)"),
              3 * kScores + 2 * kWeighted)
        << kind << ": scores again, and the gradients of scores, values, queries and keys";
  }
}

TEST(Flops, GroupedQueryAttentionSharesHeadsOfKeys) {
  const std::string shared = R"(
    q = placeholder : f32[2, 8, 16, 4]
    k = placeholder : f32[2, 2, 32, 4]
    v = placeholder : f32[2, 2, 32, 6]
    )";
  EXPECT_EQ(flops(shared + "call = aten._scaled_dot_product_flash_attention.default(q, k, v)"), kScores + kWeighted);
  EXPECT_EQ(flops(R"(
    q = placeholder : f32[2, 8, 16, 4]
    k = placeholder : f32[2, 3, 32, 4]
    v = placeholder : f32[2, 3, 32, 6]
    call = aten._scaled_dot_product_flash_attention.default(q, k, v))"),
            1)
      << "8 heads are no multiple of 3";
}

TEST(Flops, PackedAttentionCountsEachSequenceAsTheLongest) {
  // 3 sequences of at most 16 queries and 32 keys, 8 heads, 4 features.
  const std::string packed = R"(
    q = placeholder : f32[40, 8, 4]
    k = placeholder : f32[70, 8, 4]
    v = placeholder : f32[70, 8, 4]
    g = placeholder : f32[40, 8, 4]
    offsets = placeholder : i32[4]
    )";
  constexpr std::int64_t kEach = 2 * 8 * 16 * 32 * 4;  // of scores, and of weighted values
  EXPECT_EQ(flops(packed + "call = aten._flash_attention_forward.default(q, k, v, offsets, offsets, 16, 32)"),
            3 * 2 * kEach);
  EXPECT_EQ(flops(packed + "call = aten._flash_attention_backward.default(g, q, k, v, q, q, offsets, offsets, 16, 32)"),
            3 * 5 * kEach);
  EXPECT_EQ(flops(packed + "length = placeholder : symint(s0=16)\n"
                           "call = aten._flash_attention_forward.default(q, k, v, offsets, offsets, length, 32)"),
            3 * 2 * kEach);
}

TEST(Flops, PackedEfficientAttentionHasABatchOfOne) {
  const std::string packed = R"(
    q = placeholder : f32[1, 40, 8, 4]
    k = placeholder : f32[1, 70, 8, 4]
    v = placeholder : f32[1, 70, 8, 4]
    g = placeholder : f32[1, 40, 8, 4]
    offsets = placeholder : i32[4]
    )";
  constexpr std::int64_t kEach = 2 * 8 * 16 * 32 * 4;
  EXPECT_EQ(flops(packed + "call = aten._efficient_attention_forward.default(q, k, v, None, offsets, offsets, 16, 32)"),
            3 * 2 * kEach);
  EXPECT_EQ(flops(packed +
                  "call = aten._efficient_attention_backward.default(g, q, k, v, None, q, offsets, offsets, 16, 32)"),
            3 * 5 * kEach);
}

TEST(Flops, UnpackedFlashAttentionIsThatOfAnyBatchBefore2_14) {
  EXPECT_EQ(flops(std::string(kAttention) + "call = aten._flash_attention_forward.default(q, k, v, None, None, 16, 32)",
                  Release{13}),
            kScores + kWeighted);
  EXPECT_EQ(flops(std::string(kAttention) +
                      "call = aten._flash_attention_backward.default(g, q, k, v, q, q, None, None, 16, 32)",
                  Release{13}),
            3 * kScores + 2 * kWeighted);
}

TEST(Flops, UnpackedFlashAttentionHasItsHeadsBehindTheSequenceSince2_14) {
  // Batch 2, 16 queries, 32 keys, 4 heads of 8 features.
  const std::string operands =
      "q = placeholder : f32[2, 16, 4, 8]\nk = placeholder : f32[2, 32, 4, 8]\nv = placeholder : f32[2, 32, 4, 8]\n";
  for (const Release release : {Release{14}, Release{15}}) {
    EXPECT_EQ(flops(operands + "call = aten._flash_attention_forward.default(q, k, v, None, None, 16, 32)", release),
              2 * (2 * 4) * 16 * 32 * (8 + 8));
  }
}

TEST(Flops, AttentionOnTheCpuCountsSince2_15) {
  const std::string call =
      std::string(kAttention) + "call = aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, v)";
  EXPECT_EQ(flops(call, Release{14}), 1);
  EXPECT_EQ(flops(call, Release{15}), kScores + kWeighted);
}

TEST(Flops, AProductThatNamesItsDtypeCountsSince2_14) {
  const std::string call =
      "a = placeholder : f32[2, 3, 4]\nb = placeholder : f32[2, 4, 5]\ncall = aten.bmm.dtype(a, b, dtype(float32))";
  EXPECT_EQ(flops(call, Release{13}), 1);
  EXPECT_EQ(flops(call, Release{14}), 2 * 2 * 3 * 4 * 5);
}

TEST(Flops, TheCounterKnowsOperatorsThatItFailsOn) {
  EXPECT_FALSE(has_flop_formula(make_operator("higher_order.flex_attention"), Release{12}));
  EXPECT_TRUE(has_flop_formula(make_operator("higher_order.flex_attention"), Release{13}));
  EXPECT_FALSE(has_flop_formula(make_operator("aten.sin.default"), Release{15}));
}

TEST(Flops, EachReleaseCountsWhatItsCounterKnows) {
  const std::string operands = "a = placeholder : f32[3, 4]\nb = placeholder : f32[4, 5]\n";
  const std::string scaled = operands + "call = aten._scaled_mm.default(a, b, a, a) : f32[3, 5]";
  EXPECT_EQ(flops(scaled, kTorch2_6), 1);
  EXPECT_EQ(flops(scaled, kTorch2_7), 2 * 3 * 4 * 5);
  const auto convolved = [](const std::string& packet, Release release) {
    return flops("x = placeholder : f32[1, 2, 4, 4]\nw = placeholder : f32[3, 2, 1, 1]\ncall = " + packet +
                     ".default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1) : f32[1, 3, 4, 4]",
                 release);
  };
  EXPECT_EQ(convolved("aten.cudnn_convolution", kTorch2_8), 1);
  EXPECT_EQ(convolved("aten.cudnn_convolution", kTorch2_9), 2 * 16 * 3 * 2);
  EXPECT_EQ(convolved("aten.convolution_overrideable", kTorch2_9), 1);
  EXPECT_EQ(convolved("aten.convolution_overrideable", kTorch2_10), 2 * 16 * 3 * 2);
  const std::string by_cudnn =
      std::string(kAttention) + "call = aten._scaled_dot_product_cudnn_attention.default(q, k, v, None, True)";
  EXPECT_EQ(flops(by_cudnn, kTorch2_4), 1);
  EXPECT_EQ(flops(by_cudnn, kTorch2_5), kScores + kWeighted);
}

TEST(Flops, SharedHeadsCountSince2_12) {
  const std::string call = "q = placeholder : f32[1, 4, 8, 2]\nk = placeholder : f32[1, 2, 8, 2]\n"
                           "call = aten._scaled_dot_product_efficient_attention.default(q, k, k, None, True)";
  EXPECT_EQ(flops(call, kTorch2_11), 1);
  EXPECT_EQ(flops(call, kTorch2_12), 2 * (2 * 4 * 8 * 8 * 2));
}

TEST(Flops, FlexAttentionIsKnownSince2_13) {
  const Operator op = make_operator("higher_order.flex_attention");
  EXPECT_FALSE(has_flop_formula(op, kTorch2_12));
  EXPECT_TRUE(has_flop_formula(op, kTorch2_13));
}

}  // namespace
}  // namespace fxcut
