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

TEST(Pattern, AnOperatorHasSeveralSpellings) {
  const auto matches = [](std::string pattern, std::string_view target) {
    return Pattern::operator_glob(std::move(pattern)).matches(target);
  };
  for (const char* pattern :
       {"aten.mm", "aten::mm", "torch.ops.aten.mm", "torch.ops.aten.mm.default", "ops.aten.mm", "aten::mm.default"}) {
    EXPECT_TRUE(matches(pattern, "aten.mm.default")) << pattern;
    EXPECT_FALSE(matches(pattern, "aten.mm_out.default")) << pattern;
  }
  EXPECT_TRUE(matches("aten::mm", "aten.mm.out"));
  EXPECT_FALSE(matches("aten::mm.default", "aten.mm.out"));
  EXPECT_TRUE(matches("torch.ops.aten.*", "aten.mm.default"));
  EXPECT_TRUE(matches("operator.getitem", "operator.getitem"));
  EXPECT_FALSE(matches("aten", "atenmm.default"));
  EXPECT_EQ(Pattern::operator_glob("aten::mm").text(), "aten::mm") << "as the user wrote it";
}

TEST(Pattern, ARegularExpressionMatchesTheWholeName) {
  const Pattern pattern = Pattern::regex("q|k[0-9]+");
  EXPECT_TRUE(pattern.matches("q"));
  EXPECT_TRUE(pattern.matches("k12"));
  EXPECT_FALSE(pattern.matches("k"));
  EXPECT_FALSE(pattern.matches("q1"));
}

TEST(Pattern, InvalidRegularExpressionsAreRefused) { EXPECT_THROW(Pattern::regex("(q"), NoRegex); }

TEST(Pattern, NumbersThatNoRegularExpressionNeedsAreRefused) {
  for (const std::string before : {"q{", "q{1,", "\\\\q{", "\\,q{,"}) {
    EXPECT_THROW(Pattern::regex(before + "55555555555555555555}"), NoRegex) << before;
  }
  EXPECT_TRUE(Pattern::regex("q,55555555555555555555").matches("q,55555555555555555555"));
}

TEST(Pattern, ARegularExpressionTakesNoTimeThatDoublesWithEachCharacter) {
  EXPECT_THROW(Pattern::regex("(q)\\1"), NoRegex);
  EXPECT_THROW(Pattern::regex("(q)\\55555555555555555555"), NoRegex);
  EXPECT_THROW(Pattern::regex(std::string(2001, 'q')), NoRegex);
  const std::string name(1000, 'a');
  EXPECT_FALSE(Pattern::regex("((a+)+)+b").matches(name));
  EXPECT_TRUE(Pattern::regex("((a+)+)+").matches(name));
  EXPECT_FALSE(Pattern::regex("(a|aa)*" + std::string(50, '+') + "b").matches(name));
}

TEST(Pattern, LooksAheadAndRepeatsAsECMAScriptHasIt) {
  EXPECT_TRUE(Pattern::regex("(?!q)[a-z]{1,3}").matches("abc"));
  EXPECT_FALSE(Pattern::regex("(?!q)[a-z]{1,3}").matches("qbc"));
  EXPECT_TRUE(Pattern::regex("layers\\.(\\d{1,2})\\.(q|k)(_proj)?").matches("layers.12.k_proj"));
  EXPECT_FALSE(Pattern::regex("layers\\.(\\d{1,2})\\.(q|k)(_proj)?").matches("layers.123.k_proj"));
  EXPECT_TRUE(Pattern::regex("^\\w+?$").matches("mm_1"));
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

TEST(Pattern, NodesWithoutAPathMatchNoPath) { EXPECT_FALSE(Pattern::glob("*").matches_path("")); }

}  // namespace
}  // namespace fxcut
