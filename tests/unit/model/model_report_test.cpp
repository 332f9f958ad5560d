// The sums over the graphs of a model.
#include "model/model_report.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace fxcut {
namespace {

std::string line(std::string_view name, int saved, int peak, int idle) {
  return fmt::format(R"({{"name":"{}","status":"done","totals":{{"saved_bytes_not_static":{},"recomputed_flops":0,)"
                     R"("recomputed_picoseconds":0,"step_picoseconds":1,"peak_bytes":{},"idle_bytes":{}}}}})",
                     name, saved, peak, idle);
}

// While one runs, another may hold its saved values, or the gradients that it has made.
TEST(ModelReport, ThePeakOfOneIsBesideWhatOthersHaveInMemory) {
  const ModelReport report = add_up_model({line("first", 10, 100, 40), line("second", 20, 130, 20)}, "results.jsonl", {}, {});
  EXPECT_EQ(report.saved_bytes, 30);
  EXPECT_EQ(report.most_peak_bytes, 170);
}

}  // namespace
}  // namespace fxcut
