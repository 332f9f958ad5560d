// Up to which weight a cut takes an edge, against all cuts of small networks.
#include "explain/cut_view.h"

#include <gtest/gtest.h>

#include "all_cuts.h"
#include "random_network.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kLimitedNetworks = 400;
constexpr Int128 kMoreThanAll = 1000;

// Whether the minimum cut of that side contains the edge, if it has this capacity.
bool is_cut_at(FlowNetwork network, std::size_t edge, Int128 capacity, CutSide tagged) {
  network.edges[edge].capacity = capacity;
  const AllCuts all = find_all_cuts(network);
  SinkSide extreme = all.minimum.front();
  for (const SinkSide side : all.minimum)
    extreme = tagged == CutSide::NearestBackward ? extreme & side : extreme | side;
  const auto on_sink_side = [&](Vertex v) {
    return v == network.sink || (v != network.source && (extreme >> v & 1) != 0);
  };
  return !on_sink_side(network.edges[edge].from) && on_sink_side(network.edges[edge].to);
}

struct Seen {
  int cut = 0, whole = 0, always = 0, never = 0;
};

void expect_exact_limit(const FlowNetwork& network, std::size_t edge, CutSide side, Seen& seen) {
  using enum WeightLimit::Kind;
  SCOPED_TRACE("edge " + std::to_string(edge));
  const MinCut cut = solve_min_cut(network, side);
  const WeightLimit limit = find_weight_limit(network, cut, edge, side).limit;
  switch (limit.kind) {
    case Always:
      EXPECT_TRUE(is_cut_at(network, edge, kMoreThanAll, side));
      ++seen.always;
      break;
    case Never:
      EXPECT_FALSE(is_cut_at(network, edge, 0, side));
      ++seen.never;
      break;
    case UpTo:
      EXPECT_TRUE(is_cut_at(network, edge, limit.saved_up_to, side));
      EXPECT_FALSE(is_cut_at(network, edge, limit.saved_up_to + 1, side));
      ++(goes_through(cut, network.edges[edge]) ? seen.cut : seen.whole);
  }
}

TEST(WeightLimitByBruteForce, TheDecisionStaysAtTheLimitAndChangesOneBeyondIt) {
  Seen seen;
  for (std::uint32_t seed = 1; seed <= kLimitedNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork network =
        random_network(random, {.inner = seed % 6 + 1, .density = 0.2 + 0.1 * (seed % 5), .infinite = 0.3});
    if (!infinite_path(network).empty()) continue;
    for (std::size_t edge = 0; edge < network.edges.size(); ++edge) {
      if (network.edges[edge].infinite) continue;
      for (const CutSide side : {CutSide::NearestBackward, CutSide::NearestForward}) {
        expect_exact_limit(network, edge, side, seen);
      }
    }
    if (HasFailure()) return;
  }
  for (const int count : {seen.cut, seen.whole, seen.always, seen.never}) {
    EXPECT_GT(count, 100) << "the networks hardly test one kind of limit";
  }
}

TEST(WeightLimitByBruteForce, TheOtherCutIsTheCheapestThatDecidesOtherwise) {
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= kLimitedNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    FlowNetwork network = random_network(random, {.inner = seed % 6 + 1, .infinite = 0.2});
    if (!infinite_path(network).empty()) continue;
    const CutSide side = CutSide::NearestBackward;
    const MinCut cut = solve_min_cut(network, side);
    for (std::size_t edge = 0; edge < network.edges.size(); ++edge) {
      if (network.edges[edge].infinite) continue;
      const bool is_cut = goes_through(cut, network.edges[edge]);
      const auto other = find_weight_limit(network, cut, edge, side).other;
      if (!other) continue;
      EXPECT_NE(goes_through(*other, network.edges[edge]), is_cut);
      // The costs of the remaining edges of all cuts that decide otherwise.
      FlowNetwork rest = network;
      rest.edges[edge].capacity = is_cut ? kMoreThanAll : 0;
      EXPECT_TRUE(other->value == *find_all_cuts(rest).value);
      ++compared;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace fxcut
