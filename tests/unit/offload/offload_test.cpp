// Offloading as a part of a whole partition.
#include "offload/offload.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

const std::string kStep = R"(
  primals_1 = placeholder : f32[512, 512]{512, 1} on cuda:0
  tangents_1 = placeholder : f32[512, 512]{512, 1} on cuda:0
  mm = aten.mm.default(primals_1, primals_1) : f32[512, 512]{512, 1} on cuda:0 should_offload=true
  loss = aten.mm.default(mm, mm) : f32[512, 512]{512, 1} on cuda:0
  grad = aten.mm.default(tangents_1, tangents_1) : f32[512, 512]{512, 1} on cuda:0 runtime_ms=1
  grad_1 = aten.mm.default(grad, mm) : f32[512, 512]{512, 1} on cuda:0
  return loss | grad_1)";

std::string sides(const std::string& text, const Settings& settings) {
  const Partition result = partition(joint_graph(text), settings);
  return names_of(result.graphs.forward) + " | " + names_of(result.graphs.backward);
}

Settings offloading() {
  Settings settings;
  settings.enable_activation_offloading = true;
  return settings;
}

TEST(Offload, MarksMeanNothingUnlessItIsEnabled) {
  EXPECT_EQ(sides(kStep, {}), "primals_1 mm loss output | mm tangents_1 grad grad_1 output");
}

TEST(Offload, BothPartitionersOffload) {
  const std::string expected = "primals_1 mm loss cpu_offload_mm output | cpu_offload_mm tangents_1 grad "
                               "gpu_reload_mm grad_1 output";
  EXPECT_EQ(sides(kStep, offloading()), expected);
  Settings settings = offloading();
  settings.partitioner = Partitioner::Default;
  const std::string tagged = R"(
    primals_1 = placeholder : f32[4] on cuda:0
    mm = aten.sin.default(primals_1) : f32[4] on cuda:0 should_offload=true partitioner_tag=is_forward
    loss = aten.cos.default(mm) : f32[4] on cuda:0 partitioner_tag=is_forward
    tangents_1 = placeholder : f32[4] on cuda:0
    grad = aten.neg.default(tangents_1) : f32[4] on cuda:0
    grad_1 = aten.mul.Tensor(grad, mm) : f32[4] on cuda:0
    return loss | grad_1)";
  EXPECT_EQ(sides(tagged, settings), expected);
}

TEST(Offload, OnlyAStreamOfItsOwnIsSunkAndPrefetched) {
  Settings settings = offloading();
  settings.activation_offload_sink_wait = settings.activation_reload_prefetch = true;
  EXPECT_EQ(sides(kStep, settings),
            "primals_1 mm loss cpu_offload_mm output | cpu_offload_mm tangents_1 grad gpu_reload_mm grad_1 output");
  settings.activation_offload_separate_stream = true;
  EXPECT_EQ(sides(kStep, settings),
            "primals_1 mm loss async_cpu_offload_mm cpu_offload_mm output | "
            "cpu_offload_mm tangents_1 async_gpu_reload_mm grad gpu_reload_mm grad_1 output");
  settings.activation_reload_prefetch = false;
  EXPECT_EQ(sides(kStep, settings),
            "primals_1 mm loss async_cpu_offload_mm cpu_offload_mm output | "
            "cpu_offload_mm tangents_1 grad async_gpu_reload_mm gpu_reload_mm grad_1 output");
}

TEST(Offload, SunkWaitsStandBehindEverythingElse) {
  const std::string more = fmt::format(fmt::runtime(R"(
    primals_1 = placeholder : {0}
    primals_2 = placeholder : {0} should_offload=true
    tangents_1 = placeholder : {0}
    used = aten.mm.default(primals_2, primals_2) : {0}
    loss = aten.mm.default(used, primals_1) : {0}
    grad = aten.mm.default(tangents_1, primals_2) : {0}
    return loss | grad)"), "f32[4, 4] on cuda:0");
  Settings settings = offloading();
  settings.activation_offload_separate_stream = true;
  EXPECT_EQ(sides(more, settings),
            "primals_1 primals_2 used async_cpu_offload_primals_2 cpu_offload_primals_2 loss output | "
            "cpu_offload_primals_2 tangents_1 async_gpu_reload_primals_2 gpu_reload_primals_2 grad output");
  settings.activation_offload_sink_wait = true;
  EXPECT_TRUE(sides(more, settings).starts_with(
      "primals_1 primals_2 used async_cpu_offload_primals_2 loss cpu_offload_primals_2 output | "));
}

TEST(Offload, WithNothingToOffloadAnyOutputsWillDo) {
  EXPECT_EQ(sides(R"(
    primals_1 = placeholder : f32[4] on cuda:0
    tangents_1 = placeholder : f32[4] on cuda:0
    loss = aten.sin.default(primals_1) : f32[4] on cuda:0 should_offload=true
    grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4] on cuda:0
    return loss, None | grad)", offloading()),
            "primals_1 loss output | primals_1 tangents_1 grad output");
}

}  // namespace
}  // namespace fxcut
