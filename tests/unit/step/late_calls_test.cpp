// Calls of the forward after the backward.
#include "step/late_calls.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "graph_text.h"
#include "partition/partition.h"
#include "phases.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// A chain of sines, their sum and their gradient; then `behind`.
std::string detached(std::string_view before, std::string_view behind, std::string_view returned) {
  return R"(
    x = placeholder : f32[100]@0
    w = placeholder : f32[100]@1 static
    a = aten.sin.default(x) : f32[100]@2
    b = aten.mul.Tensor(a, w) : f32[100]@3
    c = aten.sin.default(b) : f32[100]@4
    l = aten.sum.default(c) : f32[]@5
    )" + std::string(before) + R"(
    s = aten.ones_like.default(l) : f32[]@6 autograd_backward=true
    e = aten.expand.default(s, [100]) : f32[100]@6 autograd_backward=true
    f = aten.cos.default(b) : f32[100]@7 autograd_backward=true
    g = aten.mul.Tensor(e, f) : f32[100]@8 autograd_backward=true
    h = aten.mul.Tensor(g, a) : f32[100]@9 autograd_backward=true
    )" + std::string(behind) + "\n    return " + std::string(returned);
}

Settings least_saved() {
  Settings settings;
  settings.saved_bytes_limit = parse_memory_limit("least");
  settings.activation_memory_budget_solver = frontier_solver();
  return settings;
}

Settings budget_of_zero() {
  Settings settings;
  settings.activation_memory_budget = 0;
  return settings;
}

constexpr std::string_view kDetach = "d = aten.detach.default(l) : f32[]@5";

TEST(LateCalls, TheDecisionIsTheSameWhereverTheLossIsDetached) {
  const JointGraph early = step_graph(detached(kDetach, "", "d, h")), late = step_graph(detached("", kDetach, "d, h"));
  for (const Settings& settings : {least_saved(), budget_of_zero()}) {
    const Partition of_early = partition(early, settings), of_late = partition(late, settings);
    EXPECT_EQ(names_of(*of_late.step), names_of(*of_early.step));
    EXPECT_GT(of_late.report.totals.recomputed_operators, 0u);
    EXPECT_EQ(of_late.report.totals.saved_bytes_not_static, of_early.report.totals.saved_bytes_not_static);
    EXPECT_EQ(of_late.memory.peak_bytes(), of_early.memory.peak_bytes());
  }
}

TEST(LateCalls, SmallOutputsOfLargeValuesAreMadeBeforeTheBackward) {
  const JointGraph joint = step_graph(detached("", R"(n = aten.neg.default(c) : f32[100]@10
    m = aten.amax.default(n) : f32[]@11)", "m, h"));
  EXPECT_EQ(phases_of(joint), "FFFFFFBBBBBFFB");
  const Partition made = partition(joint, least_saved());
  EXPECT_LT(names_of(*made.step).find(" m "), names_of(*made.step).find(" s ")) << "so that c need not be held";
}

TEST(LateCalls, LargerOutputsStayBehindTheBackward) {
  EXPECT_EQ(phases_of(step_graph(detached("", "m = aten.expand_copy.default(l, [100]) : f32[100]@10", "m, h"))), "FFFFFFBBBBBBB");
}

TEST(LateCalls, ReadersOfLateWritesStayBehindTheForward) {
  const JointGraph joint = step_graph(detached("", R"(u = aten.sub.Tensor(w, h) : f32[100]@10
    v = aten.copy_.default(w, u) : f32[100]@1
    m = aten.mul.Tensor(c, w) : f32[100]@11)", "l, m"));
  EXPECT_EQ(phases_of(joint), "FFFFFFBBBBBOOBB");
}

TEST(LateCalls, ReadersOfBackwardWritesAreNotOfTheForward) {
  const JointGraph joint = step_graph(R"(
    x = placeholder : f32[4]@0
    w = placeholder : f32[4]@1 static
    a = aten.mul.Tensor(x, w) : f32[4]@2
    g = aten.cos.default(a) : f32[4]@3 autograd_backward=true
    u = aten.sub_.Tensor(w, g) : f32[4]@1
    b = aten.mul.Tensor(x, w) : f32[4]@4
    h = aten.cos.default(b) : f32[4]@5 autograd_backward=true
    return a, g, h)");
  EXPECT_EQ(phases_of(joint), "FFFBBBBB");
}

TEST(LateCalls, EachComesBeforeTheRegionThatFollowsWhatItUses) {
  const JointGraph joint = step_graph(R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    g = aten.cos.default(a) : f32[4]@2 autograd_backward=true
    b = aten.tan.default(x) : f32[4]@3
    h = aten.cos.default(b) : f32[4]@4 autograd_backward=true
    c = aten.detach.default(a) : f32[4]@1
    d = aten.detach.default(b) : f32[4]@3
    return c, d, g, h)");
  std::string names;
  for (const NodeId id : order_with_late_calls(joint.step->graph)) names += joint.step->graph[id].name + " ";
  EXPECT_EQ(names, "x a c g b d h output ");
}

}  // namespace
}  // namespace fxcut
