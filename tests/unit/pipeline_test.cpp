// Whole partitions of small graphs.
#include "pipeline.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

std::string refusal(std::string_view text) {
  try {
    partition(joint_graph(text), {});
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.what();
  }
}

TEST(Partition, RecomputesASineRatherThanSaveIt) {
  const Partition result = partition(joint_graph(R"(
    primals_1 = placeholder : f32[2, 2]
    tangents_1 = placeholder : f32[2, 2]
    sin = aten.sin.default(primals_1) : f32[2, 2]
    mul = aten.mul.Tensor(sin, sin) : f32[2, 2]
    add = aten.add.Tensor(mul, 3) : f32[2, 2]
    mul_1 = aten.mul.Tensor(tangents_1, sin) : f32[2, 2]
    mul_2 = aten.mul.Tensor(tangents_1, sin) : f32[2, 2]
    add_1 = aten.add.Tensor(mul_2, mul_1) : f32[2, 2]
    cos = aten.cos.default(primals_1) : f32[2, 2]
    mul_3 = aten.mul.Tensor(add_1, cos) : f32[2, 2]
    return add | mul_3)"),
                                     {});
  EXPECT_EQ(text_of(result.graphs.forward),
            "primals_1 = placeholder\n"
            "sin = aten.sin.default(primals_1)\n"
            "mul = aten.mul.Tensor(sin, sin)\n"
            "add = aten.add.Tensor(mul, 3)\n"
            "return add, primals_1\n");
  EXPECT_EQ(text_of(result.graphs.backward),
            "primals_1 = placeholder\n"
            "tangents_1 = placeholder\n"
            "sin = aten.sin.default(primals_1)\n"
            "mul_1 = aten.mul.Tensor(tangents_1, sin)\n"
            "add_1 = aten.add.Tensor(mul_1, mul_1)\n"
            "cos = aten.cos.default(primals_1)\n"
            "mul_3 = aten.mul.Tensor(add_1, cos)\n"
            "return mul_3\n");
}

TEST(Partition, CommonSubexpressionsCanBeLeftAlone) {
  Settings settings;
  settings.cse = false;
  const std::string_view text = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    b = aten.sin.default(primals_1) : f32[4]
    loss = aten.add.Tensor(a, b) : f32[4]
    return loss | tangents_1)";
  EXPECT_EQ(names_of(partition(joint_graph(text), settings).graphs.forward), "primals_1 a b loss output");
  EXPECT_EQ(names_of(partition(joint_graph(text), {}).graphs.forward), "primals_1 a loss output");
}

TEST(Partition, WithoutABackwardNothingIsSaved) {
  const Partition result = partition(joint_graph(R"(
    primals_1 = placeholder : f32[4]
    primals_2 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4]
    return sin | None)"),
                                     {});
  EXPECT_EQ(text_of(result.graphs.backward), "return None\n");
  EXPECT_EQ(result.report.totals.saved_values, 0u);
  EXPECT_TRUE(result.report.cuts.empty());
}

TEST(Partition, ASideWithoutAnyInputIsRefused) {
  EXPECT_NE(refusal("tangents_1 = placeholder : f32[4]\nreturn | tangents_1"), "");
  EXPECT_NE(refusal("full = aten.full.default([4], 1) : f32[4]\nreturn full"), "");
}

TEST(Partition, AForwardOutputThatNeedsAGradientIsRefused) {
  EXPECT_NE(refusal("primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n"
                    "grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]\nreturn grad | grad")
                .find("'grad' is an output of the forward, but it depends on 'tangents_1'"),
            std::string::npos);
}

}  // namespace
}  // namespace fxcut
