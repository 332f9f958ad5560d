// How long predicted kernels take.
#include "inductor/kernel_times.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "cost/fused_roofline.h"
#include "graph_text.h"
#include "settings/settings.h"

namespace fxcut {
namespace {

// A card on which times are round: 1000 bytes take 1 ns, a kernel 1 us, a random number 1 ns.
DeviceProfile card() {
  DeviceProfile profile;
  profile.memory_gb_per_second = 1000;
  profile.efficiency.memory = 1;
  profile.elements.random_ns = 1;
  profile.kernels = {1, 100};
  return profile;
}

// Microseconds of a forward of these lines; the backward is empty.
double us_of(const std::string& lines, const DeviceProfile& device = card()) {
  const JointGraph joint = joint_graph(lines);
  const GraphPair graphs{joint.graph, joint_graph("return |").graph};
  return 1e3 * step_time(graphs, predict_code(graphs, joint), device).ms;
}

constexpr double kMegabyte = 1;  // in microseconds

TEST(KernelTimes, AFusedChainReadsAndWritesItsEndsOnly) {
  // 4 MB in, 4 MB out, and a kernel.
  EXPECT_DOUBLE_EQ(us_of("primals_1 = placeholder : f32[1000, 1000]\n"
                         "sin = aten.sin.default(primals_1) : f32[1000, 1000]\n"
                         "cos = aten.cos.default(sin) : f32[1000, 1000]\n"
                         "return cos |"),
                   8 * kMegabyte + 1);
}

TEST(KernelTimes, SharedInputsAreReadOnce) {
  EXPECT_DOUBLE_EQ(us_of("primals_1 = placeholder : f32[1000, 1000]\n"
                         "sin = aten.sin.default(primals_1) : f32[1000, 1000]\n"
                         "cos = aten.cos.default(primals_1) : f32[1000, 1000]\n"
                         "return sin, cos |"),
                   12 * kMegabyte + 1);
}

TEST(KernelTimes, ASliceReadsItsElementsOnly) {
  EXPECT_DOUBLE_EQ(us_of("primals_1 = placeholder : f32[1000, 1000]\n"
                         "slice = aten.slice.Tensor(primals_1, 0, 0, 250) : f32[250, 1000]\n"
                         "sin = aten.sin.default(slice) : f32[250, 1000]\n"
                         "return sin |"),
                   2 * kMegabyte + 1);
}

TEST(KernelTimes, RandomNumbersAreDrawnOneByOne) {
  const std::string random = "primals_1 = placeholder : f32[1000, 1000]\n"
                             "seeds = prims.inductor_seeds.default(1, \"cuda\") : i64[1]\n"
                             "seed = prims.inductor_lookup_seed.default(seeds, 0) : i64[]\n"
                             "random = prims.inductor_random.default([1000, 1000], seed, \"rand\") : f32[1000, 1000]\n"
                             "add = aten.add.Tensor(primals_1, random) : f32[1000, 1000]\n"
                             "return add |";
  DeviceProfile slower = card();
  slower.elements.random_ns = 2;
  EXPECT_DOUBLE_EQ(us_of(random, slower) - us_of(random), 1000);
}

TEST(KernelTimes, TheStepIsTheSumOfItsKernelsEachWithTheOperatorsThatItFuses) {
  const JointGraph joint = joint_graph("primals_1 = placeholder : f32[1000, 1000]\n"
                                       "sin = aten.sin.default(primals_1) : f32[1000, 1000]\n"
                                       "t = aten.permute.default(sin, [1, 0]) : f32[1000, 1000]\n"
                                       "cos = aten.cos.default(t) : f32[1000, 1000]\n"
                                       "mm = aten.mm.default(cos, primals_1) : f32[1000, 1000]\n"
                                       "return mm |");
  const GraphPair graphs{joint.graph, joint_graph("return |").graph};
  const PredictedCode code = predict_code(graphs, joint);
  const TimedStep step = timed_kernels(graphs, code, card());
  const auto& [graph, kernels] = step.forward;
  ASSERT_EQ(kernels.size(), 2U);
  const auto names = [&](const TimedKernel& kernel) {
    std::string text;
    for (const NodeId id : kernel.nodes) text += (*graph)[id].name + " ";
    return text;
  };
  EXPECT_EQ(names(kernels[0]), "sin cos ");
  EXPECT_TRUE(kernels[0].is_generated);
  EXPECT_EQ(names(kernels[1]), "mm ");
  EXPECT_FALSE(kernels[1].is_generated);
  EXPECT_DOUBLE_EQ(kernels[0].ms + kernels[1].ms, step_time(graphs, code, card()).ms);
  EXPECT_TRUE(step.backward.kernels.empty());
  EXPECT_FALSE(step.of_operators);
}

TEST(KernelTimes, EachKernelIsLaunched) {
  const JointGraph joint = joint_graph("primals_1 = placeholder : f32[1000, 1000]\n"
                                       "sin = aten.sin.default(primals_1) : f32[1000, 1000]\n"
                                       "mm = aten.mm.default(sin, primals_1) : f32[1000, 1000]\n"
                                       "return mm |");
  const GraphPair graphs{joint.graph, joint_graph("return |").graph};
  const PredictedCode code = predict_code(graphs, joint);
  DeviceProfile device = card();
  EXPECT_EQ(step_time(graphs, code, device).launch_ms, std::nullopt);
  device.kernels.launch_us = 10;
  EXPECT_EQ(step_time(graphs, code, device).launch_ms, 0.02);
  EXPECT_EQ(step_time(graphs, std::nullopt, device).launch_ms, std::nullopt);
}

TEST(KernelTimes, WithoutKnownKernelsTheTimeIsThatOfOperators) {
  const JointGraph joint = joint_graph("primals_1 = placeholder : f32[1000, 1000]\n"
                                       "sin = aten.sin.default(primals_1) : f32[1000, 1000]\n"
                                       "return sin |");
  const GraphPair graphs{joint.graph, joint_graph("return |").graph};
  DeviceProfile cpu = card();
  cpu.kernels = {};
  const double of_operators = run_time_ms(joint.graph, cpu);
  EXPECT_GT(of_operators, 0);
  EXPECT_EQ(step_time(graphs, predict_code(graphs, joint), cpu).ms, of_operators);
  EXPECT_EQ(step_time(graphs, std::nullopt, card()).ms, run_time_ms(joint.graph, card()));
  const TimedStep step = timed_kernels(graphs, std::nullopt, card());
  EXPECT_TRUE(step.of_operators);
  ASSERT_EQ(step.forward.kernels.size(), 1U);
  EXPECT_EQ(step.forward.kernels[0].ms, run_time_ms(joint.graph, card()));
}

}  // namespace
}  // namespace fxcut
