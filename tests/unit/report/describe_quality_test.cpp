#include "report/describe_quality.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cost/estimators.h"

namespace fxcut {
namespace {

constexpr Int128 kPicosecondsPerUs = 1'000'000;

// Of a decision that costs `run_cost`, by that estimator.
Report report_of(Int128 run_cost, const std::string& estimator) {
  Report report;
  report.settings.activation_memory_budget_runtime_estimator = find_row(estimators(), estimator);
  report.frontier.emplace();
  report.frontier->run_cost = run_cost;
  return report;
}

TEST(DescribeQuality, TimeIsShownBesideTheStep) {
  Report report = report_of(180 * kPicosecondsPerUs, "roofline");
  EXPECT_EQ(describe_quality(report, 111 * kPicosecondsPerUs), "at most 69.0 us above the least recomputation within it");
  report.run_time.emplace();
  report.run_time->step_ms = 8.8;
  EXPECT_EQ(describe_quality(report, 111 * kPicosecondsPerUs),
            "at most 69.0 us, 0.78 % of a step, above the least recomputation within it");
  report.frontier->keep_cost = 19 * kPicosecondsPerUs;
  EXPECT_EQ(describe_quality(report, 111 * kPicosecondsPerUs),
            "at most 69.0 us, 0.78 % of a step, above the least recomputation and saving within it");
}

TEST(DescribeQuality, OperationsAreShownAsAShareOfTheBound) {
  EXPECT_EQ(describe_quality(report_of(103, "flops"), 100), "at most 3 % above the least recomputation within it");
  EXPECT_EQ(describe_quality(report_of(300, "flops"), 100), "at most 200 FLOP above the least recomputation within it");
  EXPECT_EQ(describe_quality(report_of(300, "flops"), 0), "at most 300 FLOP above the least recomputation within it");
}

TEST(DescribeQuality, AProvenDecisionIsTheLeast) {
  Report report = report_of(300, "flops");
  report.frontier->is_proven = true;
  EXPECT_EQ(describe_quality(report, 300), "the least recomputation within it, proven");
}

}  // namespace
}  // namespace fxcut
