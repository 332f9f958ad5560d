#include "report/varying_sizes.h"

#include <gtest/gtest.h>

#include <string>

#include "cost/estimators.h"
#include "report/report.h"

namespace fxcut {
namespace {

// The line that says how near the optimum a decision for steps of 2 and 6 ms is that costs `run_cost` ps.
std::string quality_line(LeastFor least_for, Int128 run_cost, Int128 bound) {
  Report report;
  report.settings.activation_memory_budget_runtime_estimator = find_row(estimators(), "roofline");
  VaryingSizes& sizes = report.varying_sizes.emplace();
  sizes.least_for = least_for;
  for (const double step_ms : {2.0, 6.0}) {
    SizePoint& point = sizes.points.emplace_back();
    point.hints = {{"s0", static_cast<std::int64_t>(step_ms)}};
    point.step_ms = step_ms;
  }
  sizes.binding = 1;
  sizes.quality = SizesQuality{run_cost, bound};
  const std::string shown = show_varying_sizes(report);
  const std::size_t begin = shown.find(": ") + 2;
  return shown.substr(begin, shown.find('\n', begin) - begin);
}

constexpr Int128 kPicosecondsPerMs = 1'000'000'000;

TEST(VaryingSizes, TheDistanceFromTheBestIsOfOneStep) {
  EXPECT_EQ(quality_line(LeastFor::Mean, kPicosecondsPerMs, kPicosecondsPerMs / 5),
            "at most 400 us, 10 % of a step, above the least recomputation");
  EXPECT_EQ(quality_line(LeastFor::Worst, kPicosecondsPerMs, kPicosecondsPerMs / 5),
            "at most 800 us, 13 % of a step, above the least recomputation");
}

TEST(VaryingSizes, NoDecisionBelowTheBoundIsAProof) {
  EXPECT_EQ(quality_line(LeastFor::Mean, 7, 7), "the least recomputation, proven");
}

}  // namespace
}  // namespace fxcut
