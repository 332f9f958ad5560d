// A list that may or may not have room for its elements inside does the same as a vector.
#include "graph/small_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

using List = SmallList<std::int64_t, 3>;
using Vector = std::vector<std::int64_t>;

Vector elements(const List& list) { return {list.begin(), list.end()}; }

List list_of(std::size_t size) {
  List list;
  for (std::size_t i = 0; i < size; ++i) list.push_back(static_cast<std::int64_t>(i) + 1);
  return list;
}

TEST(SmallList, DoesWhatAVectorDoes) {
  std::mt19937 random(20);
  List list;
  Vector vector;
  for (int step = 0; step < 5000; ++step) {
    const std::size_t at = random() % (vector.size() + 1);
    const auto in_list = list.begin() + static_cast<std::ptrdiff_t>(at);
    const auto in_vector = vector.begin() + static_cast<std::ptrdiff_t>(at);
    const Vector added{step, -step};
    switch (random() % 8) {
      case 0: list.push_back(step), vector.push_back(step); break;
      case 1: list.insert(in_list, added.begin(), added.end()), vector.insert(in_vector, added.begin(), added.end()); break;
      case 2: list.insert(in_list, 2, step), vector.insert(in_vector, 2, step); break;
      case 3: list.resize(at + 1, step), vector.resize(at + 1, step); break;
      case 4:
        if (at < vector.size()) list.erase(in_list), vector.erase(in_vector);
        break;
      case 5: list.erase(list.begin(), in_list), vector.erase(vector.begin(), in_vector); break;
      case 6:
        if (!vector.empty()) list.insert(list.begin(), list.back()), vector.insert(vector.begin(), std::int64_t{vector.back()});
        break;
      default:
        if (!vector.empty()) list.pop_back(), vector.pop_back();
    }
    ASSERT_EQ(elements(list), vector) << step;
    ASSERT_EQ(list.empty(), vector.empty());
  }
}

TEST(SmallList, IsCopiedAndMovedWhereverItsElementsAre) {
  for (const std::size_t from : {0U, 2U, 3U, 4U, 9U}) {
    for (const std::size_t to : {0U, 3U, 5U}) {
      const List source = list_of(from);
      List copy = list_of(to);
      copy = source;
      EXPECT_EQ(elements(copy), elements(list_of(from)));
      EXPECT_EQ(elements(source), elements(list_of(from)));
      List moved = list_of(to);
      moved = std::move(copy);
      EXPECT_EQ(elements(moved), elements(source));
      copy = list_of(to);  // a list that was moved from can be filled again
      copy.push_back(7);
      EXPECT_EQ(copy.size(), to + 1);
      EXPECT_EQ(elements(List(source)), elements(source));
    }
  }
}

TEST(SmallList, IsComparedByItsElements) {
  EXPECT_EQ(list_of(4), (List{1, 2, 3, 4}));
  EXPECT_NE(list_of(4), list_of(3));
  EXPECT_LT(list_of(3), list_of(4));
  EXPECT_LT((List{1, 2}), (List{1, 3}));
}

}  // namespace
}  // namespace fxcut
