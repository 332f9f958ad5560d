// When a step uses its storages, by hand.
#include "host/storage_uses.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  Step(std::string_view text = kText, std::vector<Int128> node_times = {0, 10, 20, 40, 0, 100, 200, 0})
      : graph(text), storages(storage_bytes(graph.joint.graph)), times(std::move(node_times)),
        problem(recompute_problem(graph.analysis, storages, times)), evaluation(problem), uses(graph.analysis, problem, times) {}

  // With all of these kept: the uses of what may be copied.
  std::vector<StorageUse> keeping(const std::vector<std::string>& names) {
    KeptStorages kept(problem.storages.size(), false);
    for (const Item& item : problem.items) {
      for (const std::string& name : names) {
        if (graph.joint.graph[item.node].name == name) kept[item.storage] = true;
      }
    }
    evaluation.run(kept, only);
    return uses.of(evaluation);
  }

  StorageIndex storage_of(std::string_view name) const {
    for (const Item& item : problem.items) {
      if (graph.joint.graph[item.node].name == name) return item.storage;
    }
    return kNoStorage;
  }

  AnalysedGraph graph;
  StorageBytes storages;
  std::vector<Int128> times;
  RecomputeProblem problem;
  Evaluation evaluation;
  OnlySaved only = {};
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
}

TEST(StorageUses, RecomputingTakesTimeAndReadsItsInputs) {
  Step step;
  const std::vector<StorageUse> uses = step.keeping({"a"});
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].first_in_backward, 0) << "b is recomputed of it at once";
}

// The forward takes 10 and 20 ps, a view for the backward 1; the backward 100 and 200.
constexpr std::string_view kView = R"(
  x = placeholder : f32[4, 4]
  a = aten.sin.default(x) : f32[4, 4]@1
  b = aten.sum.default(a) : f32[]@2
  tangents_1 = placeholder : f32[4, 4]
  grad_b = aten.neg.default(tangents_1) : f32[4, 4]
  t = aten.t.default(a) : f32[4, 4]{1, 4}@1
  grad_a = aten.mm.default(t, grad_b) : f32[4, 4]
  return b | grad_a)";

TEST(StorageUses, AViewForTheBackwardIsTheForwardsIfItIsSaved) {
  Step step(kView, {0, 10, 20, 0, 100, 1, 200, 0});
  const std::vector<StorageUse> uses = step.keeping({"a"});
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(step.graph.joint.graph[uses[0].value].name, "t");
  EXPECT_EQ(step.uses.forward_time(), 31);
  EXPECT_EQ(uses[0].last_in_forward, 31) << "the view is made at the forward's end";
  EXPECT_EQ(uses[0].first_in_backward, 100);
}

TEST(StorageUses, TheBaseOfAViewIsCopiedEarlier) {
  Step step(kView, {0, 10, 20, 0, 100, 1, 200, 0});
  step.only.assign(step.problem.storages.size(), kNoItem);
  const StorageIndex a = step.storage_of("a");
  step.only[a] = step.uses.movable().base_of(a);
  const std::vector<StorageUse> uses = step.keeping({"a"});
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(step.graph.joint.graph[uses[0].value].name, "a");
  EXPECT_EQ(step.uses.forward_time(), 30) << "without the view, which the backward makes";
  EXPECT_EQ(uses[0].last_in_forward, 30);
  EXPECT_EQ(uses[0].first_in_backward, 100);
}

TEST(MovableStorages, KnowTheEarliestAndTheLatestOfAllWaysToCopy) {
  const Step step(kView, {0, 10, 20, 0, 100, 1, 200, 0});
  const MovableStorages& movable = step.uses.movable();
  const StorageIndex a = step.storage_of("a");
  ASSERT_TRUE(movable.may_move(a));
  EXPECT_EQ(movable.most_forward_time(), 31);
  EXPECT_EQ(movable.last_in_forward(a), 30) << "of the base: the view is not the forward's in any case";
  EXPECT_EQ(movable.latest_first_use(a), 100);
  EXPECT_EQ(movable.fewest_bytes(a), 64);
  EXPECT_EQ(movable.most_uncounted_time(), 1) << "of the view, which no limit counts as recomputed";
}

TEST(StorageUses, InputsAndOutputsOfTheForwardAreNotCopied) {
  Step step;
  EXPECT_TRUE(step.keeping({"x", "c"}).empty());
}

}  // namespace
}  // namespace fxcut
