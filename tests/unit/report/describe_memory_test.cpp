// Memory in the report, and the curve as a file.
#include "report/describe_parts.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "report/describe_totals.h"
#include "report/optimizer_states.h"
#include "report/show_report.h"

namespace fxcut {
namespace {

// mm is saved; sin runs twice.
Partition step() {
  return partition(joint_graph(R"(
  primals_1 = placeholder : f32[4, 4]@1 static
  primals_2 = placeholder : f32[4, 4]@2
  tangents_1 = placeholder : f32[4, 4]@3
  mm = aten.mm.default(primals_1, primals_2) : f32[4, 4]@4 module=layers.0
  sin = aten.sin.default(mm) : f32[4, 4]@5
  cos = aten.cos.default(sin) : f32[2]@6
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]@7 module=layers.0
  return cos | grad, None)"),
                   {});
}

TEST(DescribeMemory, TellsThePeakAndWhereItIs) {
  const MemoryReport memory = step().report.memory;
  EXPECT_TRUE(memory.forward_peak_bytes == 64 + 64 + 8) << "mm, sin and cos";
  EXPECT_TRUE(memory.between_bytes == 64 + 8) << "mm and cos";
  EXPECT_TRUE(memory.backward_peak_bytes == 8 + 64 + 64 + 64) << "cos, the tangent, sin and grad";
  EXPECT_TRUE(memory.peak_bytes == memory.backward_peak_bytes);
  EXPECT_EQ(memory.peak_at.graph, "backward");
  EXPECT_EQ(memory.peak_at.node, "sin");
  EXPECT_EQ(memory.peak_at.op, "aten.sin.default");
  EXPECT_EQ(memory.static_bytes, 64);
  EXPECT_EQ(memory.input_bytes, 64);
}

TEST(DescribeMemory, TellsWhoMadeWhatIsThereAndWhoNeedsIt) {
  const MemoryReport memory = step().report.memory;
  ASSERT_EQ(memory.at_peak.size(), 4u);
  EXPECT_EQ(memory.at_peak[0].made_at.graph, "forward");
  EXPECT_EQ(memory.at_peak[0].made_at.node, "mm");
  EXPECT_EQ(memory.at_peak[0].made_at.provenance.module, "layers.0");
  ASSERT_TRUE(memory.at_peak[0].last_used_at);
  EXPECT_EQ(memory.at_peak[0].last_used_at->graph, "backward");
  EXPECT_EQ(memory.at_peak[0].last_used_at->node, "sin");
  EXPECT_EQ(memory.at_peak[1].made_at.node, "tangents_1");
  EXPECT_FALSE(memory.at_peak[1].last_used_at) << "its caller keeps it";
  EXPECT_EQ(memory.at_peak[3].made_at.node, "cos");
  EXPECT_EQ(memory.at_peak[3].size_bytes, 8);
}

TEST(DescribeMemory, TheTableTellsThePeak) {
  EXPECT_NE(report_table(step().report)
                .find("peak              200 B  of memory in the backward, at sin\n"
                      "  saved            64 B  activations for the backward\n"
                      "  outputs           8 B  of the forward; their caller holds them\n"
                      "  tangents         64 B  gradients that enter the backward; its caller holds them\n"
                      "  recomputed       64 B  values, until their last use\n"
                      "resident          328 B  on the device at the peak: with\n"
                      "  parameters       64 B  and buffers\n"
                      "  inputs           64 B  of the step, other than these\n"),
            std::string::npos)
      << report_table(step().report);
}

TEST(PeakParts, AddUpToThePeak) {
  const MemoryReport memory = step().report.memory;
  const std::map<MemoryKind, Int128> parts = peak_parts(memory);
  EXPECT_EQ(parts.size(), 4u);
  EXPECT_TRUE(parts.at(MemoryKind::Saved) == 64) << "mm";
  EXPECT_TRUE(parts.at(MemoryKind::Recomputed) == 64) << "sin";
  Int128 sum = 0;
  for (const auto& [kind, bytes] : parts) sum += bytes;
  EXPECT_TRUE(sum == memory.peak_bytes);
}

// The gradient of the second parameter is None: it is not trained.
TEST(OptimizerStates, AreOfTheTrainedParametersOnly) {
  const Partition result = partition(joint_graph(R"(
  primals_1 = placeholder : bf16[4, 4]@1 static
  primals_2 = placeholder : bf16[4, 4]@2 static
  tangents_1 = placeholder : bf16[4, 4]@3
  mm = aten.mm.default(primals_1, primals_2) : bf16[4, 4]@4
  grad = aten.mm.default(tangents_1, primals_2) : bf16[4, 4]@5
  return mm | grad, None)"),
                                     {});
  EXPECT_EQ(states_of(parse_optimizer("adam"), result.graphs).size_bytes, 2 * 16 * 4);
  EXPECT_EQ(states_of(parse_optimizer("adamw:bfloat16"), result.graphs).size_bytes, 2 * 16 * 2);
  EXPECT_EQ(states_of(parse_optimizer("sgd_momentum"), result.graphs).size_bytes, 16 * 4);
  EXPECT_EQ(states_of(parse_optimizer("sgd"), result.graphs).size_bytes, 0);
}

TEST(OptimizerStates, AnUnknownOptimizerIsRefusedWithTheNearest) {
  for (const char* text : {"adan", "adam:float23"}) EXPECT_THROW(parse_optimizer(text), Failure) << text;
}

TEST(MemoryCurve, IsALineANode) {
  const Partition result = step();
  EXPECT_EQ(memory_curve_csv(result.memory, RunningGraphs(result.graphs)),
            "step,graph,node,operator,bytes,bytes_after\n"
            "0,forward,mm,aten.mm.default,64,64\n"
            "1,forward,sin,aten.sin.default,128,128\n"
            "2,forward,cos,aten.cos.default,136,72\n"
            "3,forward,output,output,72,72\n"
            "4,backward,sin,aten.sin.default,200,136\n"
            "5,backward,grad,aten.mul.Tensor,200,136\n"
            "6,backward,output,output,136,136\n");
}

}  // namespace
}  // namespace fxcut
