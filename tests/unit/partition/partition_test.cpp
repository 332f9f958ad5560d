// Whole partitions of small graphs.
#include "partition/partition.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

std::string refusal(std::string_view text, const Settings& settings = {}) {
  try {
    partition(joint_graph(text), settings);
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

// A step whose forward is tagged, as the default partitioner looks for; `words` belong to `mm`.
std::string tagged_step(const std::string& words, const std::string& behind = "") {
  return "primals_1 = placeholder : f32[4, 4]\n"
         "mm = aten.mm.default(primals_1, primals_1) : f32[4, 4] partitioner_tag=is_forward " + words + "\n"
         "loss = aten.exp.default(mm) : f32[4, 4] partitioner_tag=is_forward\n"
         "tangents_1 = placeholder : f32[4, 4]\n"
         "grad = aten.mul.Tensor(tangents_1, mm) : f32[4, 4]\n" + behind + "return loss | grad";
}

Settings by_default() {
  Settings settings;
  settings.partitioner = Partitioner::Default;
  return settings;
}

TEST(Partition, TheDefaultPartitionerSavesWhatTheBackwardTakes) {
  const Partition result = partition(joint_graph(tagged_step("")), by_default());
  EXPECT_EQ(result.report.decided_by, Partitioner::Default);
  EXPECT_EQ(names_of(result.graphs.backward), "mm tangents_1 grad output");
  EXPECT_TRUE(result.report.cuts.empty());
}

TEST(Partition, TheDefaultPartitionerMergesNothing) {
  const std::string text = "primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n"
                           "a = aten.neg.default(tangents_1) : f32[4]\nb = aten.neg.default(tangents_1) : f32[4]\n"
                           "return primals_1 | a, b";
  EXPECT_EQ(partition(joint_graph(text), by_default()).report.totals.backward_operators, 2u);
  EXPECT_EQ(partition(joint_graph(text), {}).report.totals.backward_operators, 1u);
}

TEST(Partition, TheDefaultPartitionerHandsRegionsOfWhatIsNotFunctionalToTheMinCut) {
  const std::string mutation = "written = aten.add_.Tensor(grad, 1) : f32[4, 4] partitioner_tag=is_backward\n";
  const auto decided_by = [&](const std::string& text) {
    return partition(joint_graph(text), by_default()).report.decided_by;
  };
  EXPECT_EQ(decided_by(tagged_step("", mutation)), Partitioner::Default);
  EXPECT_EQ(decided_by(tagged_step("recompute=MUST_RECOMPUTE")), Partitioner::Default);
  EXPECT_EQ(decided_by(tagged_step("recompute=MUST_RECOMPUTE", mutation)), Partitioner::MinCut);
}

TEST(Partition, TheMinCutHandsWhatHasNoBackwardToTheDefaultPartitioner) {
  const Partition result = partition(joint_graph("primals_1 = placeholder : f32[4]\n"
                                                 "a = aten.sin.default(primals_1) : f32[4]\nreturn a | None"), {});
  EXPECT_EQ(result.report.decided_by, Partitioner::Default);
}

TEST(Partition, GraphsThatNeitherPartitionerDecidesAreRefused) {
  // The backward needs nothing, and a mutation stands next to a region, whichever partitioner is tried first.
  const std::string text = "primals_1 = placeholder : f32[4]\n"
                           "a = aten.sin.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE\n"
                           "b = aten.add_.Tensor(a, 1) : f32[4]\nreturn b | None";
  const std::string expected = "fxcut: error: the backward needs nothing, and 'b' (aten.add_.Tensor) writes to a "
                               "value that is not an input while "
                               "regions are to be recomputed: neither of PyTorch's partitioners decides such a graph\n"
                               "  drop the recompute tags, or functionalize the graph";
  EXPECT_EQ(refusal(text), expected);
  EXPECT_EQ(refusal(text, by_default()), expected);
}

TEST(Partition, ATagThatCleaningUpRemovesLetsTheDefaultPartitionerDecide) {
  // With a hook on it and nothing recomputed after it, the value of the region is saved.
  const std::string text = "primals_1 = placeholder : f32[4]\n"
                           "a = aten.sin.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE has_backward_hook=true\n"
                           "b = aten.add_.Tensor(a, 1) : f32[4]\nreturn b | None";
  EXPECT_EQ(partition(joint_graph(text), {}).report.decided_by, Partitioner::Default);
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
