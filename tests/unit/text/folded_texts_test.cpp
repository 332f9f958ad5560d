// Texts that differ in the node only are shown once.
#include "text/folded_texts.h"

#include <gtest/gtest.h>

#include "text/text_style.h"

namespace fxcut {
namespace {

using Lines = std::vector<std::string>;

TEST(FoldedTexts, ShowTheFirstOfEachKindAndCountTheOthers) {
  const std::vector<AlikeText> texts = {{"'a' is a view", "view"}, {"'b' is an input", "input"}, {"'c' is a view", "view"}};
  EXPECT_EQ(folded_texts(texts), (Lines{"'a' is a view (and 1 more like it)", "'b' is an input"}));
  set_text_style({.folds = false});
  EXPECT_EQ(folded_texts(texts), (Lines{"'a' is a view", "'b' is an input", "'c' is a view"}));
  set_text_style({});
}

TEST(FoldedTexts, TextsAboutNodesAreAlikeWithoutTheirNames) {
  const auto kind = [](std::string_view text) { return without_node_names(text); };
  EXPECT_EQ(kind("'a' is a view of 'b' (policy 'p')"), kind("'c' is a view of 'd' (policy 'p')"));
  EXPECT_NE(kind("'a' is a view of 'b' (policy 'p')"), kind("'a' is a view of 'b' (policy 'q')"));
  EXPECT_NE(kind("policy 'p': no value is named 'x'"), kind("policy 'p': no value is named 'y'"));
  EXPECT_EQ(kind("'a is cut"), "") << "no end";
}

}  // namespace
}  // namespace fxcut
