#include "report/saved_by_reason.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fxcut {
namespace {

SavedValue saved_in(const std::string& module, const std::string& name, std::int64_t rows, const std::string& why) {
  SavedValue value;
  value.name = name;
  value.op = "aten.mm.default";
  value.dtype = "float32";
  value.shape = Sizes{Size{rows, nullptr}};
  value.size_bytes = 4 * rows;
  value.provenance.module = module;
  value.why = {"test", why, {}, {}};
  return value;
}

TEST(SavedByReason, FoldsAlikeLayersUnderTheirReasonMostBytesFirst) {
  Report report;
  report.saved_values = {saved_in("layers.0.mlp", "mm", 8, "costly"), saved_in("layers.1.mlp", "mm_1", 8, "costly"),
                         saved_in("head", "mm_2", 2, "costly"), saved_in("", "primals_1", 1000, "an input of the step")};
  report.saved_values.back().static_lifetime = true;
  EXPECT_EQ(show_saved_by_reason(report),
            "SAVED VALUES\n"
            "4.0 kB, 1 value: an input of the step; always resident\n"
            "  4.0 kB      primals_1  float32 [1000]\n"
            "72 B, 3 values: costly\n"
            "    64 B  x2  mm         float32 [8]     layers.0-1.mlp\n"
            "     8 B      mm_2       float32 [2]     head\n"
            "(--all shows each value in a row of its own)\n");
}

TEST(SavedByReason, LeavesOutThePathThatIsAnotherForEachValue) {
  Report report;
  const std::string text = "the cheapest to save on a path from {}, which is not recomputed: an input of the step";
  report.saved_values = {saved_in("a", "mm", 8, fmt::format(fmt::runtime(text), "x"))};
  EXPECT_NE(show_saved_by_reason(report).find("on a path from x, which is not recomputed: an input of the step\n"),
            std::string::npos);
  report.saved_values.push_back(saved_in("b", "mm_1", 8, fmt::format(fmt::runtime(text), "y")));
  EXPECT_NE(show_saved_by_reason(report)
                .find("64 B, 2 values: the cheapest to save on a path from a value, which is not recomputed\n"),
            std::string::npos)
      << show_saved_by_reason(report);
}

TEST(SavedByReason, CountsWhatItLeavesOut) {
  Report report;
  for (int reason = 0; reason < 8; ++reason) {
    for (int i = 0; i < 8; ++i) {
      report.saved_values.push_back(
          saved_in(fmt::format("module_{}", i), fmt::format("mm_{}_{}", reason, i), 1000, fmt::format("reason {}", reason)));
    }
  }
  const std::string text = show_saved_by_reason(report);
  EXPECT_NE(text.find("32.0 kB, 8 values: reason 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  12.0 kB  x3  ... more\n"), std::string::npos) << text;
  EXPECT_NE(text.find("64.0 kB, 16 values: 2 other reasons\n"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 6 * 7 + 2);
}

TEST(SavedByReason, CutsLongPlacesAtAHundredColumns) {
  Report report;
  report.saved_values = {saved_in(std::string(300, 'm'), std::string(300, 'n'), 8, "costly")};
  const std::string text = show_saved_by_reason(report);
  const std::size_t begin = text.find("  32 B");
  EXPECT_EQ(text.find('\n', begin) - begin, 100U) << text;
}

}  // namespace
}  // namespace fxcut
