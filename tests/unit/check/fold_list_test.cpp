// Rows that repeat with growing numbers, as one.
#include "check/fold_list.h"

#include <gtest/gtest.h>


namespace fxcut {
namespace {

// "first+size x times" of each fold.
std::vector<std::string> shown(const std::vector<NumberedRow>& rows) {
  std::vector<std::string> texts;
  for (const Fold& part : fold(rows)) {
    texts.push_back(std::to_string(part.first) + "+" + std::to_string(part.size) + "x" + std::to_string(part.times));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Fold, LayersOfSeveralRowsAreOneGroup) {
  std::vector<NumberedRow> rows = {{9, {}}};
  for (std::int64_t layer = 0; layer < 4; ++layer) {
    rows.push_back({0, {7 * layer, layer}});
    rows.push_back({1, {7 * layer + 1, layer}});
  }
  rows.push_back({9, {}});
  EXPECT_EQ(shown(rows), (Texts{"0+1x1", "1+2x4", "9+1x1"}));
  EXPECT_EQ(steps_of(rows, 1, 2), (std::vector<std::int64_t>{7, 1}));
}

TEST(Fold, AnotherStepEndsIt) {
  EXPECT_EQ(shown({{0, {1}}, {0, {2}}, {0, {3}}, {0, {5}}, {0, {6}}}), (Texts{"0+1x3", "3+1x1", "4+1x1"}));
}

TEST(Fold, TwoOfAKindStayTwoLines) {
  EXPECT_EQ(shown({{0, {1}}, {0, {2}}}), (Texts{"0+1x1", "1+1x1"}));
  EXPECT_TRUE(shown({}).empty());
}

TEST(NumbersInText, AreThoseThatTheirValueGivesBack) {
  EXPECT_EQ(numbers_in("mm_4 (forward) of layers.12"), (std::vector<std::int64_t>{4, 12}));
  EXPECT_EQ(numbers_in("a007_0_1234567890123456"), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(pattern_of("mm_4x12"), "mm_0x0");
  EXPECT_NE(pattern_of("a007"), pattern_of("a7"));
  const std::vector<std::int64_t> numbers = {11, 3};
  EXPECT_EQ(with_numbers("mm_4x12", numbers.data()), "mm_11x3");
}

TEST(NumbersInText, AStepStaysWithinWhatANumberIs) {
  EXPECT_EQ(stepped(4, 7, 2), 18);
  EXPECT_EQ(stepped(4, -2, 2), 0);
  EXPECT_EQ(stepped(4, -2, 3), std::nullopt);
  EXPECT_EQ(stepped(1, 999'999'999'999'999, 1), std::nullopt);
  EXPECT_EQ(stepped(1, INT64_MAX, SIZE_MAX / 2), std::nullopt);
}

}  // namespace
}  // namespace fxcut
