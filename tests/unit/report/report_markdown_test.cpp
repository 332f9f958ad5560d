// What the graph says stays text in Markdown.
#include "report/report_markdown.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "pipeline.h"

namespace fxcut {
namespace {

TEST(ReportMarkdown, TextIsNoMarkup) {
  EXPECT_EQ(markdown_text("a_b *c* | [d](e) `f`\ng <img>"), "a\\_b \\*c\\* \\| \\[d\\](e) \\`f\\` g &lt;img&gt;");
}

TEST(ReportMarkdown, CodeEndsNoCell) {
  EXPECT_EQ(markdown_code("mm_4"), "`mm_4`");
  EXPECT_EQ(markdown_code("<b>"), "`<b>`") << "within backticks nothing is HTML";
  EXPECT_EQ(markdown_code("a|b"), "<code>a\\|b</code>");
  EXPECT_EQ(markdown_code("a`<b>\n"), "<code>a\\`&lt;b&gt; </code>");
}

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
  EXPECT_NE(text.find("| `kept` | `aten.sin.default` | 256 B |\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace fxcut
