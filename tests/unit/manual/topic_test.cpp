#include <gtest/gtest.h>

#include <string>

#include "diagnostic/diagnostic.h"
#include "manual/topic_text.h"

namespace fxcut {
namespace {

using Kind = TopicBlock::Kind;

TEST(ReadTopic, FirstLineIsNameAndSummary) {
  const TopicText topic = read_topic("# peak: how it is simulated\n");
  EXPECT_EQ(topic.name, "peak");
  EXPECT_EQ(topic.summary, "how it is simulated");
  EXPECT_TRUE(topic.blocks.empty());
}

TEST(ReadTopic, AnotherFirstLineIsRefused) {
  EXPECT_THROW(read_topic("## peak: how\n"), InternalError);
  EXPECT_THROW(read_topic("# peak\n"), InternalError);
  EXPECT_THROW(read_topic(""), InternalError);
}

TEST(ReadTopic, LinesOfAParagraphAndOfAnItemAreJoined) {
  const TopicText topic = read_topic("# a: b\none\ntwo\n\nthree\n- item\n  goes on\n- next\n");
  ASSERT_EQ(topic.blocks.size(), 4u);
  EXPECT_EQ(topic.blocks[0].text, "one two");
  EXPECT_EQ(topic.blocks[1].text, "three");
  EXPECT_EQ(topic.blocks[2].kind, Kind::Item);
  EXPECT_EQ(topic.blocks[2].text, "item goes on");
  EXPECT_EQ(topic.blocks[3].text, "next");
}

TEST(ReadTopic, CodeIsKeptAsItIs) {
  const TopicText topic = read_topic("# a: b\n```sh\n## no heading\n\n  - x | y\n```\n");
  ASSERT_EQ(topic.blocks.size(), 1u);
  EXPECT_EQ(topic.blocks[0].kind, Kind::Code);
  EXPECT_EQ(topic.blocks[0].text, "## no heading\n\n  - x | y\n");
}

TEST(ReadTopic, CommentsAreNotShown) {
  const TopicText topic = read_topic("# a: b\n<!-- output of: x -->\ntext\n");
  ASSERT_EQ(topic.blocks.size(), 1u);
  EXPECT_EQ(topic.blocks[0].text, "text");
}

TEST(ReadTopic, TableHasRowsAndAlignment) {
  const TopicText topic = read_topic("# a: b\n| x | y |\n|---|---:|\n| `a \\| b` | 1 |\n");
  ASSERT_EQ(topic.blocks.size(), 1u);
  EXPECT_EQ(topic.blocks[0].alignment, "lr");
  const std::vector<std::vector<std::string>> rows = {{"x", "y"}, {"`a | b`", "1"}};
  EXPECT_EQ(topic.blocks[0].rows, rows);
}

TEST(ReadTopic, RowThatLacksACellIsRefused) { EXPECT_THROW(read_topic("# a: b\n| x | y |\n|---|---|\n| z |\n"), InternalError); }

TEST(TopicOnATerminal, BlocksAreApartAndItemsOfAListAreNot) {
  EXPECT_EQ(topic_terminal(read_topic("# a: b\ntext\n## Part one\n- x\n- y\n### Deeper\n```\nz\n```\n")),
            "a: b\n\ntext\n\nPART ONE\n\n- x\n- y\n\nDeeper\n\n  z\n");
}

TEST(TopicOnATerminal, TextIsBrokenAtTheLastColumn) {
  const std::string word(kTopicColumns / 2, 'w');  // two of them and a space are one column too many
  EXPECT_EQ(topic_terminal(read_topic("# a: b\n" + word + " " + word + "\n")), "a: b\n\n" + word + "\n" + word + "\n");
  EXPECT_EQ(topic_terminal(read_topic("# a: b\n- x " + std::string(kTopicColumns, 'w') + "\n")),
            "a: b\n\n- x\n  " + std::string(kTopicColumns, 'w') + "\n");
}

TEST(TopicOnATerminal, LastCellOfARowIsBroken) {
  const std::string half(kTopicColumns / 2, 'w');
  EXPECT_EQ(topic_terminal(read_topic("# a: b\n| `x` | y |\n|---|---|\n| key | " + half + " " + half + " |\n")),
            "a: b\n\n  x    Y\n  key  " + half + "\n       " + half + "\n");
}

TEST(TopicOnATerminal, DefinitionIsBelowItsTerm) {
  EXPECT_EQ(show_blocks({{Kind::Definition, 0, "what it does", "key = 1"}, {Kind::Definition, 0, "and this", "other"}}),
            "  key = 1\n      what it does\n  other\n      and this\n");
}

TEST(TopicAsManPage, HeadHasNameSectionAndVersion) {
  EXPECT_EQ(topic_man_page(read_topic("# peak: how\n"), "0.1.0"),
            "'\\\" t\n.TH FXCUT-PEAK 7 \"\" \"fxcut 0.1.0\" \"fxcut\"\n.SH NAME\nfxcut-peak \\- how\n"
            ".SH SEE ALSO\n.BR fxcut (1),\n.B fxcut help topics\n");
}

std::string body_of(const std::string& markdown) {
  const std::string page = topic_man_page(read_topic("# a: b\n" + markdown), "1"), begin = ".SH DESCRIPTION\n";
  const std::size_t at = page.find(begin) + begin.size();
  return page.substr(at, page.find(".SH SEE ALSO") - at);
}

TEST(TopicAsManPage, TextIsNoCommandOfTroff) {
  EXPECT_EQ(body_of(".SH \\n 'x' `a-b` c-d ^ ~\n"), "\\&.SH \\en \\(aqx\\(aq \\fBa\\-b\\fR c-d \\(ha \\(ti\n");
  EXPECT_EQ(body_of("```\n.x \\n\n```\n"), ".RS 2\n.EX\n\\&.x \\en\n.EE\n.RE\n");
}

TEST(TopicAsManPage, SecondBlockBeginsAParagraph) {
  EXPECT_EQ(body_of("one\n\ntwo\n## Part\nthree\n"), "one\n.PP\ntwo\n.SH PART\nthree\n");
}

TEST(TopicAsManPage, TableIsForTbl) {
  EXPECT_EQ(body_of("| x | y |\n|---|---:|\n| a \\| b | c |\n"),
            ".TS\ntab(|);\nlb rb\nl rx.\nx|T{\ny\nT}\na \\(ba b|T{\nc\nT}\n.TE\n");
}

}  // namespace
}  // namespace fxcut
