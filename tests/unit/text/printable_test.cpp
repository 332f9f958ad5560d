// Characters that a terminal would take for a command do not reach it.
#include "text/printable.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Printable, LeavesWhatIsRead) {
  for (const std::string text : {"", "mm_4", "\u00e9\u6f22\U0001f600 \u00d7", "\\u001b", "a\"b"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(is_printable(text)) << text;
  }
}

TEST(Printable, EscapesControlsAsJsonDoes) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\u001b[31mred\\u0007");
  EXPECT_EQ(printable(std::string_view("\0\t\r\n\x7f", 5)), "\\u0000\\u0009\\u000d\\u000a\\u007f");
  EXPECT_EQ(printable("\u0085\u009b2J"), "\\u0085\\u009b2J") << "C1";
  EXPECT_EQ(printable("\u061c\u200e\u200f\u202a\u202e\u2066\u2069"), "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069");
  EXPECT_EQ(printable("\u2028\u2029\u200b\ufeff"), "\\u2028\\u2029\\u200b\\ufeff");
  EXPECT_EQ(printable("\U000e0041"), "\\udb40\\udc41") << "a pair of surrogates";
  EXPECT_FALSE(is_printable("a\nb"));
}

TEST(Printable, EscapesBytesThatAreNoText) {
  EXPECT_EQ(printable("a\xff\x9b" "2J"), "a\\xff\\x9b2J");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than need be";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Printable, LinesEndWhereTheyDo) {
  EXPECT_EQ(printable_lines("a\n\x1b\nb"), "a\n\\u001b\nb");
  EXPECT_TRUE(are_printable_lines("a\nb\u00e9\n"));
  EXPECT_FALSE(are_printable_lines("a\r\n"));
  EXPECT_FALSE(are_printable_lines("\u202e"));
}

TEST(Printable, AParagraphBreaksOnlyBeforeIndentedLines) {
  EXPECT_EQ(printable_paragraph("what\n  hint\n    more"), "what\n  hint\n    more");
  EXPECT_EQ(printable_paragraph("'a\nfxcut: error: b'\n c\n"), "'a\\u000afxcut: error: b'\\u000a c\\u000a");
}

}  // namespace
}  // namespace fxcut
