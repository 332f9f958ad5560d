// A batch as a whole.
#include "batch/summary.h"

#include <gtest/gtest.h>

#include "batch/item_result.h"

namespace fxcut {
namespace {

TEST(Summary, AddsUpWhatIsDoneAndNamesWhatFailed) {
  Report report;
  report.totals.saved_bytes = 9'000'000'000'000'000'000;
  report.totals.recomputed_flops = 5;
  report.memory.peak_bytes = 7;
  const std::vector<std::string> lines = {done_line("a", "1", report), failed_line("b", 4, {{"b.json", "too bad", ""}}),
                                          done_line("c", "2", report)};
  const BatchSummary summary = summarise(lines, "results.jsonl", "fxcut 1");
  EXPECT_EQ(summary.graphs, 3);
  ASSERT_EQ(summary.failed.size(), 1);
  EXPECT_EQ(summary.failed[0].name, "b");
  EXPECT_EQ(summary.failed[0].exit_status, 4);
  for (const char* const part : {"\"done\": 2,", "\"failed\": 1,", "\"saved_bytes\": 18000000000000000000,",
                                 "\"recomputed_flops\": 10,", "\"name\": \"a\",\n  \"peak_bytes\": 7\n",
                                 "\"message\": \"too bad\""}) {
    EXPECT_NE(summary.json.find(part), std::string::npos) << part << " in " << summary.json;
  }
  EXPECT_EQ(joined(lines), lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n");
}

}  // namespace
}  // namespace fxcut
