// Drops at the distances of Revolve.
#include "peak/spread_drops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fxcut {
namespace {

// The fewest runs of a unit to reverse `units` units, if `kept` states besides the first can be kept; tries all splits.
std::size_t fewest_runs(std::size_t units, std::size_t kept) {
  static std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
  if (units <= 1) return 0;
  if (kept == 0) return units * (units - 1) / 2;
  std::size_t& fewest = known[{units, kept}];
  if (fewest > 0) return fewest;
  fewest = units * units;
  for (std::size_t before = 1; before < units; ++before) {
    const std::size_t runs = before + fewest_runs(units - before, kept - 1) + fewest_runs(before, kept);
    fewest = std::min(fewest, runs);
  }
  return fewest;
}

std::size_t runs_of_schedule(std::size_t units, std::size_t kept) {
  if (units <= 1) return 0;
  if (kept == 0) return units * (units - 1) / 2;
  const std::size_t before = units_before_kept(units, kept);
  return before + runs_of_schedule(units - before, kept - 1) + runs_of_schedule(before, kept);
}

TEST(SpreadDrops, AChainIsReversedInTheFewestRuns) {
  for (std::size_t units = 2; units <= 60; ++units) {
    for (std::size_t kept = 1; kept <= 8; ++kept) {
      EXPECT_EQ(runs_of_schedule(units, kept), fewest_runs(units, kept)) << units << " units, " << kept << " kept";
    }
  }
}

constexpr Int128 kBytes = 100;

// Each is made from the one before.
JustRecomputed chain(std::uint32_t values, Int128 bytes_besides) {
  JustRecomputed now;
  now.bytes_besides = bytes_besides;
  for (std::uint32_t i = 0; i < values; ++i) now.made.push_back({i, kBytes, i, i + 1, true});
  return now;
}

std::set<std::uint32_t> kept_within(const JustRecomputed& now, Int128 limit_bytes) {
  std::set<std::uint32_t> kept;
  for (const JustRecomputed::Memory& made : now.made) {
    if (made.is_needed_later) kept.insert(made.memory);
  }
  for (const std::uint32_t dropped : drops_within(now, limit_bytes)) EXPECT_EQ(kept.erase(dropped), 1u) << dropped;
  return kept;
}

TEST(SpreadDrops, NothingIsDroppedWhereAllFits) {
  EXPECT_EQ(kept_within(chain(10, 500), 1500).size(), 10u);
  EXPECT_LT(kept_within(chain(10, 500), 1499).size(), 10u);
}

TEST(SpreadDrops, KeepsAsManyOfAChainAsFit) {
  const std::set<std::uint32_t> kept = kept_within(chain(20, 0), 400);
  EXPECT_EQ(kept.size(), 4u);
  EXPECT_TRUE(kept.contains(19)) << "which is needed first";
}

TEST(SpreadDrops, WithoutRoomOnlyWhatIsNeededFirstIsKept) {
  EXPECT_EQ(kept_within(chain(20, 1000), 500), std::set<std::uint32_t>{19});
}

TEST(SpreadDrops, LayersAreDividedWhereOneOfTheirValuesCrosses) {
  // In each layer of three the last is made from the first two, and the next layer from the last.
  JustRecomputed now;
  for (std::uint32_t i = 0; i < 30; i += 3) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      now.made.push_back({i + j, kBytes, i + j, j < 2 ? i + 2 : i + 4, true});
    }
  }
  for (const std::uint32_t kept : kept_within(now, 600)) {
    EXPECT_TRUE(kept >= 27 || kept % 3 == 2) << kept << ": the last layer, and what other layers end with";
  }
}

TEST(SpreadDrops, IsNotDividedWhereSomethingCrossesThatIsNotNeededLater) {
  JustRecomputed now = chain(20, 0);
  for (std::uint32_t i = 0; i < 20; i += 2) now.made[i].is_needed_later = false;
  for (const std::uint32_t kept : kept_within(now, 500)) EXPECT_EQ(kept % 2, 1u);
  EXPECT_EQ(kept_within(now, 500).size(), 5u);
}

}  // namespace
}  // namespace fxcut
