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
  const std::vector<std::string> lines = {done_line("a", "1", report, 0), failed_line("b", 4, {{"b.json", "too bad", ""}}),
                                          done_line("c", "2", report, 0)};
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

TEST(Summary, CountsWhatIsHeldAsItCrosses) {
  Report whole, compressed;
  whole.totals.saved_bytes_not_static = 100;
  compressed.totals.saved_bytes_not_static = 80;
  compressed.totals.compressed = CompressedTotals{1, 40, 10, 50};
  const std::vector<std::string> lines = {done_line("a", "1", whole, 0), done_line("b", "2", compressed, 0)};
  const std::string both = summarise(lines, "results.jsonl", "fxcut 1").json;
  for (const char* const part : {"\"saved_bytes_not_static\": 180,", "\"compressed_bytes_before\": 40,",
                                 "\"compressed_bytes\": 10,", "\"held_bytes\": 150\n"}) {
    EXPECT_NE(both.find(part), std::string::npos) << part << " in " << both;
  }
  EXPECT_EQ(summarise({lines[0]}, "results.jsonl", "fxcut 1").json.find("held_bytes"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
