// Values by text, compared with std::map.
#include "graph/text_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace fxcut {
namespace {

TEST(TextMap, AnEmptyMapFindsNothing) {
  TextMap<int> map;
  EXPECT_EQ(map.find("a"), nullptr);
  EXPECT_TRUE(map.entries().empty());
}

TEST(TextMap, KeepsTheFirstValueOfEachText) {
  TextMap<int> map;
  EXPECT_TRUE(map.emplace("a", 1).second);
  EXPECT_TRUE(map.emplace("", 2).second);
  const auto [value, is_new] = map.emplace("a", 3);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(value, 1);
  value = 4;
  EXPECT_EQ(*map.find("a"), 4);
  EXPECT_EQ(*map.find(""), 2);
  EXPECT_EQ(map.find("b"), nullptr);
}

TEST(TextMap, EqualsAMapHoweverItGrows) {
  std::vector<std::string> texts;
  for (int number = 0; number < 3000; ++number) texts.push_back("mul_" + std::to_string(number));
  std::mt19937 random(7);
  for (const std::size_t reserved : {0u, 1u, 100u, 10'000u}) {
    TextMap<std::size_t> map;
    if (reserved > 0) map.reserve(reserved);
    std::map<std::string, std::size_t> expected;
    std::vector<std::string> order;
    for (std::size_t turn = 0; turn < 6000; ++turn) {
      const std::string& text = texts[random() % texts.size()];
      const bool is_new = expected.emplace(text, turn).second;
      if (is_new) order.push_back(text);
      ASSERT_EQ(map.emplace(text, turn).second, is_new);
    }
    for (const std::string& text : texts) {
      const auto found = expected.find(text);
      const std::size_t* value = map.find(text);
      ASSERT_EQ(value != nullptr, found != expected.end()) << text;
      EXPECT_TRUE(value == nullptr || *value == found->second) << text;
    }
    ASSERT_EQ(map.entries().size(), order.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(map.entries()[i].text, order[i]);
  }
}

}  // namespace
}  // namespace fxcut
