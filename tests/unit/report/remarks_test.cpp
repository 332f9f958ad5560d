// The parts of a decision that are worth a second look.
#include "report/remarks.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

std::vector<Remark> remarks_of(const std::string& graph, MemoryOf memory_of = MemoryOf::Operators) {
  Settings settings;
  settings.memory_of = memory_of;
  return partition(joint_graph(graph), settings).report.remarks;
}

// The parameter is in memory anyway, and the product's operand is its cast.
TEST(Remarks, CastsOfInputsAreCopies) {
  const std::vector<Remark> remarks = remarks_of(R"(
  primals_1 = placeholder : f32[1024, 1024]@1 static
  primals_2 = placeholder : f32[1024, 1024]@2
  tangents_1 = placeholder : bf16[1024, 1024]@3
  cast = prims.convert_element_type.default(primals_1) : bf16[1024, 1024]@4 recompute=MUST_SAVE
  x = prims.convert_element_type.default(primals_2) : bf16[1024, 1024]@5
  mm = aten.mm.default(x, cast) : bf16[1024, 1024]@6
  t = aten.t.default(cast) : bf16[1024, 1024]@4
  grad = aten.mm.default(tangents_1, t) : bf16[1024, 1024]@7
  return mm | None, grad)");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].kind, RemarkKind::Copies);
  EXPECT_EQ(remarks[0].bytes, 2 << 20);
  EXPECT_EQ(remarks[0].values, std::vector<std::string>{"t"});  // a view of the cast
  EXPECT_EQ(remarks[0].text, "in 1 value: inputs or saved values in another dtype or layout");
}

// If a value is saved in two dtypes, one of them is no copy.
TEST(Remarks, OneOfTwoDtypesIsACopy) {
  const std::vector<Remark> remarks = remarks_of(R"(
  primals_1 = placeholder : f32[1024, 1024]@1
  tangents_1 = placeholder : f32[1024, 1024]@3
  sin = aten.sin.default(primals_1) : f32[1024, 1024]@4 recompute=MUST_SAVE
  half = prims.convert_element_type.default(sin) : bf16[1024, 1024]@5 recompute=MUST_SAVE
  mm = aten.mm.default(half, half) : bf16[1024, 1024]@6
  a = aten.mul.Tensor(tangents_1, sin) : f32[1024, 1024]@7
  b = aten.mul.Tensor(a, half) : f32[1024, 1024]@8
  return mm | b)");
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks[0].values, std::vector<std::string>{"half"});
}

constexpr const char* kLoss = R"(
  primals_1 = placeholder : f32[1024, 64]@1 static
  primals_2 = placeholder : f32[64, 4096]@2 static
  tangents_1 = placeholder : f32[]@3
  logits = aten.mm.default(primals_1, primals_2) : f32[1024, 4096]@4
  loss = aten.sum.default(logits) : f32[]@5
  exp = aten.exp.default(logits) : f32[1024, 4096]@6
  grad = aten.mul.Tensor(exp, tangents_1) : f32[1024, 4096]@7
  t = aten.t.default(primals_1) : f32[64, 1024]@1
  grad_weight = aten.mm.default(t, grad) : f32[64, 4096]@8
  return loss | None, grad_weight)";

TEST(Remarks, AValueOfTheLossThatSetsThePeakGoesWithALossInChunks) {
  const std::vector<Remark> remarks = remarks_of(kLoss);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].kind, RemarkKind::LargestOfLoss);
  EXPECT_EQ(remarks[0].bytes, 16 << 20);
  EXPECT_EQ(remarks[0].text, "in one value, float32 [1024, 4096]: a loss in chunks avoids it");
}

TEST(Remarks, CompiledCodeHasAPeakOfItsOwn) {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  const Report report = partition(joint_graph(kLoss), settings).report;
  Int128 sum = 0;
  for (const MemoryHeld& held : report.memory.compiled->at_peak) sum += held.size_bytes;
  EXPECT_TRUE(sum == report.memory.compiled->peak_bytes);
  ASSERT_EQ(report.remarks.size(), 1u);
  EXPECT_EQ(report.remarks[0].bytes, report.memory.compiled->at_peak[0].size_bytes);
}

// A value after a product of the backward does not belong to the loss, whatever its size.
TEST(Remarks, AValueOfALayerIsNamed) {
  const std::vector<Remark> remarks = remarks_of(R"(
  primals_1 = placeholder : f32[64, 1024]@1 static
  primals_2 = placeholder : f32[1024, 64]@2 static
  tangents_1 = placeholder : f32[1024, 64]@3
  mm = aten.mm.default(primals_2, primals_1) : f32[1024, 1024]@4
  back = aten.mm.default(tangents_1, primals_1) : f32[1024, 1024]@5
  grad = aten.sum.default(back) : f32[]@6
  return mm | grad)");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].kind, RemarkKind::Largest);
  EXPECT_EQ(remarks[0].text.find("in one value, "), 0u);
  EXPECT_EQ(remarks[0].text.find("chunks"), std::string::npos);
}

TEST(Remarks, SmallGraphsHaveNone) {
  EXPECT_TRUE(remarks_of(R"(
  primals_1 = placeholder : f32[4]@1
  tangents_1 = placeholder : f32[4]@2
  sin = aten.sin.default(primals_1) : f32[4]@3
  cos = aten.cos.default(primals_1) : f32[4]@4
  grad = aten.mul.Tensor(tangents_1, cos) : f32[4]@5
  return sin | grad)").empty());
}

}  // namespace
}  // namespace fxcut
