// The minimum cut of small networks against all of their cuts.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "all_cuts.h"
#include "random_network.h"

namespace fxcut {
namespace {

constexpr int kSolvedNetworks = 2000;

SinkSide as_bits(const MinCut& cut, const FlowNetwork& network) {
  SinkSide side = 0;
  for (Vertex v = 0; v + 2 < network.vertices; ++v) side |= SinkSide{cut.on_sink_side[v]} << v;
  return side;
}

void expect_extreme_cut(const FlowNetwork& network, const AllCuts& all, CutSide tagged) {
  const MinCut cut = solve_min_cut(network, tagged);
  EXPECT_TRUE(cut.value == *all.value);
  EXPECT_TRUE(cut.on_sink_side[network.sink]);
  EXPECT_FALSE(cut.on_sink_side[network.source]);
  // Minimum cuts are closed under union and intersection: one is within all others, and one around them.
  SinkSide extreme = all.minimum.front();
  for (const SinkSide side : all.minimum)
    extreme = tagged == CutSide::NearestBackward ? extreme & side : extreme | side;
  EXPECT_EQ(as_bits(cut, network), extreme);
}

TEST(MinCutByBruteForce, BothSidesAreTheExtremesOfAllMinimumCuts) {
  int infinite = 0, tied = 0;
  for (std::uint32_t seed = 1; seed <= kSolvedNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork network =
        random_network(random, {.inner = seed % 12 + 1, .density = 0.15 + 0.1 * (seed % 5), .infinite = 0.2});
    const AllCuts all = find_all_cuts(network);
    EXPECT_EQ(infinite_path(network).empty(), all.value.has_value());
    if (!all.value) {
      ++infinite;
      continue;
    }
    tied += all.minimum.size() > 1 ? 1 : 0;
    expect_extreme_cut(network, all, CutSide::NearestBackward);
    expect_extreme_cut(network, all, CutSide::NearestForward);
    if (HasFailure()) return;
  }
  EXPECT_GT(infinite, kSolvedNetworks / 20) << "the networks hardly test infinite paths";
  EXPECT_GT(tied, kSolvedNetworks / 10) << "the networks hardly test ties";
}

TEST(MinCutByBruteForce, AnInfinitePathIsOne) {
  int paths = 0;
  for (std::uint32_t seed = 1; seed <= kSolvedNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork network = random_network(random, {.inner = seed % 12 + 1, .infinite = 0.3});
    const std::vector<Vertex> path = infinite_path(network);
    if (path.empty()) continue;
    ++paths;
    ASSERT_EQ(path.front(), network.source);
    ASSERT_EQ(path.back(), network.sink);
    for (std::size_t p = 0; p + 1 < path.size(); ++p) {
      const bool is_edge = std::any_of(network.edges.begin(), network.edges.end(), [&](const FlowEdge& edge) {
        return edge.infinite && edge.from == path[p] && edge.to == path[p + 1];
      });
      ASSERT_TRUE(is_edge);
    }
  }
  EXPECT_GT(paths, kSolvedNetworks / 20);
}

}  // namespace
}  // namespace fxcut
