// How early copies back are started. A copy of 4 MiB takes 4 / 1024 * 1000 / 50 = 0.078125 ms.
#include "offload/offload.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// Computation of `runtime_ms` milliseconds, the start of a copy of `from`, and the wait for it with a use.
std::string compute(const std::string& name, const std::string& runtime_ms) {
  return name + " = aten.mm.default(t, t) : f32[16, 16] runtime_ms=" + runtime_ms + "\n";
}
std::string start(const std::string& number) {
  return "start" + number + " = ao.reload.default(host" + number + ", device(cuda:0), [1024, 1024], [1024, 1])\n";
}
std::string finish(const std::string& number) {
  return "wait" + number + " = ao.wait_tensor.default(start" + number + ", host" + number + ")\nuse" + number +
         " = aten.sin.default(wait" + number + ")\n";
}

const std::string kInputs = "host1 = placeholder : f32[1024, 1024] on cpu\n"
                            "host2 = placeholder : f32[1024, 1024] on cpu\n"
                            "t = placeholder : f32[16, 16]\n";

// The order of the nodes after the inputs.
std::string order(const std::string& lines, const Settings& settings = {}, Release release = kNewestRelease) {
  const Graph graph = joint_graph(kInputs + lines + "return t").graph;
  const std::string names = names_of(prefetch_reloads(graph, settings, release));
  EXPECT_TRUE(names.starts_with("host1 host2 t "));
  EXPECT_TRUE(names.ends_with(" output"));
  return names.substr(14, names.size() - 14 - 7);
}

TEST(Prefetch, StartsWhereTheComputationBeforeTheWaitCoversTheCopy) {
  EXPECT_EQ(order(compute("a", "1") + compute("b", "0.05") + compute("c", "0.05") + start("1") + finish("1")),
            "a start1 b c wait1 use1");
}

TEST(Prefetch, StartsAtANodeThatEndsWithTheCopyAndNotAHairLater) {
  EXPECT_EQ(order(compute("a", "1") + compute("b", "0.078125") + start("1") + finish("1")), "a start1 b wait1 use1");
  EXPECT_EQ(order(compute("a", "1") + compute("b", "0.0781249") + start("1") + finish("1")), "start1 a b wait1 use1");
}

TEST(Prefetch, OnlyComputeNodesCount) {
  const std::string pointwise = "b = aten.sin.default(t) : f32[16, 16] runtime_ms=9.0\n";
  EXPECT_EQ(order(compute("a", "1") + pointwise + start("1") + finish("1")), "start1 a b wait1 use1");
}

TEST(Prefetch, TheBandwidthSaysHowLongACopyTakes) {
  Settings settings;
  settings.activation_offload_cpu_gpu_bw = 25;
  const std::string lines = compute("a", "0.078125") + compute("b", "0.078125") + start("1") + finish("1");
  EXPECT_EQ(order(lines), "a start1 b wait1 use1");
  EXPECT_EQ(order(lines, settings), "start1 a b wait1 use1");
}

TEST(Prefetch, WithTooLittleToComputeStartsBehindTheInputsInTheirOrder) {
  EXPECT_EQ(order(compute("a", "0.01") + start("1") + finish("1") + start("2") + finish("2")),
            "start1 start2 a wait1 use1 wait2 use2");
}

TEST(Prefetch, TheCopyThatIsNeededLastGoesFirstIntoTheQueue) {
  const std::string computation = compute("a", "0.078125") + compute("b", "0.078125");
  EXPECT_EQ(order(computation + start("1") + finish("1") + start("2") + finish("2")),
            "start1 a start2 b wait1 use1 wait2 use2");
}

TEST(Prefetch, ExcessComputationIsNotCarriedOver) {
  EXPECT_EQ(order(compute("a", "0.07") + compute("b", "9.0") + start("1") + finish("1") + start("2") + finish("2")),
            "start1 a start2 b wait1 use1 wait2 use2");
}

TEST(Prefetch, ACopyOfNothingStartsBeforeTheNextNode) {
  const std::string empty = "none = ao.reload.default(nothing, device(cuda:0), [0], [1])\n"
                            "wait = ao.wait_tensor.default(none, nothing)\n";
  const Graph graph = joint_graph("nothing = placeholder : f32[0]\nt = placeholder : f32[16, 16]\nw = get_attr w\n"
                                  "a = aten.sin.default(t)\n" + empty + "return wait").graph;
  EXPECT_EQ(names_of(prefetch_reloads(graph, {}, kNewestRelease)), "nothing t w none a wait output");
}

TEST(Prefetch, ConstantsAreNoInputs) {
  EXPECT_EQ(order("w = get_attr w\n" + compute("a", "0.01") + start("1") + finish("1")), "start1 w a wait1 use1");
}

TEST(Prefetch, ACopyThatNobodyWaitsForStays) {
  EXPECT_EQ(order(compute("a", "1") + start("1")), "a start1");
}

TEST(Prefetch, CountedComputationDependsOnTheRelease) {
  const std::string lines = "a = aten._scaled_dot_product_flash_attention_for_cpu.default(t, t, t) runtime_ms=1\n" +
                            compute("b", "0.01") + start("1") + finish("1");
  EXPECT_EQ(order("z = aten.sin.default(t)\n" + lines, {}, Release{13}), "start1 z a b wait1 use1");
  EXPECT_EQ(order("z = aten.sin.default(t)\n" + lines, {}, Release{15}), "z start1 a b wait1 use1");
}

TEST(Prefetch, RunTimesThatTheGraphLacksAreEstimated) {
  // 2 * 2^39 operations at 495 TFLOPS of an H100 take 2.2 ms, far more than the copy.
  const std::string lines = "a = aten.sin.default(t)\n"
                            "b = aten.mm.default(big, big) : f32[8192, 8192]\n" + start("1") + finish("1");
  EXPECT_EQ(order("big = aten.expand.default(t, [8192, 8192]) : f32[8192, 8192]\n" + lines), "big a start1 b wait1 "
                                                                                             "use1");
}

TEST(Prefetch, ACopyOfWhatIsComputedCannotStartBeforeIt) {
  try {
    order("made = aten.sin.default(host1) : f32[1024, 1024]\n"
          "start = ao.reload.default(made, device(cuda:0), [4], [1])\n"
          "wait = ao.wait_tensor.default(start, made)\n");
    FAIL() << "it would start behind the inputs";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).message, "'start' would be prefetched before 'made', which it copies");
  }
}

}  // namespace
}  // namespace fxcut
