// One budget for several graphs.
#include "model/split_budget.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace fxcut {
namespace {

using Bytes = std::vector<std::int64_t>;

// Corners alone: bytes and cost of each.
Frontier corners(const std::vector<std::pair<std::int64_t, double>>& points) {
  Frontier frontier;
  for (const auto& [bytes, cost] : points) {
    FrontierPoint point;
    point.saved_bytes = bytes;
    point.recompute_cost = cost;
    point.corner = true;
    frontier.push_back(point);
  }
  return frontier;
}

TEST(SplitBudget, GoesWhereAByteTakesMostAway) {
  const std::vector<Frontier> graphs = {corners({{10, 100}, {20, 0}}),    // 10 a byte
                                        corners({{10, 100}, {20, 50}})};  // 5 a byte
  EXPECT_EQ(split_budget(graphs, 20)->limits, (Bytes{10, 10}));
  EXPECT_EQ(split_budget(graphs, 30)->limits, (Bytes{20, 10}));
  EXPECT_EQ(split_budget(graphs, 40)->limits, (Bytes{20, 20}));
}

TEST(SplitBudget, GivesWhatIsLeftToTheDearestStep) {
  const std::vector<Frontier> graphs = {corners({{10, 100}, {20, 0}}), corners({{10, 100}, {20, 50}})};
  const auto split = split_budget(graphs, 35);
  EXPECT_EQ(split->limits, (Bytes{20, 15}));
  EXPECT_EQ(split->recompute_cost, 100);
  EXPECT_EQ(split_budget(graphs, 100)->limits, (Bytes{20, 20}));  // no graph can use more
}

TEST(SplitBudget, HasNoAnswerBelowTheLeastOfAll) {
  const std::vector<Frontier> graphs = {corners({{10, 5}}), corners({{7, 5}})};
  EXPECT_EQ(least_bytes(graphs), 17);
  EXPECT_FALSE(split_budget(graphs, 16));
  EXPECT_TRUE(split_budget(graphs, 17));
}

TEST(SplitBudget, TakesASmallerStepWhereTheBestIsTooLarge) {
  const std::vector<Frontier> graphs = {corners({{0, 1000}, {100, 0}}), corners({{0, 10}, {5, 0}})};
  EXPECT_EQ(split_budget(graphs, 60)->limits, (Bytes{55, 5}));
}

TEST(SplitBudget, TakesPartOfALargeStepBeforeCheaperOnes) {
  Frontier large = corners({{0, 1000}, {50, 500}, {100, 0}});
  large[1].corner = false;
  const std::vector<Frontier> graphs = {large, corners({{0, 100}, {30, 50}, {60, 0}})};
  const auto split = split_budget(graphs, 90);
  EXPECT_EQ(split->limits, (Bytes{60, 30}));
  EXPECT_EQ(split->recompute_cost, 550);
}

TEST(SplitBudget, SumsAreAtMostTheLimit) {
  EXPECT_FALSE(split_budget(std::vector<Frontier>(2, corners({{5'000'000'000'000'000'000, 0}})), 9'000'000'000'000'000'000));
  const std::vector<Frontier> graphs(2, corners({{0, 10}, {5'000'000'000'000'000'000, 0}}));
  EXPECT_EQ(split_budget(graphs, 6'000'000'000'000'000'000)->limits,
            (Bytes{5'000'000'000'000'000'000, 1'000'000'000'000'000'000}));
}

TEST(SplitBudget, OfVeryManyGraphsTheHighestPriceOfAHullIsFirst) {
  std::vector<Frontier> graphs(65, corners({{0, 10}, {20, 0}}));
  graphs.front() = corners({{0, 100}, {10, 99}, {20, 0}});
  graphs.front()[1].corner = false;
  const auto split = split_budget(graphs, 20);
  EXPECT_EQ(split->limits.front(), 20);
  EXPECT_EQ(split->recompute_cost, 640);
}

// The ranges of bytes that are kept for many graphs are small.
TEST(SplitBudget, OfManyGraphsIsNearTheLeast) {
  const std::vector<Frontier> graphs(50, corners({{0, 1000}, {1'000'001, 400}, {2'000'003, 300}, {4'000'005, 0}}));
  const auto split = split_budget(graphs, 100'000'150);
  EXPECT_LE(split->recompute_cost, 15'000 * 1.01);  // two million bytes each
}

TEST(SplitBudget, UsesChoicesBetweenCornersForWhatIsLeft) {
  Frontier frontier = corners({{0, 1000}, {50, 600}, {100, 0}});
  frontier[1].corner = false;
  const std::vector<Frontier> graphs = {frontier};
  EXPECT_EQ(split_budget(graphs, 99)->limits, (Bytes{99}));
}

TEST(SplitBudget, LeavesOutGraphsWithNothingToSave) {
  const std::vector<Frontier> graphs = {{}, corners({{10, 5}, {20, 0}})};
  EXPECT_EQ(split_budget(graphs, 20)->limits, (Bytes{0, 20}));
}

Frontier random_frontier(std::mt19937& random) {
  std::vector<std::pair<std::int64_t, double>> points = {{static_cast<std::int64_t>(1'000'000 + random() % 50), 1e6}};
  for (std::size_t point = 0; point < 1 + random() % 4; ++point) {
    const auto bytes = static_cast<std::int64_t>(1 + random() % 20);
    points.emplace_back(points.back().first + bytes, points.back().second - static_cast<double>(1 + random() % 10'000));
  }
  return corners(points);
}

// The least cost of all ways to choose a point of each graph within the limit.
double least_cost(const std::vector<Frontier>& graphs, std::size_t graph, std::int64_t left) {
  if (graph == graphs.size()) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const FrontierPoint& point : graphs[graph]) {
    if (point.saved_bytes > left) break;
    least = std::min(least, point.recompute_cost + least_cost(graphs, graph + 1, left - point.saved_bytes));
  }
  return least;
}

TEST(SplitBudget, CostsTheLeastOfAllSplits) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Frontier> graphs;
    for (int graph = 0; graph < 4; ++graph) graphs.push_back(random_frontier(random));
    std::int64_t most = 0;
    for (const Frontier& frontier : graphs) most += frontier.back().saved_bytes;
    const std::int64_t least = least_bytes(graphs);
    const std::int64_t limit = least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    const auto split = split_budget(graphs, limit);
    ASSERT_TRUE(split);
    EXPECT_LE(std::accumulate(split->limits.begin(), split->limits.end(), std::int64_t{0}), limit);
    EXPECT_NEAR(split->recompute_cost, least_cost(graphs, 0, limit), 1e-6);
  }
}

}  // namespace
}  // namespace fxcut
