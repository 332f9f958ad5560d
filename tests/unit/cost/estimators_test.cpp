// What running nodes once more costs, by each estimator.
#include "cost/estimators.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kText = R"(
  x = placeholder : f32[16, 16]@1
  mm = aten.mm.default(x, x) : f32[16, 16]@2 runtime_ms=0.5
  view = aten.view.default(mm, [256]) : f32[256]@2
  sin = aten.sin.default(view) : f32[256]@3
  return sin)";

std::vector<Wide> costs(std::string_view estimator, const std::vector<std::string>& names) {
  const JointGraph joint = joint_graph(kText);
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(id_named(joint.graph, name));
  return cost_of_nodes(find_row(estimators(), estimator)->in(estimators()), joint.graph, nodes, {}, kNewestRelease);
}

TEST(Estimator, ByFlopsIsAtLeastOneACall) {
  EXPECT_TRUE((costs("flops", {"mm", "view", "sin", "x"}) == std::vector<Wide>{2 * 16 * 16 * 16, 1, 1, 0}));
}

TEST(Estimator, ByRooflineIsInPicoseconds) {
  const std::vector<Wide> found = costs("roofline", {"sin", "view"});
  EXPECT_TRUE(found[0] == 611) << "2048 bytes at 3350 GB/s are 611.3 ps";
  EXPECT_TRUE(found[1] == 0);
}

TEST(Estimator, ByProfileIsWhatWasMeasuredAndNothingForViews) {
  EXPECT_TRUE((costs("profile", {"mm", "view", "x"}) == std::vector<Wide>{500'000'000, 0, 0}));
}

TEST(Estimator, ByProfileNamesWhatWasNotMeasured) {
  try {
    costs("profile", {"mm", "sin"});
    FAIL() << "expected a failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_STREQ(failure.what(),
                 "fxcut: error: the estimator 'profile' cannot tell what 1 of the nodes cost: sin\n"
                 "  give them a 'runtime_ms' in their 'meta', or estimate by roofline or flops");
  }
}

TEST(Estimator, TimesBeyondAllMeasureStayWithinTheirType) {
  const JointGraph joint =
      joint_graph("x = placeholder\ncall = my.op.default(x) : f32[1] runtime_ms=1e300\nreturn call");
  const Estimator& profile = find_row(estimators(), "profile")->in(estimators());
  EXPECT_TRUE(profile.cost(joint.graph, node_named(joint.graph, "call"), {}, kNewestRelease) > Wide{0});
}

TEST(Estimator, IsFoundByName) {
  EXPECT_EQ(&estimator_of({}), &estimators().front());
  EXPECT_EQ(find_row(estimators(), "roofline")->in(estimators()).shown_unit, "ms");
  EXPECT_FALSE(find_row(estimators(), "guess"));
}

}  // namespace
}  // namespace fxcut
