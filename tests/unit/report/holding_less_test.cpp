// Ways to need less memory, as the terminal and the page show them.
#include "report/holding_less.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

Report decided() {
  Report report;
  report.totals.saved_bytes_not_static = 2000;
  report.memory.peak_bytes = 9000;
  report.run_time = RunTimeReport{.device = "h100", .device_from = DeviceFrom::Graph, .recomputed_ms = 1, .step_ms = 100};
  return report;
}

const HoldingLess kLess{"fxcut partition a.json", {{7000, 1500, 2}, {5000, 0, -1}}, {{"1.0 kB less", "fxcut explain a.json"}}};

TEST(HoldingLess, IsATableOfDecisionsAndThenTheAdvice) {
  EXPECT_EQ(show_holding_less(kLess, decided()),
            "\nLESS MEMORY\n"
            "  PEAK    HELD     TIME          fxcut partition a.json ...\n"
            "9.0 kB  2.0 kB                   as it is\n"
            "7.0 kB  1.5 kB  +2.0 ms  +2.0 %  ... --saved-bytes 1500B\n"
            "5.0 kB     0 B  -1.0 ms  -1.0 %  ... --saved-bytes 0B\n"
            "1.0 kB less:\n"
            "    fxcut explain a.json\n");
}

TEST(HoldingLess, HasThePeaksOfCompiledCodeWhereTheReportHas) {
  Report report = decided();
  report.memory.compiled = PredictedMemoryReport{};
  report.memory.compiled->peak_bytes = 8000;
  const std::string text = show_holding_less(kLess, report);
  EXPECT_NE(text.find("\nCOMPILED    HELD "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  8.0 kB  2.0 kB "), std::string::npos) << text;
}

TEST(HoldingLess, WithoutWaysOutHasNoTable) {
  EXPECT_EQ(show_holding_less({"fxcut partition a.json", {}, {{"b", "c"}}}, decided()), "\nLESS MEMORY\nb:\n    c\n");
  EXPECT_EQ(show_holding_less({"fxcut partition a.json", {}, {}}, decided()), "");
}

TEST(HoldingLess, EachWayOutHasItsTimeAndItsCommand) {
  EXPECT_EQ(show_more_time(kLess.ways[0].more_ms, decided()), "+2.0 ms (+2.0 %)");
  EXPECT_EQ(command_of(kLess, kLess.ways[0]), "fxcut partition a.json --saved-bytes 1500B");
}

TEST(HoldingLess, WithoutTheTimeOfTheStepThereIsNoShare) {
  Report report = decided();
  report.run_time.reset();
  EXPECT_EQ(show_more_time(kLess.ways[1].more_ms, report), "-1.0 ms");
}

}  // namespace
}  // namespace fxcut
