// The last values of a step's forward that the step does not return.
#include "step/forward_ends.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "graph_text.h"
#include "partition/partition.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// `loss`: what is computed from c; `seed`: what the backward starts with.
std::string trained(std::string_view loss, std::string_view seed, std::string_view returned) {
  return R"(
    x = placeholder : f32[100]@0
    w = placeholder : f32[100]@1 static
    a = aten.sin.default(x) : f32[100]@2
    b = aten.mul.Tensor(a, w) : f32[100]@3
    c = aten.sin.default(b) : f32[100]@4
    )" + std::string(loss) + "\n    " + std::string(seed) + R"( : f32[100]@6 autograd_backward=true
    f = aten.cos.default(b) : f32[100]@7 autograd_backward=true
    g = aten.mul.Tensor(s, f) : f32[100]@8 autograd_backward=true
    h = aten.mul.Tensor(g, a) : f32[100]@9 autograd_backward=true
    return )" + std::string(returned);
}

std::string ends_of(std::string_view text) {
  const JointGraph joint = step_graph(text);
  std::string names;
  for (const NodeId id : find_unreturned_ends(joint.step->graph)) names += joint.step->graph[id].name + " ";
  return names;
}

constexpr std::string_view kLoss = "l = aten.sum.default(c) : f32[]@5", kOnes = "s = aten.expand_copy.default(l, [100])";

TEST(ForwardEnds, ALossThatOnlyTheBackwardUses) {
  EXPECT_EQ(ends_of(trained(kLoss, kOnes, "h")), "l ");
  EXPECT_EQ(ends_of(trained(kLoss, kOnes, "l, h")), "");
}

TEST(ForwardEnds, UnusedNodesAreNotEnds) {
  EXPECT_EQ(ends_of(trained(kLoss, "s = aten.full.default([100], 1)", "h")), "b ") << "of b and a, which the backward uses";
}

TEST(ForwardEnds, WithoutAReturnedLossTheForwardIsDecidedOnAsWithOne) {
  Settings settings;
  settings.activation_memory_budget = 0;
  const Partition with = partition(step_graph(trained(kLoss, kOnes, "l, h")), settings);
  const Partition without = partition(step_graph(trained(kLoss, kOnes, "h")), settings);
  EXPECT_EQ(without.report.totals.recomputed_operators, with.report.totals.recomputed_operators);
  EXPECT_EQ(without.report.totals.saved_bytes_not_static, with.report.totals.saved_bytes_not_static);
  EXPECT_EQ(names_of(*with.step), "x w a b c l a_recomputed b_recomputed c_recomputed l_recomputed s f g h output");
  EXPECT_EQ(names_of(*without.step), "x w a_recomputed b_recomputed c_recomputed l_recomputed s f g h output")
      << "what the forward has computed for nothing goes";
}

}  // namespace
}  // namespace fxcut
