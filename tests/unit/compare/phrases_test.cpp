// Changes in words, and as Markdown.
#include "compare/phrases.h"

#include <gtest/gtest.h>

#include "text/escaping.h"

namespace fxcut {
namespace {

FigureChange figure(Int128 before, Int128 after) { return {"saved_bytes", "saved", "B", before, after, true}; }

TEST(Phrases, AChangeHasASign) {
  EXPECT_EQ(show_change(1500, "B"), "+1.5 kB");
  EXPECT_EQ(show_change(-3, ""), "-3");
  EXPECT_EQ(show_change(0, "FLOP"), "0 FLOP");
}

TEST(Phrases, AShareIsOfWhatThereWas) {
  EXPECT_EQ(show_share(figure(100, 102)), "+2.0 %");
  EXPECT_EQ(show_share(figure(100, 50)), "-50.0 %");
  EXPECT_EQ(show_share(figure(1000, 1001)), "+0.10 %");
  EXPECT_EQ(show_share(figure(1, 1000)), "+99900 %");
  EXPECT_EQ(show_share(figure(1, 1'001)), "+100000 % or more");
  EXPECT_EQ(show_share(figure(1'000'000'000, 1'000'000'001)), "+0.01 % or less");
  EXPECT_EQ(show_share(figure(0, 5)), "");
  EXPECT_EQ(show_share(figure(5, 5)), "");
}

TEST(Phrases, OperatorsAreCountedBothWays) {
  ValueChange added, removed;
  added.after = ComparedValue{};
  added.after->op = "aten.mm.default";
  removed = added;
  removed.kind = ValueChange::Kind::Removed;
  using Counts = std::vector<std::pair<std::string, std::ptrdiff_t>>;
  EXPECT_EQ(count_by_operator({added, added, removed}), (Counts{{"aten.mm.default", 1}}));
  EXPECT_EQ(count_by_operator({added, removed}), Counts{});
}

TEST(MarkdownText, MarkupIsEscaped) {
  EXPECT_EQ(markdown_text("a|b <i>*x*</i>\n"), "a\\|b \\<i\\>\\*x\\*\\</i\\> ");
  EXPECT_EQ(markdown_text("@team #1"), "\\@team \\#1");
  EXPECT_EQ(markdown_text("\x1b\u202e"), "\\\\u001b\\\\u202e");
}

TEST(MarkdownText, CodeHoldsBackticksAndBars) {
  EXPECT_EQ(markdown_code("mm_4"), "`mm_4`");
  EXPECT_EQ(markdown_code("a`b|c"), "`` a`b\\|c ``");
  EXPECT_EQ(markdown_code(""), "");
  EXPECT_EQ(markdown_code("a\n\x1b"), "`a \\u001b`");
}

TEST(MarkdownText, ATableHasAHead) {
  EXPECT_EQ(markdown_table({{"a", "b"}, {"1", "2"}}, "lr"), "| a | b |\n| --- | ---: |\n| 1 | 2 |\n");
}

}  // namespace
}  // namespace fxcut
