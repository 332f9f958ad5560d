// Limits and patterns of a gate.
#include "check/criteria.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Limit, AnAmountIsAbsolute) {
  EXPECT_EQ(parse_limit("12GiB", LimitUnit::Bytes)->most(5), Int128{12} << 30);
  EXPECT_EQ(parse_limit("4096", LimitUnit::Bytes)->most(5), 4096);
  EXPECT_EQ(parse_limit("3TFLOP", LimitUnit::Flops)->most(5), Int128{3'000'000'000'000});
  EXPECT_EQ(parse_limit("1.5 kFLOP", LimitUnit::Flops)->most(5), 1500);
  EXPECT_EQ(parse_limit("7 FLOP", LimitUnit::Flops)->most(5), 7);
  EXPECT_EQ(parse_limit("7", LimitUnit::Flops)->most(5), 7);
  EXPECT_FALSE(parse_limit("7", LimitUnit::Flops)->is_growth);
}

TEST(Limit, TimesHaveAUnit) {
  EXPECT_EQ(parse_limit("5ms", LimitUnit::Picoseconds)->most(5), Int128{5'000'000'000});
  EXPECT_EQ(parse_limit("1.5 s", LimitUnit::Picoseconds)->most(5), Int128{1'500'000'000'000});
  EXPECT_EQ(parse_limit("20us", LimitUnit::Picoseconds)->most(5), Int128{20'000'000});
  EXPECT_EQ(parse_limit("+2ns", LimitUnit::Picoseconds)->most(5), Int128{2'005});
  EXPECT_EQ(parse_limit("10%", LimitUnit::Picoseconds)->most(1000), 1100);
  for (const std::string_view text : {"5", "5 FLOP", "5m", "ms", "-1ms", "1e40s", "nan s"}) {
    EXPECT_FALSE(parse_limit(text, LimitUnit::Picoseconds)) << text;
  }
}

TEST(Limit, AShareOrAPlusIsGrowth) {
  EXPECT_TRUE(parse_limit("2%", LimitUnit::Bytes)->is_growth);
  EXPECT_EQ(parse_limit("2%", LimitUnit::Bytes)->most(1000), 1020);
  EXPECT_EQ(parse_limit("+2 %", LimitUnit::Bytes)->most(1000), 1020);
  EXPECT_EQ(parse_limit("0%", LimitUnit::Bytes)->most(1000), 1000);
  EXPECT_EQ(parse_limit("+100MB", LimitUnit::Bytes)->most(1000), 100'001'000);
  EXPECT_EQ(parse_limit("+0", LimitUnit::Flops)->most(1000), 1000);
  EXPECT_TRUE(parse_limit("+0", LimitUnit::Flops)->is_growth);
}

TEST(Limit, ASmallShareOfALargeBaselineIsExactEnough) {
  EXPECT_EQ(parse_limit("1%", LimitUnit::Bytes)->most(Int128{59'300'000'000}), Int128{59'893'000'000});
}

TEST(Limit, TextsThatAreNoLimitsAreRefused) {
  for (const std::string_view text :
       {"", "much", "-1", "-1%", "2%%", "%", "++2%", "+ 2%", "least", "nan", "inf", "12GiBs"}) {
    EXPECT_FALSE(parse_limit(text, LimitUnit::Bytes)) << text;
    EXPECT_FALSE(parse_limit(text, LimitUnit::Flops)) << text;
  }
  EXPECT_FALSE(parse_limit("3TFLOP", LimitUnit::Bytes));
  EXPECT_FALSE(parse_limit("3GiB", LimitUnit::Flops));
  EXPECT_FALSE(parse_limit("FLOP", LimitUnit::Flops));
  EXPECT_FALSE(parse_limit("1e60", LimitUnit::Flops));
}

Provenance at(std::string module, std::string checkpoint_name = "") {
  Provenance provenance;
  provenance.module = std::move(module);
  provenance.checkpoint_name = std::move(checkpoint_name);
  return provenance;
}

TEST(ValuePattern, AGlobAloneIsAnOperatorOrAName) {
  const ValuePattern bmm = *ValuePattern::parse("aten.bmm*");
  EXPECT_TRUE(bmm.matches("x", "aten.bmm.default", {}));
  EXPECT_FALSE(bmm.matches("x", "aten.mm.default", at("aten.bmm")));
  EXPECT_TRUE(ValuePattern::parse("mm_?")->matches("mm_4", "aten.mm.default", {}));
  EXPECT_TRUE(ValuePattern::parse("attn")->matches("mm_4", "aten.mm.default", at("", "attn")));
}

TEST(ValuePattern, APrefixSaysWhich) {
  EXPECT_FALSE(ValuePattern::parse("name:aten*")->matches("x", "aten.mm.default", {}));
  EXPECT_FALSE(ValuePattern::parse("op:mm")->matches("mm", "aten.mm.default", {}));
  EXPECT_TRUE(ValuePattern::parse("module:layers.*.mlp")->matches("x", "y", at("layers.0.mlp.up")));
  EXPECT_FALSE(ValuePattern::parse("module:layers.*.mlp")->matches("x", "y", at("layers.0.attn")));
  EXPECT_FALSE(ValuePattern::parse("module:*")->matches("x", "y", {}));
}

TEST(ValuePattern, AnOperatorHasPyTorchsSpellings) {
  for (const std::string_view text : {"aten.sigmoid", "aten::sigmoid", "torch.ops.aten.sigmoid", "op:aten::sigmoid"}) {
    EXPECT_TRUE(ValuePattern::parse(text)->matches("x", "aten.sigmoid.default", {})) << text;
  }
}

// It would match nothing, and a check with it would pass for ever.
TEST(ValuePattern, AnotherPrefixIsNone) {
  EXPECT_FALSE(ValuePattern::parse("mod:layers.*"));
  EXPECT_TRUE(ValuePattern::parse("name:q:k")->matches_name("q:k"));
}

TEST(ValuePattern, AnEmptyGlobIsNone) {
  EXPECT_FALSE(ValuePattern::parse(""));
  EXPECT_FALSE(ValuePattern::parse("op:"));
}

}  // namespace
}  // namespace fxcut
