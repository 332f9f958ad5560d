// Up to which weight a cut takes an edge, on networks whose cuts are known.
#include "explain/cut_view.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

using Kind = WeightLimit::Kind;

// From source 0 over 1 to sink 2.
FlowNetwork chain(Int128 first, Int128 second) { return {3, 0, 2, {{0, 1, first}, {1, 2, second}}}; }

WeightLimit limit_of(const FlowNetwork& network, std::size_t edge, CutSide side) {
  return find_weight_limit(network, solve_min_cut(network, side), edge, side).limit;
}

TEST(WeightLimit, TheCheaperEdgeIsCutUntilItCostsWhatTheOtherDoes) {
  const FlowNetwork network = chain(3, 10);
  const WeightLimit backward = limit_of(network, 0, CutSide::NearestBackward);
  EXPECT_EQ(backward.kind, Kind::UpTo);
  EXPECT_TRUE(backward.saved_up_to == 9) << "at 10 both are minimum cuts, and the other is nearer the backward";
  EXPECT_TRUE(limit_of(network, 0, CutSide::NearestForward).saved_up_to == 10);
}

TEST(WeightLimit, TheDearerEdgeIsCutFromWhereItCostsWhatTheOtherDoes) {
  const FlowNetwork network = chain(10, 3);
  EXPECT_TRUE(limit_of(network, 0, CutSide::NearestBackward).saved_up_to == 2);
  EXPECT_TRUE(limit_of(network, 0, CutSide::NearestForward).saved_up_to == 3);
}

TEST(WeightLimit, AnEdgeWithoutAlternativeIsCutAtAnyWeight) {
  FlowNetwork network = chain(3, 0);
  network.edges[1].infinite = true;
  EXPECT_EQ(limit_of(network, 0, CutSide::NearestBackward).kind, Kind::Always);
}

TEST(WeightLimit, AnEdgeBesideTheFlowIsNeverCut) {
  // Vertex 3 leads nowhere.
  const FlowNetwork network = {4, 0, 2, {{0, 1, 3}, {1, 2, 10}, {0, 3, 5}}};
  EXPECT_EQ(limit_of(network, 2, CutSide::NearestBackward).kind, Kind::Never);
}

TEST(WeightLimit, TheOtherCutLeavesTheEdgeWhole) {
  const FlowNetwork network = chain(3, 10);
  const MinCut cut = solve_min_cut(network, CutSide::NearestBackward);
  const auto other = find_weight_limit(network, cut, 0, CutSide::NearestBackward).other;
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->value == 10);
  EXPECT_FALSE(goes_through(*other, network.edges[0]));
  EXPECT_TRUE(goes_through(*other, network.edges[1]));
}

}  // namespace
}  // namespace fxcut
