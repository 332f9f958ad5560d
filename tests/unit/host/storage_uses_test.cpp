// When a step uses its storages, by hand.
#include "host/storage_uses.h"

#include <gtest/gtest.h>

#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

// The forward takes 10, 20 and 40 ps, the backward 100 and 200.
constexpr std::string_view kText = R"(
  x = placeholder : f32[16]
  a = aten.sin.default(x) : f32[16]
  b = aten.cos.default(a) : f32[16]
  c = aten.exp.default(b) : f32[16]
  tangents_1 = placeholder : f32[16]
  grad_b = aten.mul.Tensor(tangents_1, b) : f32[16]
  grad_a = aten.mul.Tensor(grad_b, a) : f32[16]
  return c | grad_a)";

struct Step {
  Step() : graph(kText), storages(storage_bytes(graph.joint.graph)),
        times({0, 10, 20, 40, 0, 100, 200, 0}), problem(recompute_problem(graph.analysis, storages, times)),
        evaluation(problem), uses(graph.analysis, problem, times) {}

  // With all of these kept: the uses of what may be copied.
  std::vector<StorageUse> keeping(const std::vector<std::string>& names) {
    KeptStorages kept(problem.storages.size(), false);
    for (const Item& item : problem.items) {
      for (const std::string& name : names) {
        if (graph.joint.graph[item.node].name == name) kept[item.storage] = true;
      }
    }
    evaluation.run(kept);
    return uses.of(evaluation);
  }

  AnalysedGraph graph;
  StorageBytes storages;
  std::vector<Wide> times;
  RecomputeProblem problem;
  Evaluation evaluation;
  StorageUses uses;
};

TEST(StorageUses, AreTheLastOfTheForwardAndTheFirstOfTheBackward) {
  Step step;
  const std::vector<StorageUse> uses = step.keeping({"a", "b"});
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].last_in_forward, 30) << "b is made of a";
  EXPECT_EQ(uses[0].first_in_backward, 100);
  EXPECT_EQ(uses[1].last_in_forward, 70);
  EXPECT_EQ(uses[1].first_in_backward, 0);
  EXPECT_EQ(step.uses.forward_time(), 70);
  EXPECT_EQ(step.uses.backward_time(), 300);
}

TEST(StorageUses, WhatIsRecomputedNeedsItsInputsThenAndTakesTime) {
  Step step;
  const std::vector<StorageUse> uses = step.keeping({"a"});
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].first_in_backward, 0) << "b is recomputed of it at once";
}

TEST(StorageUses, InputsAndOutputsOfTheForwardAreNotCopied) {
  Step step;
  EXPECT_TRUE(step.keeping({"x", "c"}).empty());
}

}  // namespace
}  // namespace fxcut
