// The report in Markdown.
#include "report/show_report.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

TEST(ReportMarkdown, SaysTheFiguresOfTheTable) {
  const Partition result = partition(joint_graph(R"(
    primals_1 = placeholder : f32[64] static
    tangents_1 = placeholder : f32[64]
    kept = aten.sin.default(primals_1) : f32[64] recompute=MUST_SAVE module=layers.0
    loss = aten.cos.default(kept) : f32[64]
    grad = aten.mul.Tensor(tangents_1, kept) : f32[64]
    return loss | grad)"), {});
  const std::string text = report_markdown(result.report);
  EXPECT_NE(text.find("| saved | 256 B | in 1 value |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| `layers.0` |  | 256 B |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| saved value | operator | bytes |\n| --- | --- | ---: |\n| `kept` | `aten.sin.default` | 256 B |\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace fxcut
