#include "text/escaping.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Csv, PlainTextStaysAsItIs) { EXPECT_EQ(csv_field("aten.mm.default"), "aten.mm.default"); }

TEST(Csv, QuotesFieldsThatContainSeparators) {
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
}

TEST(Csv, NoSpreadsheetRunsAField) {
  for (const std::string formula : {"=cmd|calc!A0", "+1", "-1", "@sum"}) EXPECT_EQ(csv_field(formula), "'" + formula);
  EXPECT_EQ(csv_field("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
  EXPECT_EQ(csv_field("\t=a"), "'\\u0009=a");
  EXPECT_EQ(csv_field("\r=a"), "'\\u000d=a");
  EXPECT_EQ(csv_field("a=b"), "a=b");
  EXPECT_EQ(csv_field(""), "");
}

TEST(Csv, IsPrintable) { EXPECT_EQ(csv_field("\x1b[31m\u202e"), "\\u001b[31m\\u202e"); }

}  // namespace
}  // namespace fxcut
