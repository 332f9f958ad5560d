#include "text/table.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Columns, AreAsWideAsTheirWidestCell) {
  EXPECT_EQ(show_columns({{"NAME", "BYTES", "WHY"}, {"a", "1", ""}, {"longer", "10 kB", "b"}}, "lrl"),
            "NAME    BYTES  WHY\n"
            "a           1\n"
            "longer  10 kB  b\n");
}

TEST(Columns, CountCharactersAsATerminalShowsThem) {
  EXPECT_EQ(show_columns({{"\u00e9", "\u00e9", "x"}, {"ab", "cd", "y"}}, "lrl"),
            "\u00e9    \u00e9  x\n"
            "ab  cd  y\n");
}

TEST(Columns, OfEmptyRowsAreEmptyLines) { EXPECT_EQ(show_columns({{"", ""}}, "ll"), "\n"); }

TEST(Columns, EscapeWhatIsNoTextWithinALine) {
  EXPECT_EQ(show_columns({{"a\n\x1b", "b"}, {"c", "d"}}, "ll"), "a\\u000a\\u001b  b\nc              d\n");
}

}  // namespace
}  // namespace fxcut
