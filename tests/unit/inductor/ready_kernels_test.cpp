#include "inductor/ready_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace fxcut {
namespace {

using Position = ReadyKernels::Position;

TEST(ReadyKernels, BelowThePeakTheOneThatLeavesTheLeastIsNext) {
  ReadyKernels ready({100, 300, 300}, {0, 1, 2});
  ready.put(0, 0);
  ready.put(1, 250);
  ready.put(2, 0);
  EXPECT_EQ(ready.best_within(300), 1U);
  EXPECT_EQ(ready.best_within(299), 0U);
}

TEST(ReadyKernels, AboveThePeakTheOneThatTakesTheLeastIsNext) {
  ReadyKernels ready({200, 100, 100}, {0, 1, 2});
  ready.put(0, 200);
  ready.put(1, 0);
  ready.put(2, 50);
  EXPECT_EQ(ready.best_within(50), 2U);
  ready.remove(2);
  EXPECT_EQ(ready.best_within(50), 1U);
  ready.remove(1);
  ready.remove(0);
  EXPECT_TRUE(ready.empty());
}

TEST(ReadyKernels, ItIsTheOneThatALookAtEachFinds) {
  std::mt19937 engine(1);
  const auto random = [&engine] { return static_cast<std::int64_t>(engine()); };
  for (int round = 0; round < 200; ++round) {
    const auto count = static_cast<Position>(1 + random() % 20);
    std::vector<std::int64_t> size(count), frees(count);
    std::vector<Position> place(count);
    for (Position k = 0; k < count; ++k) {
      size[k] = random() % 5;
      place[k] = k;
    }
    std::ranges::shuffle(place, engine);
    ReadyKernels ready(size, place);
    std::set<Position> all;
    for (Position k = 0; k < count; ++k) {
      frees[k] = random() % 5;
      ready.put(k, frees[k]);
      all.insert(k);
    }
    while (!all.empty()) {
      const std::int64_t gap = random() % 6;
      const Position next = *std::ranges::min_element(all, {}, [&](Position each) {
        return std::tuple{size[each] > gap ? size[each] : 0, size[each] - frees[each], place[each]};
      });
      ASSERT_EQ(ready.best_within(gap), next);
      ready.remove(next);
      all.erase(next);
      if (all.empty()) continue;
      frees[*all.begin()] += 1;
      ready.put(*all.begin(), frees[*all.begin()]);
    }
    EXPECT_TRUE(ready.empty());
  }
}

}  // namespace
}  // namespace fxcut
