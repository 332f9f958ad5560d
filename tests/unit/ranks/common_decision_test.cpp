// One decision for the ranks of a job.
#include "ranks/common_decision.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

RankChoice choice(std::vector<std::uint32_t> saved, std::vector<std::int64_t> bytes) {
  RankChoice rank;
  rank.saved = std::move(saved);
  rank.bytes = std::move(bytes);
  return rank;
}

CommonDecision agree_on(const std::vector<RankChoice>& choices) {
  std::vector<const RankChoice*> ranks;
  for (const RankChoice& choice : choices) ranks.push_back(&choice);
  return agree(ranks);
}

TEST(CommonDecision, IsTheOneWhoseLargestRankIsSmallest) {
  // Saving place 0 takes 10 or 40, place 1 takes 30 or 20.
  const std::vector<RankChoice> ranks = {choice({0}, {10, 30}), choice({1}, {40, 20})};
  const CommonDecision common = agree_on(ranks);
  EXPECT_EQ(common.largest_bytes, (std::vector<std::int64_t>{40, 30}));
  EXPECT_EQ(common.picked, 1u);
  EXPECT_EQ(common.decides_otherwise, (std::vector<bool>{true, false}));
}

TEST(CommonDecision, IsTheFirstOfEqualOnes) {
  const std::vector<RankChoice> ranks = {choice({1}, {10, 10}), choice({0}, {10, 10}), choice({1}, {10, 10})};
  const CommonDecision common = agree_on(ranks);
  EXPECT_EQ(common.picked, 0u);
  EXPECT_EQ(common.decides_otherwise, (std::vector<bool>{false, true, false}));
}

TEST(CommonDecision, HeedsNoOrderOfWhatIsSaved) {
  const std::vector<RankChoice> ranks = {choice({0, 1}, {1, 1}), choice({1, 0}, {1, 1})};
  EXPECT_EQ(agree_on(ranks).decides_otherwise, (std::vector<bool>{false, false}));
}

// A step of two chains, whose inputs and sizes differ by rank; `first` and `second` are the primals in their order.
std::string step(const std::string& first, const std::string& second, int x, int y) {
  const std::string xs = "f32[" + std::to_string(x) + "]", ys = "f32[" + std::to_string(y) + "]";
  const auto size_of = [&](const std::string& name) { return name == "x" ? xs : ys; };
  return first + " = placeholder primals_1 : " + size_of(first) + "\n" + second + " = placeholder primals_2 : " +
         size_of(second) + "\n" +
         "tangents_1 = placeholder : f32[]\n"
         "exp = aten.exp.default(x) : " + xs + "\nneg = aten.neg.default(y) : " + ys +
         "\na = aten.sum.default(exp) : f32[]\nb = aten.sum.default(neg) : f32[]\nloss = aten.add.Tensor(a, b) : f32[]\n"
         "gx = aten.mul.Tensor(exp, tangents_1) : " + xs + "\ngy = aten.mul.Tensor(neg, tangents_1) : " + ys +
         "\nreturn loss | gx, gy";
}

TEST(CanonicalOrder, HeedsNeitherNamesNorTheOrderOfInputs) {
  const JointGraph one = joint_graph(step("x", "y", 4, 8)), other = joint_graph(step("y", "x", 16, 2));
  const CanonicalOrder a = canonical_order(one.graph), b = canonical_order(other.graph);
  EXPECT_EQ(a.structure, b.structure);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t place = 0; place < a.nodes.size(); ++place) {
    EXPECT_EQ(one.graph[a.nodes[place]].name, other.graph[b.nodes[place]].name);
  }
}

TEST(CanonicalOrder, HasEveryNodeOnceAfterItsInputs) {
  const JointGraph joint = joint_graph(step("x", "y", 4, 8));
  const CanonicalOrder order = canonical_order(joint.graph);
  std::vector<std::size_t> place(joint.graph.size(), order.nodes.size());
  for (std::size_t i = 0; i < order.nodes.size(); ++i) place[index_of(order.nodes[i])] = i;
  ASSERT_EQ(order.nodes.size(), joint.graph.size());
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    for (const NodeId input : joint.graph.nodes[i].inputs) EXPECT_LT(place[index_of(input)], place[i]);
  }
}

TEST(CanonicalOrder, TellsStructuresApart) {
  const std::string text = step("x", "y", 4, 8);
  std::string other = text;
  other.replace(other.find("aten.neg"), 8, "aten.sin");
  std::string wired = text;
  wired.replace(wired.find("(neg, tangents_1)"), 17, "(y, tangents_1)");
  const std::string structure = canonical_order(joint_graph(text).graph).structure;
  EXPECT_NE(structure, canonical_order(joint_graph(other).graph).structure);
  EXPECT_NE(structure, canonical_order(joint_graph(wired).graph).structure);
}

TEST(CommonDecision, IsCarriedOutOnAnotherRank) {
  const Settings settings;
  const JointGraph mine = joint_graph(step("x", "y", 4, 8)), theirs = joint_graph(step("y", "x", 16, 2));
  Decision decision = decide(mine, settings, {}, kNeverHalt), other = decide(theirs, settings, {}, kNeverHalt);
  const CanonicalOrder my_order = canonical_order(decision.joint.graph),
                       their_order = canonical_order(other.joint.graph);
  ASSERT_EQ(my_order.structure, their_order.structure);
  // Another decision than this graph's own: to save both inputs.
  RankChoice inputs = choice_of(other, their_order, settings);
  inputs.saved.clear();
  for (std::uint32_t place = 0; place < their_order.nodes.size(); ++place) {
    if (is_primal(other.joint.graph[their_order.nodes[place]])) inputs.saved.push_back(place);
  }
  adopt(decision, inputs, my_order);
  const Partition partition = carry_out(decision, settings);
  std::vector<std::string> saved;
  for (const SavedValue& row : partition.report.saved_values) saved.push_back(row.name);
  std::sort(saved.begin(), saved.end());
  EXPECT_EQ(saved, (std::vector<std::string>{"x", "y"}));
}

}  // namespace
}  // namespace fxcut
