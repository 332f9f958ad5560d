// The line of a mistake, and the caret below it.
#include "text/excerpt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "text/printable.h"

namespace fxcut {
namespace {

// The excerpt at the first '@', which is taken out.
std::string at_sign(std::string text) {
  const std::size_t offset = text.find('@');
  return excerpt(text.erase(offset, 1), offset);
}

std::size_t caret_of(const std::string& shown) { return shown.size() - shown.rfind('\n') - 2; }

TEST(Excerpt, ShowsTheLineAndACaretUnderThePlace) {
  EXPECT_EQ(at_sign("{\n\"version\": @NaN,\n}"), "\"version\": NaN,\n           ^");
  EXPECT_EQ(at_sign("@{}"), "{}\n^");
  EXPECT_EQ(at_sign("{}@"), "{}\n  ^") << "the end of the text";
  EXPECT_EQ(at_sign("{@\n}"), "{\n ^") << "the end of a line";
  EXPECT_EQ(at_sign("{\n@"), "\n^");
  EXPECT_EQ(at_sign("@"), "\n^");
  EXPECT_EQ(excerpt("{}", 99), "{}\n  ^");
}

TEST(Excerpt, ALineOfWindowsEndsBeforeItsReturn) { EXPECT_EQ(at_sign("a\r\nb@c\r\nd"), "bc\n ^"); }

TEST(Excerpt, TheCaretStandsInTheColumnsOfATerminal) {
  EXPECT_EQ(at_sign("\t\t@x"), "  x\n  ^") << "a tab is a space";
  EXPECT_EQ(at_sign("\u00e9@x"), "\u00e9x\n ^") << "two bytes, one column";
  EXPECT_EQ(at_sign("\u6f22\u5b57@x"), "\u6f22\u5b57x\n    ^") << "each is two columns wide";
  EXPECT_EQ(at_sign("\U0001f600@x"), "\U0001f600x\n  ^");
  EXPECT_EQ(at_sign("e\u0301@x"), "e\u0301x\n ^") << "a mark is on the letter before it";
  EXPECT_EQ(at_sign("\x1b[31m@x"), "\\u001b[31mx\n          ^") << "what a terminal would take for a command";
  EXPECT_EQ(at_sign("\u202e@x"), "\\u202ex\n      ^") << "what would turn the direction of writing";
  EXPECT_EQ(at_sign("\xff@\xfe"), "\\xff\\xfe\n    ^") << "bytes that are no UTF-8";
  EXPECT_EQ(excerpt(std::string_view("\0x", 2), 1), "\\u0000x\n      ^");
}

TEST(Excerpt, ALongLineIsCutAroundThePlace) {
  const std::string as(500, 'a'), bs(500, 'b');
  const std::string shown = excerpt(as + bs, 500);
  EXPECT_EQ(shown, "..." + std::string(35, 'a') + std::string(35, 'b') + "...\n" + std::string(38, ' ') + "^");
  EXPECT_EQ(excerpt(as, 0), std::string(70, 'a') + "...\n^");
  EXPECT_EQ(excerpt(as, 500), "..." + std::string(70, 'a') + "\n" + std::string(73, ' ') + "^");
  EXPECT_EQ(excerpt(as.substr(0, 70), 35), as.substr(0, 70) + "\n" + std::string(35, ' ') + "^") << "it fits just so";
  EXPECT_EQ(excerpt(as.substr(0, 71), 35), as.substr(0, 70) + "...\n" + std::string(35, ' ') + "^");
}

TEST(Excerpt, IsPrintableAndNotTooWideForAnyBytes) {
  const std::string unit = "a\u00e9\u6f22\U0001f600\x1b\xff\t\u0301\xe4\xb8";
  std::string text;
  for (int i = 0; i < 100; ++i) text += unit;
  for (std::size_t offset = 0; offset <= text.size(); ++offset) {
    const std::string shown = excerpt(text, offset);
    ASSERT_TRUE(are_printable_lines(shown)) << offset;
    ASSERT_EQ(std::count(shown.begin(), shown.end(), '\n'), 1);
    ASSERT_LE(caret_of(shown), kExcerptColumns + 3);
  }
}

TEST(Excerpt, IsAsShortForALineOfManyMegabytes) {
  const std::string text(std::size_t{50} << 20, 'x');
  EXPECT_EQ(excerpt(text, text.size() / 2).size(), 3 + 70 + 3 + 1 + 38 + 1);
}

}  // namespace
}  // namespace fxcut
