// The phases of a whole step.
#include "step/step_phases.h"

#include <gtest/gtest.h>

#include <string>

#include "graph_text.h"
#include "phases.h"

namespace fxcut {
namespace {

TEST(StepPhases, UsersOfGradientsAfterTheBackwardAreTheOptimizer) {
  const JointGraph joint = step_graph(R"(
    w = placeholder : f32[4] static
    m = placeholder : f32[4]
    a = aten.sin.default(w) : f32[4]
    g = aten.cos.default(a) : f32[4] autograd_backward=true
    b = aten.mul.Tensor(m, g) : f32[4]
    c = aten.sub.Tensor(w, b) : f32[4]
    return a, c)");
  EXPECT_EQ(phases_of(joint), "FFFBOOO");
  EXPECT_TRUE(joint.step->graph.nodes[1].meta.static_lifetime) << "only the optimizer uses it";
}

TEST(StepPhases, ACounterThatTheUpdateUsesIsTheOptimizersAndAStatisticOfTheForwardIsNot) {
  const JointGraph joint = step_graph(R"(
    w = placeholder : f32[4] static
    count = placeholder : f32[4]
    mean = placeholder : f32[4] static
    a = aten.sin.default(w) : f32[4]
    g = aten.cos.default(a) : f32[4] autograd_backward=true
    next = aten.add.Tensor(count, 1) : f32[4]
    b = aten.mul.Tensor(next, g) : f32[4]
    kept = aten.copy_.default(count, next) : f32[4]
    seen = aten.copy_.default(mean, a) : f32[4]
    return a, b)");
  EXPECT_EQ(phases_of(joint), "FFFFBOOOBB");
  EXPECT_TRUE(joint.step->graph.nodes[1].meta.static_lifetime);
}

TEST(StepPhases, BetweenTwoRegionsThereIsForwardAndWhatDependsOnTheFirst) {
  const JointGraph joint = step_graph(R"(
    x = placeholder : f32[4]
    a = aten.sin.default(x) : f32[4]
    g = aten.cos.default(a) : f32[4] autograd_backward=true
    b = aten.sin.default(a) : f32[4]
    twice = aten.add.Tensor(g, g) : f32[4]
    h = aten.cos.default(b) : f32[4] autograd_backward=true
    return twice, h)");
  EXPECT_EQ(phases_of(joint), "FFBFBBB");
}

TEST(StepPhases, WithoutABackwardAllIsForward) {
  EXPECT_EQ(phases_of(step_graph("x = placeholder : f32[4]\na = aten.sin.default(x) : f32[4]\nreturn a")), "FFF");
}

}  // namespace
}  // namespace fxcut
