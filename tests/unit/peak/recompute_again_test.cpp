// A limit of the peak where values may be recomputed again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/peak_search.h"
#include "policy/conflicting_limits.h"
#include "policy/setting_rows.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr Int128 kValue = 400;  // bytes

// The backward of each layer needs the layer's input.
std::string chain(int layers) {
  std::string text = "primals_1 = placeholder : f32[100]\ntangents_1 = placeholder : f32[100]\n";
  const auto value = [](int i) { return i == 0 ? std::string("primals_1") : fmt::format("f{}", i); };
  for (int i = 1; i <= layers; ++i) text += fmt::format("f{} = aten.sin.default({}) : f32[100]\n", i, value(i - 1));
  for (int i = layers; i > 0; --i) {
    const std::string gradient = i == layers ? "tangents_1" : fmt::format("g{}", i + 1);
    text += fmt::format("g{} = aten.mul.Tensor({}, {}) : f32[100]\n", i, gradient, value(i - 1));
  }
  return text + fmt::format("return f{} | g1\n", layers);
}

Settings within(const MemoryLimit& limit, bool again) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.activation_memory_budget_runtime_estimator = RowOf<Estimator>{};  // flops: one each
  settings.peak_bytes_limit = limit;
  settings.recompute_again = again;
  settings.budget_search_steps = 3'000'000;  // a tenth of a second
  return settings;
}

const MemoryLimit kLowestPeak = least_limit();

TEST(RecomputeAgain, LowersTheLeastPeakOfAChain) {
  const JointGraph joint = joint_graph(chain(40));
  const Partition alone = partition_within_peak(joint, within(kLowestPeak, false));
  const Partition again = partition_within_peak(joint, within(kLowestPeak, true));
  EXPECT_TRUE(alone.memory.peak_bytes() >= 11 * kValue) << "about sqrt(2 n), and three of the backward";
  EXPECT_TRUE(again.memory.peak_bytes() <= 6 * kValue) << static_cast<double>(again.memory.peak_bytes()) / 400;
  EXPECT_TRUE(alone.report.recomputed_again.empty());
  Int128 cost = 0;
  for (const RecomputedValue& row : again.report.recomputed_values) cost += row.flops;
  for (const RecomputedAgainValue& row : again.report.recomputed_again) cost += row.flops;
  EXPECT_TRUE(again.report.frontier->run_cost == cost);
}

TEST(RecomputeAgain, IsNotDoneWhereTheLimitDoesNotNeedIt) {
  const JointGraph joint = joint_graph(chain(12));
  const Partition found = partition_within_peak(joint, within(limit_of_bytes(100 * 400), true));
  EXPECT_TRUE(found.report.recomputed_again.empty());
  EXPECT_TRUE(found.report.frontier->run_cost == 0);
}

TEST(RecomputeAgain, SaysWhatTheLowestIs) {
  const JointGraph joint = joint_graph(chain(12));
  const Int128 lowest = partition_within_peak(joint, within(kLowestPeak, true)).memory.peak_bytes();
  try {
    partition_within_peak(joint, within(limit_of_bytes(1000), true));
    ADD_FAILURE() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find(fmt::format("the lowest found is {} bytes", lowest)), std::string::npos)
        << failure.what();
  }
}

TEST(RecomputeAgain, RandomNumbersAndWhatIsMutatedAreNotRepeated) {
  std::string text = chain(30);
  text.insert(text.find("f10 ="), "f9r = aten.rand_like.default(f9) : f32[100]\n");
  text.replace(text.find("sin.default(f9)"), 15, "mul.Tensor(f9, f9r)");
  const Partition found = partition_within_peak(joint_graph(text), within(kLowestPeak, true));
  EXPECT_FALSE(found.report.recomputed_again.empty());
  for (const RecomputedAgainValue& row : found.report.recomputed_again) EXPECT_NE(row.of, "f9r");
}

std::string refusal(const Settings& settings) {
  try {
    refuse_conflicting_limits(settings);
    return "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    return failure.diagnostics().at(0).message;
  }
}

TEST(RecomputeAgain, IsForALimitOfThePeakAndNotWithCopiesOrBarriers) {
  Settings settings = within(kLowestPeak, true);
  EXPECT_EQ(refusal(settings), "not refused");
  settings.recompute_barrier = true;
  EXPECT_EQ(refusal(settings),
            "--recompute-again cannot be combined with recompute barriers, which do not tell one run of a call from the next");
  settings = within(limit_of_bytes(1), true);
  settings.offload = Offload::Auto;
  EXPECT_EQ(refusal(settings), "--recompute-again cannot be combined with offload=auto");
  settings.peak_bytes_limit.reset();
  EXPECT_EQ(refusal(settings), "--recompute-again is for a limit of the peak: it lowers nothing else");
}

}  // namespace
}  // namespace fxcut
