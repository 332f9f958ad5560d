// Globs and regular expressions on names.
#include "policy/pattern.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

bool glob(std::string pattern, std::string_view name) { return Pattern::glob(std::move(pattern)).matches(name); }

TEST(Pattern, AGlobWithoutWildcardsMatchesItselfOnly) {
  EXPECT_TRUE(glob("aten.mm.default", "aten.mm.default"));
  EXPECT_FALSE(glob("aten.mm.default", "aten.mm.default_out"));
  EXPECT_FALSE(glob("aten.mm.default", "atenXmmXdefault")) << "a dot is a dot";
  EXPECT_TRUE(glob("", ""));
  EXPECT_FALSE(glob("", "q"));
}

TEST(Pattern, AStarStandsForAnyCharactersAlsoForNone) {
  EXPECT_TRUE(glob("aten.mm.*", "aten.mm."));
  EXPECT_TRUE(glob("aten.*", "aten.mm.default"));
  EXPECT_TRUE(glob("*", ""));
  EXPECT_FALSE(glob("aten.mm.*", "aten.mm"));
}

TEST(Pattern, SeveralStarsShareTheRestInAnyWay) {
  EXPECT_TRUE(glob("*ab*ab", "abcab"));
  EXPECT_TRUE(glob("a*b*c", "abbbcbc"));
  EXPECT_FALSE(glob("a*b*c", "acb"));
}

TEST(Pattern, AQuestionMarkStandsForOneCharacter) {
  EXPECT_TRUE(glob("layer?", "layer1"));
  EXPECT_FALSE(glob("layer?", "layer"));
  EXPECT_FALSE(glob("layer?", "layer12"));
}

TEST(Pattern, ARegularExpressionMatchesTheWholeName) {
  const Pattern pattern = Pattern::regex("q|k[0-9]+");
  EXPECT_TRUE(pattern.matches("q"));
  EXPECT_TRUE(pattern.matches("k12"));
  EXPECT_FALSE(pattern.matches("k"));
  EXPECT_FALSE(pattern.matches("q1"));
}

TEST(Pattern, WhatIsNoRegularExpressionIsRefused) { EXPECT_THROW(Pattern::regex("(q"), std::regex_error); }

TEST(Pattern, NumbersThatNoRegularExpressionNeedsAreRefused) {
  for (const std::string before : {"(q)\\", "q{", "q{1,", "\\\\q{", "\\,q{,"}) {
    const std::string behind = before.find('{') == std::string::npos ? "" : "}";
    EXPECT_THROW(Pattern::regex(before + "55555555555555555555" + behind), std::regex_error) << before;
  }
  EXPECT_TRUE(Pattern::regex("q,55555555555555555555").matches("q,55555555555555555555"));
  EXPECT_TRUE(Pattern::regex("(q)\\1{2}").matches("qqq"));
}

TEST(Pattern, APathMatchesWhereOneThatItIsInsideOfDoes) {
  const Pattern pattern = Pattern::glob("layers.?.mlp");
  EXPECT_TRUE(pattern.matches_path("layers.0.mlp"));
  EXPECT_TRUE(pattern.matches_path("layers.0.mlp.up.act"));
  EXPECT_FALSE(pattern.matches_path("layers.0"));
  EXPECT_FALSE(pattern.matches_path("layers.0.mlp2"));
  EXPECT_FALSE(pattern.matches_path("model.layers.0.mlp"));
}

TEST(Pattern, ARegularExpressionMatchesPathsLikewise) {
  EXPECT_TRUE(Pattern::regex("layers\\.[02]").matches_path("layers.2.mlp"));
  EXPECT_FALSE(Pattern::regex("layers\\.[02]").matches_path("layers.20.mlp"));
}

TEST(Pattern, WhatHasNoPathMatchesNoPath) { EXPECT_FALSE(Pattern::glob("*").matches_path("")); }

}  // namespace
}  // namespace fxcut
