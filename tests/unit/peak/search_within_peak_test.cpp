// The lowest peaks of chains, whose best segments are known: each as long as the values kept before it allow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "graph_text.h"
#include "partition/peak_search.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr Int128 kActivation = Int128{64} * 64 * 4;  // bytes

Settings with_lowest_peak() {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.peak_bytes_limit = least_limit();
  settings.budget_search_steps = 10'000'000;  // enough for all chains here; by their size one is searched for seconds in vain
  return settings;
}

double lowest_in_values(const std::string& text) {
  const Partition found = partition_within_peak(joint_graph(text), with_lowest_peak());
  return static_cast<double>(found.memory.peak_bytes()) / static_cast<double>(kActivation);
}

// Layers of a product and a sigmoid, of which the backward takes the input and the result. Parameters stay; inputs are not saved.
std::string layers(int count) {
  std::string text = "primals_1 = placeholder : f32[64, 64]\n";
  const auto value = [](int i) { return i == 0 ? std::string("primals_1") : fmt::format("act_{}", i); };
  for (int i = 1; i <= count; ++i) text += fmt::format("w_{} = placeholder primals_{} : f32[64, 64] static\n", i, i + 1);
  text += "tangents_1 = placeholder : f32[64, 64]\n";
  for (int i = 1; i <= count; ++i) {
    text +=
        fmt::format("mm_{0} = aten.mm.default({1}, w_{0}) : f32[64, 64]\nact_{0} = aten.sigmoid.default(mm_{0}) : f32[64, 64]\n",
                    i, value(i - 1));
  }
  std::string gradient = "tangents_1";
  for (int i = count; i > 0; --i) {
    text += fmt::format("back_{0} = aten.sigmoid_backward.default({1}, act_{0}) : f32[64, 64]\n", i, gradient);
    text += fmt::format("to_{0} = aten.mm.default(back_{0}, w_{0}) : f32[64, 64]\n", i);
    gradient = fmt::format("to_{}", i);
  }
  return text + fmt::format("return act_{} | {}\n", count, gradient);
}

// Calls of which the backward takes the input; `meta` is that of the i-th.
std::string calls(int count, const auto& meta) {
  std::string text = "primals_1 = placeholder : f32[64, 64]\ntangents_1 = placeholder : f32[64, 64]\n";
  const auto value = [](int i) { return i == 0 ? std::string("primals_1") : fmt::format("f{}", i); };
  for (int i = 1; i <= count; ++i) text += fmt::format("f{} = aten.sin.default({}) : f32[64, 64]{}\n", i, value(i - 1), meta(i));
  std::string gradient = "tangents_1";
  for (int i = count; i > 0; --i) {
    text += fmt::format("c{0} = aten.cos.default({1}) : f32[64, 64]\ng{0} = aten.mul.Tensor({2}, c{0}) : f32[64, 64]\n", i,
                        value(i - 1), gradient);
    gradient = fmt::format("g{}", i);
  }
  return text + fmt::format("return f{} | {}\n", count, gradient);
}

// Segments of equal length would need 2 sqrt(n); falling ones about sqrt(2 n), and a few values of the backward's own.
TEST(SearchWithinPeak, KeepsAboutTheRootOfTwiceTheLayers) {
  EXPECT_LE(lowest_in_values(layers(64)), 15);
  EXPECT_LE(lowest_in_values(layers(256)), 26);
  EXPECT_LE(lowest_in_values(layers(1024)), 49);
}

TEST(SearchWithinPeak, EndsAtOnceWhereEverythingCanBeKept) {
  Settings settings = with_lowest_peak();
  settings.peak_bytes_limit = limit_of_bytes(std::int64_t{1000} * 1000 * 1000);
  settings.memory_of = MemoryOf::Operators;
  const Report report = partition_within_peak(joint_graph(layers(64)), settings).report;
  EXPECT_EQ(report.frontier->run_cost, 0);
  EXPECT_TRUE(report.frontier->is_proven);
  EXPECT_LT(report.peak_limit->tried, 20u);
}

// Branches whose sum is the result, and at the end of the backward a gradient as large as half of their products.
std::string branches_before_a_large_gradient(int count) {
  std::string text = "primals_1 = placeholder : f32[64, 64]\n", sum = "sin_1", gradients = "None";
  for (int i = 1; i <= count; ++i) text += fmt::format("w_{} = placeholder primals_{} : f32[64, 64] static\n", i, i + 1);
  text += "tangents_1 = placeholder : f32[64]\n";
  for (int i = 1; i <= count; ++i) {
    text += fmt::format("mm_{0} = aten.mm.default(primals_1, w_{0}) : f32[64, 64]\n"
                        "sin_{0} = aten.sin.default(mm_{0}) : f32[64, 64]\n", i);
    if (i == 1) continue;
    text += fmt::format("sum_{0} = aten.add.Tensor({1}, sin_{0}) : f32[64, 64]\n", i, sum);
    sum = fmt::format("sum_{}", i);
  }
  for (int i = 1; i <= count; ++i) {
    text += fmt::format("cos_{0} = aten.cos.default(mm_{0}) : f32[64, 64]\n"
                        "back_{0} = aten.mul.Tensor(tangents_1, cos_{0}) : f32[64, 64]\n"
                        "grad_{0} = aten.sum.dim_IntList(back_{0}, [0]) : f32[64]\n", i);
    gradients += fmt::format(", grad_{}", i);
  }
  return text + fmt::format("out = aten.sum.dim_IntList({0}, [0]) : f32[64]\n"
                            "large = aten.repeat.default(grad_{1}, [{2}, 1]) : f32[{2}, 64]\n"
                            "return out | {3}, large\n", sum, count, 64 * (count / 2), gradients);
}

// The lowest peak is that of the large gradient, which the first choices reach; a limit above it leaves room to keep values.
TEST(SearchWithinPeak, KeepsValuesWithinALimitAboveALowestPeakThatIsKnownAtOnce) {
  const JointGraph joint = joint_graph(branches_before_a_large_gradient(20));
  Settings settings = with_lowest_peak();
  const Partition least = partition_within_peak(joint, settings);
  Int128 cost = least.report.frontier->run_cost;
  for (const int more : {2, 4, 6, 8}) {
    const Int128 limit = least.memory.peak_bytes() + more * kActivation;
    settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(limit));
    const Partition found = partition_within_peak(joint, settings);
    EXPECT_LE(found.memory.peak_bytes(), limit);
    EXPECT_LT(found.report.frontier->run_cost, cost) << more;
    cost = found.report.frontier->run_cost;
  }
}

// The first segment is recomputed from the step's input, which nothing else needs.
TEST(SearchWithinPeak, RecomputesFromAnInputThatTheBackwardDoesNotTake) {
  EXPECT_LE(lowest_in_values(calls(200, [](int) { return ""; })), 25);
}

// Within a region nothing is saved, so that segments end where regions do.
TEST(SearchWithinPeak, EndsSegmentsWhereValuesCanBeSaved) {
  const auto in_regions = [](int i) { return fmt::format(" recompute=PREFER_RECOMPUTE ac_graph_id={}", (i - 1) / 8); };
  EXPECT_LE(lowest_in_values(calls(200, in_regions)), 28);
}

// A random number is smaller than the state that would make it again.
TEST(SearchWithinPeak, KeepsRandomNumbersOfTheCpu) {
  std::string text = calls(60, [](int) { return ""; });
  text.insert(text.find("f20 ="), "drawn = aten.rand_like.default(f19) : f32[4]\nsmall = aten.sum.default(drawn) : f32[]\n");
  text.replace(text.find("sin.default(f19)"), 16, "mul.Tensor(f19, small)");
  EXPECT_LE(lowest_in_values(text), 14.5);
}

}  // namespace
}  // namespace fxcut
