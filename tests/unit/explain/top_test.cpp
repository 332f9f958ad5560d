// The values that free memory if they are recomputed, on small graphs.
#include "explain/explain.h"

#include <gtest/gtest.h>

#include <memory>

#include "diagnostic/diagnostic.h"
#include "explain/advice.h"
#include "graph_text.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

const std::function<HaltRequested()> kTimeIsUp = [] { return [] { return Halt::TimeIsUp; }; };

RankedCandidates ranked(std::string_view text, std::size_t most, const Settings& settings = {}) {
  return rank_candidates({joint_graph(text), settings, {}, kTimeIsUp}, most);
}

// Two equal layers, each of which saves a product and a custom operator's value.
constexpr std::string_view kLayers = R"(
    primals_1 = placeholder : f32[8, 8]@0 static
    primals_2 = placeholder : f32[8, 8]@1
    tangents_1 = placeholder : f32[8, 8]@2
    mm = aten.mm.default(primals_2, primals_1) : f32[8, 8]@3 module="layers.0"
    my = my.custom.default(mm) : f32[8, 8]@4 module="layers.0"
    mm_1 = aten.mm.default(my, primals_1) : f32[8, 8]@5 module="layers.1"
    my_1 = my.custom.default(mm_1) : f32[8, 8]@6 module="layers.1"
    loss = aten.sum.default(my_1) : f32[]@7
    grad = aten.mul.Tensor(tangents_1, mm) : f32[8, 8]@8
    grad_1 = aten.mul.Tensor(grad, my) : f32[8, 8]@9
    grad_2 = aten.mul.Tensor(grad_1, mm_1) : f32[8, 8]@10
    grad_3 = aten.mul.Tensor(grad_2, my_1) : f32[8, 8]@11
    grad_4 = aten.mul.Tensor(grad_3, primals_2) : f32[8, 8]@12
    return loss | grad_4)";

TEST(Top, ListsMostBytesFreedPerMillisecondFirst) {
  const RankedCandidates top = ranked(kLayers, 10);
  ASSERT_EQ(top.candidates.size(), 2u);
  EXPECT_EQ(top.candidates[0].node.op, "my.custom.default");
  EXPECT_EQ(top.candidates[0].freed_bytes(), 2 * 256) << "of both layers";
  EXPECT_EQ(top.candidates[1].node.op, "aten.mm.default");
  for (const Candidate& candidate : top.candidates) {
    EXPECT_EQ(candidate.freed_per_ms(), 512 / candidate.alternative.recomputed_ms_change);
  }
  EXPECT_GT(top.candidates[0].freed_per_ms(), top.candidates[1].freed_per_ms());
}

TEST(Top, RanksByTimeBeforeOperations) {
  // Both free 64 MiB; the product has 16 operations for each element, and the other one reads twice as much as it writes.
  const RankedCandidates top = ranked(R"(
    primals_1 = placeholder : f32[4096, 8]@0
    primals_2 = placeholder : f32[8, 4096]@1
    primals_3 = placeholder : f32[4096, 4096]@2
    primals_4 = placeholder : f32[4096, 4096]@3
    tangents_1 = placeholder : f32[4096, 4096]@4
    my = my.custom.default(primals_3, primals_4) : f32[4096, 4096]@5
    mm = aten.mm.default(primals_1, primals_2) : f32[4096, 4096]@6
    loss = aten.add.Tensor(my, mm) : f32[4096, 4096]@7
    grad = aten.mul.Tensor(tangents_1, mm) : f32[4096, 4096]@8
    grad_1 = aten.mul.Tensor(tangents_1, my) : f32[4096, 4096]@9
    grad_2 = aten.mm.default(tangents_1, primals_3) : f32[4096, 4096]@10
    grad_3 = aten.mm.default(tangents_1, primals_4) : f32[4096, 4096]@11
    grad_4 = aten.mm.default(tangents_1, primals_1) : f32[4096, 8]@12
    grad_5 = aten.mm.default(primals_2, tangents_1) : f32[8, 4096]@13
    return loss | grad, grad_1, grad_2, grad_3, grad_4, grad_5)", 10);
  ASSERT_EQ(top.candidates.size(), 2u);
  EXPECT_EQ(top.candidates[0].node.name, "mm");
  EXPECT_GT(top.candidates[0].alternative.recomputed_flops_change, top.candidates[1].alternative.recomputed_flops_change);
}

TEST(Top, LayersThatRepeatAreOneCandidate) {
  const RankedCandidates top = ranked(kLayers, 10);
  ASSERT_EQ(top.candidates.size(), 2u);
  EXPECT_EQ(top.candidates[0].node.name, "my");
  EXPECT_EQ(top.candidates[0].alike, std::vector<std::string>{"my_1"});
  EXPECT_EQ(top.candidates[1].node.name, "mm");
  EXPECT_EQ(top.candidates[1].alike, std::vector<std::string>{"mm_1"});
}

TEST(Top, NoMoreAreGivenThanAskedFor) { EXPECT_EQ(ranked(kLayers, 1).candidates.size(), 1u); }

TEST(Top, UnsavedBannedValuesAreCandidatesToo) {
  // The view is saved in the place of the custom operator's value: forcing the view frees nothing.
  const RankedCandidates top = ranked(R"(
    primals_1 = placeholder : f32[8, 8]@0
    tangents_1 = placeholder : f32[8, 8]@1
    my = my.custom.default(primals_1) : f32[8, 8]@2
    view = aten.view.default(my, [8, 8]) : f32[8, 8]@2
    loss = aten.sum.default(view) : f32[]@3
    grad = aten.mm.default(tangents_1, view) : f32[8, 8]@4
    grad_1 = aten.mul.Tensor(tangents_1, primals_1) : f32[8, 8]@5
    return loss | grad, grad_1)", 10);
  ASSERT_EQ(top.candidates.size(), 1u);
  EXPECT_EQ(top.candidates[0].node.name, "my");
  EXPECT_EQ(top.candidates[0].outcome, NodeOutcome::ForwardOnly);
  EXPECT_EQ(top.candidates[0].freed_bytes(), 256);
}

// The policy of the first row changes the totals as the row says.
void expect_policy_does_it(std::string_view text, std::size_t rules) {
  const JointGraph joint = joint_graph(text);
  const Settings settings;
  const ExplainContext context{joint, settings, {}, kTimeIsUp};
  const Candidate best = rank_candidates(context, 10).candidates.at(0);
  const PolicyStack stack = policy_for(context, best);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(std::get<RuleList>(stack[0].content).rules.size(), rules);
  const Report before = partition(joint, settings).report, after = partition(joint, settings, stack).report;
  EXPECT_EQ(before.totals.saved_bytes_not_static - after.totals.saved_bytes_not_static, best.freed_bytes());
  EXPECT_TRUE(after.totals.recomputed_flops - before.totals.recomputed_flops == best.alternative.recomputed_flops_change);
  EXPECT_TRUE(after.warnings.empty());
}

TEST(PolicyFor, IsOneRuleForAllLayers) { expect_policy_does_it(kLayers, 1); }

TEST(PolicyFor, NamesTheNodesWhereARuleWouldSelectOthers) {
  // In layers.0 there are two calls of the operator, of which the second cannot free anything: it is an output.
  expect_policy_does_it(R"(
    primals_1 = placeholder : f32[8, 8]@0
    tangents_1 = placeholder : f32[8, 8]@1
    a = my.custom.default(primals_1) : f32[8, 8]@2 module="layers.0"
    b = my.custom.default(a) : f32[8, 8]@3 module="layers.0"
    c = aten.mm.default(b, b) : f32[8, 8]@4 module="layers.1"
    grad = aten.mul.Tensor(tangents_1, b) : f32[8, 8]@5
    grad_1 = aten.mul.Tensor(grad, a) : f32[8, 8]@6
    grad_2 = aten.mul.Tensor(grad_1, primals_1) : f32[8, 8]@7
    return c, b | grad_2)", 1);
}

TEST(Top, TheFirstRowIsTheSameHoweverManyAreAskedFor) {
  const std::string first = ranked(kLayers, 10).candidates.at(0).node.name;
  for (std::size_t most = 1; most < 10; ++most) EXPECT_EQ(ranked(kLayers, most).candidates.at(0).node.name, first);
}

TEST(Top, SeveralSavedViewsOfOneStorageAreFreedTogether) {
  const RankedCandidates top = ranked(R"(
    primals_1 = placeholder : f32[8, 8]@0
    tangents_1 = placeholder : f32[8, 8]@1
    my = my.custom.default(primals_1) : f32[8, 8]@2
    view = aten.view.default(my, [8, 8]) : f32[8, 8]@2
    t = aten.t.default(my) : f32[8, 8]@2
    loss = aten.sum.default(my) : f32[]@3
    grad = aten.mm.default(tangents_1, view) : f32[8, 8]@4
    grad_1 = aten.mm.default(grad, t) : f32[8, 8]@5
    grad_2 = aten.mul.Tensor(grad_1, primals_1) : f32[8, 8]@6
    return loss | grad_2)", 1);
  ASSERT_EQ(top.candidates.size(), 1u);
  EXPECT_EQ(top.candidates[0].node.name, "my");
  EXPECT_EQ(top.candidates[0].freed_bytes(), 256);
}

TEST(Top, ValuesSavedByAPolicyAreNoCandidates) {
  const JointGraph joint = joint_graph(kLayers);
  const Settings settings;
  PolicyMatch match;
  match.op = Pattern::glob("my.custom.default");
  const PolicyStack policies = {{"keep", RuleList{{{match, CheckpointPolicy::MustSave}}, std::nullopt}}};
  const RankedCandidates top = rank_candidates({joint, settings, policies, kTimeIsUp}, 10);
  ASSERT_EQ(top.candidates.size(), 1u);
  EXPECT_EQ(top.candidates[0].node.op, "aten.mm.default");
}

// The product's operand is written to: the backward cannot compute it anew.
constexpr std::string_view kOverwritten = R"(
    primals_1 = placeholder : f32[8, 8]@0
    primals_2 = placeholder : f32[8, 8]@1
    tangents_1 = placeholder : f32[8, 8]@2
    mm = aten.mm.default(primals_1, primals_2) : f32[8, 8]@3
    copy_ = aten.copy_.default(primals_1, mm) : f32[8, 8]@0
    grad = aten.mul.Tensor(tangents_1, mm) : f32[8, 8]@4
    grad_1 = aten.mul.Tensor(grad, primals_2) : f32[8, 8]@5
    return mm | grad_1)";

TEST(Top, UnsoundChangesAreNoCandidates) { EXPECT_TRUE(ranked(kOverwritten, 10).candidates.empty()); }

std::vector<Advice> advice_on(std::string_view text, const Settings& settings = {}) {
  const auto joint = std::make_shared<const JointGraph>(joint_graph(text));
  const AdviceRequest request{joint, settings, {}, "step.json", " --ignore-tags --saved-bytes 1GB", " --ignore-tags"};
  return advise(partition(*joint, settings), request).advice;
}

TEST(Advice, IsTheRowThatTopPutsFirst) {
  const std::vector<Advice> advice = advice_on(kLayers);
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_EQ(advice[0].effect, "512 B less for about 4.0 us more: recompute my x2 (layers.0-1)");
  EXPECT_EQ(advice[0].command, "fxcut explain step.json --ignore-tags --saved-bytes 1GB --top 3 --write-policy FILE");
  EXPECT_EQ(advice[1].command, "fxcut pareto step.json --ignore-tags");
}

TEST(Advice, IsNotAgainstSoundness) {
  const std::vector<Advice> advice = advice_on(kOverwritten);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].command, "fxcut pareto step.json --ignore-tags");
}

TEST(Advice, IsOnlyWhatItIsAboutWhereTheGraphIsTooLargeToDecideAgain) {
  const JointGraph joint = joint_graph(kLayers);
  const std::vector<Advice> advice = advise(partition(joint, {}), {nullptr, {}, {}, "step.json", "", ""}).advice;
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_EQ(advice[0].effect, "what frees the most memory for each ms by being recomputed");
  EXPECT_EQ(advice[0].command, "fxcut explain step.json --top 3");
}

TEST(Top, TheFrontierSolverIsRefused) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = parse_memory_limit("least");
  try {
    ranked(kLayers, 1, settings);
    FAIL() << "ranked";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
  }
}

}  // namespace
}  // namespace fxcut
