// The cost of running nodes once more, by each estimator.
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

std::vector<Int128> costs(std::string_view estimator, const std::vector<std::string>& names, const Settings& settings = {}) {
  const JointGraph joint = joint_graph(kText);
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(id_named(joint.graph, name));
  return cost_of_nodes(find_row(estimators(), estimator)->in(estimators()), joint.graph, nodes, settings, kNewestRelease);
}

TEST(Estimator, FlopsAreAtLeastOnePerCall) {
  EXPECT_TRUE((costs("flops", {"mm", "view", "sin", "x"}) == std::vector<Int128>{2 * 16 * 16 * 16, 1, 1, 0}));
}

TEST(Estimator, RooflineIsInPicosecondsAndNeverZeroForComputation) {
  Settings h100;
  h100.device_profile = find_row(device_profiles(), "h100");
  const std::vector<Int128> found = costs("roofline", {"mm", "view", "sin"}, h100);
  EXPECT_TRUE(found[0] == 500'000'000) << "as measured: it is not fused";
  EXPECT_TRUE(found[1] == 0);
  EXPECT_TRUE(found[2] == 2'000'679)
      << "a kernel's 2 us, and the 1024 bytes of the product, and its own, which is returned, at nine tenths of 3350 GB/s";
}

TEST(Estimator, ProfileIsTheMeasuredTimeAndZeroForViews) {
  EXPECT_TRUE((costs("profile", {"mm", "view", "x"}) == std::vector<Int128>{500'000'000, 0, 0}));
}

TEST(Estimator, ProfileNamesUnmeasuredCalls) {
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
  EXPECT_TRUE(profile.cost(joint.graph, {}, kNewestRelease)(id_named(joint.graph, "call")) > Int128{0});
}

TEST(Estimator, DependsOnTheSolverUnlessItIsSet) {
  EXPECT_EQ(estimator_of_budget({}).name, "flops");
  EXPECT_EQ(estimator_of_frontier({}).name, "roofline");
  Settings settings;
  settings.activation_memory_budget_runtime_estimator = find_row(estimators(), "testing");
  EXPECT_EQ(estimator_of_budget(settings).name, "testing");
  EXPECT_EQ(estimator_of_frontier(settings).name, "testing");
}

TEST(Estimator, IsFoundByName) {
  EXPECT_EQ(find_row(estimators(), "roofline")->in(estimators()).shown_unit, "ms");
  EXPECT_FALSE(find_row(estimators(), "guess"));
}

}  // namespace
}  // namespace fxcut
