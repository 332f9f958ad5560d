// The time and memory of a stage.
#include "stage/stage_price.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMatrix = 64 * 64 * 4;  // bytes

// A linear layer after a sine: its backward saves sin (or its input) and the weight.
constexpr std::string_view kLayer = R"(
    primals_1 = placeholder : f32[64, 64]@1
    primals_2 = placeholder : f32[64, 64]@2 static
    mm = aten.mm.default(primals_1, primals_2) : f32[64, 64]@3
    tangents_1 = placeholder : f32[64, 64]@4
    t = aten.t.default(primals_1) : f32[64, 64]{1, 64}@1
    mm_1 = aten.mm.default(t, tangents_1) : f32[64, 64]@5
    t_1 = aten.t.default(primals_2) : f32[64, 64]{1, 64}@2
    mm_2 = aten.mm.default(tangents_1, t_1) : f32[64, 64]@6
    return mm | mm_2, mm_1
)";

TEST(StagePrice, HoldsItsInputsAndOutputsFromForwardToBackward) {
  const StageBytes bytes = price_stage(partition(joint_graph(kLayer), {}), {}).bytes;
  EXPECT_EQ(bytes.parameters, kMatrix);
  EXPECT_EQ(bytes.gradients, kMatrix);
  EXPECT_EQ(bytes.held, 2 * kMatrix);      // primals_1, mm
  EXPECT_EQ(bytes.forward, 2 * kMatrix);
  EXPECT_EQ(bytes.backward, 5 * kMatrix);  // and tangents_1, mm_1, mm_2
}

TEST(StagePrice, TakesTheTimeOfTheReportedStep) {
  const Partition made = partition(joint_graph(kLayer), {});
  const StageTimes times = price_stage(made, {}).times;
  EXPECT_GT(times.forward_ms, 0);
  EXPECT_GT(times.backward_ms, times.forward_ms);
  EXPECT_DOUBLE_EQ(times.forward_ms + times.backward_ms, made.report.run_time->step_ms);
}

TEST(StagePrice, HasTheMemoryOfCompiledCodeWhereThatIsPredicted) {
  std::string text(kLayer);  // in whose code the waves are one kernel
  const auto replace = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  replace("mm = aten.mm.default(primals_1",
          "sin = aten.sin.default(primals_1) : f32[64, 64]@7\n    cos = aten.cos.default(primals_1) : f32[64, 64]@8\n"
          "    wave = aten.mul.Tensor(sin, cos) : f32[64, 64]@9\n    mm = aten.mm.default(wave");
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  const Partition made = partition(joint_graph(text), settings);
  const StageBytes bytes = price_stage(made, {}).bytes, of_parts = price_stage(made, {Holding::AsNeeded, {}}).bytes;
  const MemoryReport& memory = made.report.memory;
  ASSERT_LT(memory.compiled->forward_peak_bytes, memory.forward_peak_bytes);
  EXPECT_EQ(bytes.forward, memory.compiled->forward_peak_bytes + memory.input_bytes);
  EXPECT_EQ(bytes.backward, memory.compiled->backward_peak_bytes + memory.input_bytes);
  EXPECT_EQ(bytes.held, memory.compiled->between_bytes + memory.input_bytes);
  EXPECT_EQ(of_parts.forward, memory.forward_peak_bytes + memory.input_bytes);  // to which its parts are compared
}

TEST(StagePrice, ASplitBackwardMakesGradientsOfInputsFirst) {
  const StageChoice choice = price_stage(partition(joint_graph(kLayer), {}), {Holding::AsNeeded, {}});
  EXPECT_DOUBLE_EQ(choice.times.input_backward_ms + choice.times.weight_backward_ms, choice.times.backward_ms);
  EXPECT_GT(choice.times.input_backward_ms, 0);  // mm_2
  EXPECT_GT(choice.times.weight_backward_ms, 0);  // mm_1
  EXPECT_EQ(choice.bytes.input_backward, 4 * kMatrix);    // primals_1, mm, tangents_1, mm_2
  EXPECT_EQ(choice.bytes.held_for_weights, 2 * kMatrix);  // primals_1, tangents_1: what split-backward hands over
  EXPECT_EQ(choice.bytes.weight_backward, 3 * kMatrix);   // and mm_1
}

// The second part's graph computes the sine again, and takes the stage's input for it.
TEST(StagePrice, PricesTheGraphsOfSplitBackward) {
  std::string text(kLayer);
  const auto replace = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  replace("mm = aten.mm.default(primals_1", "sin = aten.sin.default(primals_1) : f32[64, 64]@7\n    mm = aten.mm.default(sin");
  replace("t = aten.t.default(primals_1) : f32[64, 64]{1, 64}@1", "t = aten.t.default(sin) : f32[64, 64]{1, 64}@7");
  replace("return mm | mm_2",
          "cos = aten.cos.default(primals_1) : f32[64, 64]@8\n    mul = aten.mul.Tensor(mm_2, cos) : f32[64, 64]@9\n"
          "    return mm | mul");
  Settings settings;
  settings.aggressive_recomputation = true;
  const Partition made = partition(joint_graph(text), settings);
  const StageChoice choice = price_stage(made, {Holding::AsNeeded, {}});
  EXPECT_GT(choice.recomputed_flops, 0U);
  EXPECT_EQ(choice.bytes.held, 2 * kMatrix);              // primals_1, mm
  EXPECT_EQ(choice.bytes.held_for_weights, 2 * kMatrix);  // primals_1, tangents_1
  EXPECT_EQ(choice.bytes.weight_backward, 4 * kMatrix);   // and sin, mm_1
}

TEST(StagePrice, AFirstStageHasOnlyGradientsOfWeights) {
  std::string text(kLayer);
  text.replace(text.find("mm_2, mm_1"), 10, "None, mm_1");
  const StageChoice choice = price_stage(partition(joint_graph(text), {}), {Holding::AsNeeded, {}});
  EXPECT_EQ(choice.times.input_backward_ms, 0);
  EXPECT_DOUBLE_EQ(choice.times.weight_backward_ms, choice.times.backward_ms);
  EXPECT_EQ(choice.bytes.held_for_weights, choice.bytes.held);
}

// Four sines of an input, in each other: saving all recomputes nothing.
constexpr std::string_view kChain = R"(
    primals_1 = placeholder : f32[64]@1
    sin = aten.sin.default(primals_1) : f32[64]@2
    sin_1 = aten.sin.default(sin) : f32[64]@3
    sin_2 = aten.sin.default(sin_1) : f32[64]@4
    tangents_1 = placeholder : f32[64]@5
    cos = aten.cos.default(sin_1) : f32[64]@6
    mul = aten.mul.Tensor(tangents_1, cos) : f32[64]@7
    cos_1 = aten.cos.default(sin) : f32[64]@8
    mul_1 = aten.mul.Tensor(mul, cos_1) : f32[64]@9
    cos_2 = aten.cos.default(primals_1) : f32[64]@10
    mul_2 = aten.mul.Tensor(mul_1, cos_2) : f32[64]@11
    return sin_2 | mul_2
)";

TEST(StagePrice, ChoicesGoFromTheLeastSavedToTheLeastRecomputed) {
  Settings settings;
  settings.memory_of = MemoryOf::Operators;  // a compiler would compute them all in one kernel
  const std::vector<StageChoice> choices = stage_choices(joint_graph(kChain), settings, {}, {}, 8);
  ASSERT_GE(choices.size(), 2U);
  EXPECT_EQ(choices.front().saved_bytes, 256);
  EXPECT_EQ(choices.back().recomputed_flops, 0U);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    EXPECT_GT(choices[i].saved_bytes, choices[i - 1].saved_bytes);
    EXPECT_LE(choices[i].recomputed_flops, choices[i - 1].recomputed_flops);
    EXPECT_EQ(choices[i].limit_bytes, choices[i].saved_bytes);
  }
  const std::vector<StageChoice> two = stage_choices(joint_graph(kChain), settings, {}, {}, 2);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two.front().saved_bytes, choices.front().saved_bytes);
  EXPECT_EQ(two.back().saved_bytes, choices.back().saved_bytes);
}

}  // namespace
}  // namespace fxcut
