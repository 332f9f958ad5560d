// The minimum cut of networks drawn by hand. Random ones, against all of their cuts, are in tests/property.
#include <gtest/gtest.h>

#include "unit/solve/drawn_network.h"

namespace fxcut {
namespace {

std::vector<bool> sink_side(const FlowNetwork& n, CutSide side) { return solve_min_cut(n, side).on_sink_side; }

TEST(MinCut, TakesTheCheapestEdgeOfAChain) {
  const FlowNetwork chain = network(4, {{kSource, 2, 5}, {2, 3, 1}, {3, kSink, 4}});
  EXPECT_TRUE(solve_min_cut(chain, CutSide::NearestBackward).value == 1);
  EXPECT_EQ(sink_side(chain, CutSide::NearestBackward), std::vector<bool>({false, true, false, true}));
  EXPECT_EQ(sink_side(chain, CutSide::NearestForward), std::vector<bool>({false, true, false, true}));
}

TEST(MinCut, EitherExtremeOfTiedCutsCanBeChosen) {
  const FlowNetwork chain = network(5, {{kSource, 2, 3}, {2, 3, 3}, {3, 4, 3}, {4, kSink, 3}});
  EXPECT_EQ(sink_side(chain, CutSide::NearestBackward), std::vector<bool>({false, true, false, false, false}));
  EXPECT_EQ(sink_side(chain, CutSide::NearestForward), std::vector<bool>({false, true, true, true, true}));
}

TEST(MinCut, UnreachedVerticesAreOnTheSideOfTheirExtreme) {
  // Vertex 2 has no edges, 3 only feeds a full edge's start.
  const FlowNetwork n = network(4, {{kSource, kSink, 1}, {3, kSink, 0}});
  EXPECT_EQ(sink_side(n, CutSide::NearestBackward), std::vector<bool>({false, true, false, false}));
  EXPECT_EQ(sink_side(n, CutSide::NearestForward), std::vector<bool>({false, true, true, true}));
}

TEST(MinCut, EdgesOfNoCapacityAreCutForNothing) {
  const FlowNetwork n = network(3, {infinite(kSource, 2), {2, kSink, 0}});
  EXPECT_TRUE(solve_min_cut(n, CutSide::NearestBackward).value == 0);
  EXPECT_EQ(sink_side(n, CutSide::NearestBackward), std::vector<bool>({false, true, false}));
}

TEST(MinCut, NoInfiniteEdgeIsCut) {
  // Both finite edges together are cheaper than infinity, however that is represented.
  const FlowNetwork n =
      network(4, {infinite(kSource, 2), {2, kSink, 1'000'000'000'000}, infinite(2, 3), {3, kSink, 7}});
  EXPECT_TRUE(solve_min_cut(n, CutSide::NearestBackward).value == 1'000'000'000'007);
}

TEST(MinCut, CapacitiesBeyond64Bits) {
  const Int128 large = Int128{1} << 100;
  const FlowNetwork n =
      network(4, {{kSource, 2, large + 1}, {2, kSink, large}, {kSource, 3, large}, {3, kSink, large - 1}});
  EXPECT_TRUE(solve_min_cut(n, CutSide::NearestBackward).value == 2 * large - 1);
}

TEST(MinCut, EdgesBothWaysBetweenTwoVertices) {
  const FlowNetwork n = network(4, {{kSource, 2, 4}, {2, 3, 2}, {3, 2, 9}, {3, kSink, 4}});
  EXPECT_TRUE(solve_min_cut(n, CutSide::NearestBackward).value == 2);
}

TEST(InfinitePath, IsTheShortest) {
  const FlowNetwork n =
      network(5, {infinite(kSource, 2), infinite(2, 3), infinite(3, kSink), infinite(kSource, 4), infinite(4, kSink)});
  EXPECT_EQ(infinite_path(n), std::vector<Vertex>({kSource, 4, kSink}));
}

TEST(InfinitePath, DoesNotGoOverFiniteEdges) {
  EXPECT_TRUE(infinite_path(network(3, {infinite(kSource, 2), {2, kSink, 1'000'000}})).empty());
  EXPECT_TRUE(infinite_path(network(2, {})).empty());
}

}  // namespace
}  // namespace fxcut
