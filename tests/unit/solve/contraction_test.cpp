// The nodes contracted into a terminal, and the network that is left to cut. tests/property shows that the cuts are the same.
#include "solve/infinite_edges.h"

#include <gtest/gtest.h>

#include "unit/solve/drawn_network.h"

namespace fxcut {
namespace {

TEST(Contraction, ChainsOfInfiniteEdgesGoWithTheirTerminal) {
  const Contraction c = contract(network(
      7, {infinite(kSource, 2), infinite(2, 3), {3, 4, 5}, {4, 5, 7}, infinite(5, 6), infinite(6, kSink)}));
  EXPECT_EQ(c.place, std::vector<Vertex>({0, 1, 0, 0, 2, 1, 1}));
  EXPECT_EQ(c.network.vertices, 3);
  ASSERT_EQ(c.network.edges.size(), 2);
  EXPECT_TRUE(c.network.edges[0].from == 0 && c.network.edges[0].to == 2 && c.network.edges[0].capacity == 5);
  EXPECT_TRUE(c.network.edges[1].from == 2 && c.network.edges[1].to == 1 && c.network.edges[1].capacity == 7);
  EXPECT_TRUE(c.always_cut == 0);
}

TEST(Contraction, EdgesThatBecomeParallelAreOne) {
  const Contraction c = contract(network(5, {infinite(kSource, 2), {kSource, 4, 1}, {2, 4, 2}, {4, kSink, 8}}));
  ASSERT_EQ(c.network.edges.size(), 2);
  EXPECT_TRUE(c.network.edges[0].capacity == 3);
  EXPECT_TRUE(c.network.edges[1].capacity == 8);
}

TEST(Contraction, CountsEdgesInEveryCut) {
  const FlowNetwork n = network(4, {infinite(kSource, 2), {2, 3, 6}, infinite(3, kSink), {kSource, kSink, 4}});
  const Contraction c = contract(n);
  EXPECT_TRUE(c.network.edges.empty());
  EXPECT_TRUE(c.always_cut == 10);
  const MinCut cut = solve_min_cut(n, CutSide::NearestBackward);
  EXPECT_TRUE(cut.value == 10);
  EXPECT_EQ(cut.on_sink_side, std::vector<bool>({false, true, false, true}));
}

TEST(Contraction, EdgesBackIntoTheSourcesSideOrOutOfTheSinksCountInNoCut) {
  const Contraction c = contract(network(
      5, {infinite(kSource, 2), infinite(3, kSink), {2, 4, 1}, {4, 3, 1}, infinite(4, 2), {3, 4, 9}, infinite(3, 2)}));
  ASSERT_EQ(c.network.edges.size(), 2);
  EXPECT_TRUE(c.network.edges[0].to == 2 && c.network.edges[1].from == 2);
  EXPECT_TRUE(c.always_cut == 0);
}

TEST(Contraction, InfiniteEdgesBetweenOthersStayInfinite) {
  const Contraction c = contract(network(4, {{kSource, 2, 3}, infinite(2, 3), {3, kSink, 2}}));
  ASSERT_EQ(c.network.edges.size(), 3);
  EXPECT_TRUE(c.network.edges[0].infinite);
  EXPECT_EQ(c.place, std::vector<Vertex>({0, 1, 2, 3}));
}

}  // namespace
}  // namespace fxcut
