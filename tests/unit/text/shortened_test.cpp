#include "text/printable.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Shortened, LeavesWhatFits) {
  EXPECT_EQ(shortened("", 10), "");
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 6), "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9")
      << "characters count, not bytes";
}

TEST(Shortened, KeepsTheBeginningAndTheEnd) {
  EXPECT_EQ(shortened("0123456789a", 10), "01234...9a");
  EXPECT_EQ(shortened("\u00e91234567\u00e9\u00e9\u00e9", 10), "\u00e91234...\u00e9\u00e9");
  EXPECT_EQ(shortened("0123456789a", 4), "0...") << "the least";
  EXPECT_EQ(shortened(std::string(1'000'000, 'x')).size(), kLongestInPicture);
}

}  // namespace
}  // namespace fxcut
