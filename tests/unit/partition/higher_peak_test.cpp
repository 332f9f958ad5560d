// A warning where a limit raises the peak.
#include "partition/higher_peak.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kGraph = R"(
    primals_1 = placeholder : f32[64, 64]
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, mm) : f32[64, 64]
    return mm | mul)";

Settings with_budget(double budget) {
  Settings settings;
  settings.activation_memory_budget = budget;
  return settings;
}

// The warnings where the decision under the settings saves and takes that much more than the one without a limit.
std::vector<std::string> warnings_if(const Settings& settings, std::int64_t more_saved, std::int64_t higher) {
  const auto make = [&](JointGraph given) {
    Partition made = partition(std::move(given), {});
    made.report.totals.saved_bytes_not_static += more_saved;
    made.report.memory.peak_bytes += higher;
    return made;
  };
  return compared_with_no_limit(joint_graph(kGraph), settings, {}, make).report.warnings;
}

TEST(HigherPeak, ALimitThatSavesLessAndRaisesThePeakIsWarnedOf) {
  const std::vector<std::string> warnings = warnings_if(with_budget(0.5), -1, 1'000);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_TRUE(
      warnings.front().ends_with("less than the 16384 B without a limit, but its peak is higher, operator by operator: "
                                 "50.2 kB, not 49.2 kB"))
      << warnings.front();
}

TEST(HigherPeak, FiguresThatWouldReadTheSameAreToTheByte) {
  const std::vector<std::string> warnings = warnings_if(with_budget(0.5), -1, 1'000);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_TRUE(warnings.front().starts_with("it saves 16383 B, less than the 16384 B without a limit")) << warnings.front();
}

TEST(HigherPeak, UsesThePeakOfCompiledCodeIfPredicted) {
  Settings settings = with_budget(0.5);
  settings.memory_of = MemoryOf::Compiled;
  const auto warnings_with = [&](std::int64_t higher_compiled) {
    const auto make = [&](JointGraph given) {
      Settings usual;
      usual.memory_of = MemoryOf::Compiled;
      Partition made = partition(std::move(given), usual);
      made.report.totals.saved_bytes_not_static -= 1;
      made.report.memory.peak_bytes += 1'000;
      made.report.memory.compiled->peak_bytes += higher_compiled;
      return made;
    };
    return compared_with_no_limit(joint_graph(kGraph), settings, {}, make).report.warnings;
  };
  EXPECT_TRUE(warnings_with(0).empty()) << "that of the operators is higher, which says nothing of compiled code";
  const std::vector<std::string> warnings = warnings_with(1'000);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_NE(warnings.front().find("but its peak is higher, predicted for compiled code: "), std::string::npos)
      << warnings.front();
}

TEST(HigherPeak, UsesThePeakOfCompiledCodeByDefaultForInductor) {
  JointGraph joint = joint_graph(kGraph);
  joint.compiler = kInductor;
  const auto make = [&](JointGraph given) {
    Partition made = partition(std::move(given), {});
    made.report.totals.saved_bytes_not_static -= 1;
    made.report.memory.compiled->peak_bytes += 1'000;
    return made;
  };
  const std::vector<std::string> warnings = compared_with_no_limit(joint, with_budget(0.5), {}, make).report.warnings;
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_NE(warnings.front().find("predicted for compiled code: "), std::string::npos) << warnings.front();
}

TEST(HigherPeak, ALimitOfBytesIsOneAsWell) {
  Settings settings;
  settings.saved_bytes_limit = limit_of_bytes(1 << 20);
  EXPECT_EQ(warnings_if(settings, -1, 1'000).size(), 1);
  settings = {};
  settings.peak_bytes_limit = limit_of_bytes(1 << 20);
  EXPECT_EQ(warnings_if(settings, -1, 1'000).size(), 1);
}

TEST(HigherPeak, IsNotReportedIfNoLessIsSaved) { EXPECT_TRUE(warnings_if(with_budget(0.5), 0, 1'000).empty()); }

TEST(HigherPeak, ARiseOfLessThanAHundredthIsNot) { EXPECT_TRUE(warnings_if(with_budget(0.5), -1, 400).empty()); }

TEST(HigherPeak, WithoutALimitNothingIsCompared) { EXPECT_TRUE(warnings_if({}, -1, 1'000).empty()); }

}  // namespace
}  // namespace fxcut
