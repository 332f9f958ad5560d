#include "report/csv.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Csv, PlainTextStaysAsItIs) { EXPECT_EQ(csv_field("aten.mm.default"), "aten.mm.default"); }

TEST(Csv, WhatWouldEndAFieldIsQuoted) {
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
}

}  // namespace
}  // namespace fxcut
