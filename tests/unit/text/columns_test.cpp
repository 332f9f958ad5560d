#include "text/table.h"

#include <gtest/gtest.h>

#include "text/text_style.h"

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

TEST(ColumnsWithin, ShortenTheLastColumnFirst) {
  set_text_style({.width = 30});
  EXPECT_EQ(show_columns_within({{"1 GB", "name", "layers.0-31.self_attn.q_proj.weight"}}, "rll"),
            "1 GB  name  layer...roj.weight\n");
  EXPECT_EQ(show_columns_within({{"1 GB", "name", "layers.0"}}, "rll"), "1 GB  name  layers.0\n");
  set_text_style({});
}

TEST(ColumnsWithin, ShortenTheWidestOthersNext) {
  set_text_style({.width = 30});
  EXPECT_EQ(show_columns_within({{"aten._scaled_dot_product", "layers.0-31.mlp"}}, "ll").size(), 31u);
  set_text_style({});
}

TEST(Columns, EmptyRowsAreEmptyLines) { EXPECT_EQ(show_columns({{"", ""}}, "ll"), "\n"); }

TEST(Columns, EscapeWhatIsNoTextWithinALine) {
  EXPECT_EQ(show_columns({{"a\n\x1b", "b"}, {"c", "d"}}, "ll"), "a\\u000a\\u001b  b\nc              d\n");
}

}  // namespace
}  // namespace fxcut
