#include "python_text/trace_records.h"

#include <gtest/gtest.h>

#include <string>

namespace fxcut {
namespace {

auto symbol_of(const std::string& record) { return created_symbol(Document::parse(record, "log")->root()); }

TEST(TraceRecords, ASymbolHasAnIntegerForHint) {
  const auto symbol = symbol_of(R"({"create_symbol": {"symbol": "s77", "val": "64"}})");
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->first, "s77");
  EXPECT_EQ(symbol->second, 64);
}

TEST(TraceRecords, OtherHintsAreNone) {
  for (const char* record : {R"({"create_symbol": {"symbol": "zf38", "val": "3.5"}})", R"({"create_symbol": "s77"})",
                             R"({"create_symbol": {"symbol": "s77"}})", R"({"create_symbol": [1]})", R"({"other": {}})"}) {
    EXPECT_FALSE(symbol_of(record)) << record;
  }
}

}  // namespace
}  // namespace fxcut
