// Why nodes of small graphs are saved, recomputed, or neither.
#include "explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

const std::function<HaltRequested()> kNoTime = [] { return [] { return Halt::TimeIsUp; }; };

// A product that must not be recomputed, and what is computed from it; `repeat` is merged, `unused` is dead.
const std::string kStep = made_by(Release{13}) + R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    sin = aten.sin.default(mm) : f32[4, 4]
    repeat = aten.sin.default(mm) : f32[4, 4]
    unused = aten.cos.default(repeat) : f32[4, 4]
    loss = aten.sum.default(repeat) : f32[]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]
    return loss | grad)";

Explanations explained(std::string_view text, const std::vector<std::string>& names, const Settings& settings = {},
                    const PolicyStack& policies = {}) {
  return explain({joint_graph(text), settings, policies, kNoTime}, names);
}

NodeExplanation of(std::string_view text, const std::string& name, const Settings& settings = {}) {
  return explained(text, {name}, settings).nodes.at(0);
}

std::string names_on(const std::optional<NodePath>& path) {
  if (!path) return "no way";
  std::vector<std::string> names;
  for (const DescribedNode& node : path->nodes) names.push_back(node.name);
  return fmt::format("{}", fmt::join(names, " "));
}

template <typename Values>
std::string names_in(const Values& values) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.name);
  return fmt::format("{}", fmt::join(names, " "));
}

TEST(Explain, TellsWhatIsRecomputedAgainAndWhere) {
  std::string text = "primals_1 = placeholder : f32[100]\ntangents_1 = placeholder : f32[100]\n";
  text += "f0 = aten.sin.default(primals_1) : f32[100]\n";
  for (int i = 1; i < 24; ++i) text += fmt::format("f{} = aten.sin.default(f{}) : f32[100]\n", i, i - 1);
  std::string gradient = "tangents_1";
  for (int i = 23; i > 0; --i) {
    text += fmt::format("g{0} = aten.mul.Tensor({1}, f{2}) : f32[100]\n", i, gradient, i - 1);
    gradient = fmt::format("g{}", i);
  }
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.peak_bytes_limit = parse_memory_limit("least");
  settings.activation_memory_budget_runtime_estimator = RowOf<Estimator>{};  // flops
  settings.recompute_again = true;
  settings.budget_search_steps = 3'000'000;  // enough to find one; all of them take ten seconds
  const JointGraph joint = joint_graph(text + "return f23 | g1");
  const Partition decided = partition(joint, settings);
  ASSERT_FALSE(decided.report.recomputed_again.empty());
  const RecomputedAgainValue& row = decided.report.recomputed_again.front();
  const Explanations found = explain({joint, settings, {}, [] { return kNeverHalt; }}, {row.of});
  EXPECT_EQ(found.nodes.at(0).notes.at(0),
            fmt::format("the backward recomputes it again before '{}', as '{}': until then it takes no memory", row.before,
                        row.name));
}

TEST(Explain, ASavedValueComesWithItsBanItsWeightAndTheWayThatForcesIt) {
  const NodeExplanation mm = of(kStep, "mm");
  EXPECT_EQ(mm.outcome, NodeOutcome::Saved);
  EXPECT_EQ(mm.why.reason, "not_in_allowlist");
  ASSERT_TRUE(mm.weight && mm.limit && mm.alternative_cut && mm.path);
  // 64 bytes, two nodes from the backward: 64 * 1.1**2 = 77.4, rounded down. The sine is a node nearer, 64 * 1.1 = 70.4,
  // but fusion would keep it out of memory: 140. Where both cost the same, the sine is nearer the backward.
  EXPECT_TRUE(mm.weight->cost == 77);
  EXPECT_EQ(mm.weight->distance, 2);
  EXPECT_FALSE(mm.weight->doubled);
  EXPECT_EQ(mm.limit->kind, WeightLimit::Kind::UpTo);
  EXPECT_TRUE(mm.limit->saved_up_to == 139);
  EXPECT_EQ(names_in(mm.alternative_cut->saves), "sin");
  EXPECT_EQ(names_in(mm.alternative_cut->no_longer_saved), "mm");
  EXPECT_EQ(names_on(mm.path), "mm sin grad");
  EXPECT_EQ(mm.path->to, "computed in the backward: it depends on a gradient");
}

TEST(Explain, ARecomputedValueLiesBetweenASavedOneAndWhatTheBackwardComputes) {
  const std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    sin = aten.sin.default(primals_1) : f32[4, 4]
    cos = aten.cos.default(sin) : f32[4, 4]
    loss = aten.sum.default(cos) : f32[]
    grad = aten.mul.Tensor(tangents_1, cos) : f32[4, 4]
    return loss | grad)";
  const NodeExplanation sin = of(text, "sin");
  EXPECT_EQ(sin.outcome, NodeOutcome::Recomputed);
  EXPECT_EQ(names_on(sin.path), "primals_1 sin cos grad");
  EXPECT_EQ(sin.path->from, "saved");
  ASSERT_EQ(sin.alternatives.size(), 1u);
  EXPECT_EQ(sin.alternatives[0].tag, CheckpointPolicy::MustSave);
  // MUST_SAVE only keeps it from being recomputed: then its cosine, a node nearer the backward, is cheaper to save.
  EXPECT_EQ(names_in(sin.alternatives[0].saves), "cos");
  EXPECT_EQ(names_in(sin.alternatives[0].no_longer_saved), "primals_1");
  EXPECT_EQ(names_in(sin.alternatives[0].no_longer_recomputed), "sin cos");
  EXPECT_TRUE(sin.alternatives[0].recomputed_flops_change == -2);
}

TEST(Explain, TheOtherWayIsWhatATagInTheGraphDoes) {
  const NodeExplanation mm = of(kStep, "mm");
  ASSERT_EQ(mm.alternatives.size(), 1u);
  const Alternative& path = mm.alternatives[0];
  EXPECT_EQ(path.tag, CheckpointPolicy::MustRecompute);
  JointGraph tagged = joint_graph(kStep);
  tagged.graph[id_named(tagged.graph, "mm")].meta.recompute = CheckpointPolicy::MustRecompute;
  const Report made = partition(joint_graph(kStep), {}).report, other = partition(tagged, {}).report;
  EXPECT_EQ(path.saved_bytes_change, other.totals.saved_bytes - made.totals.saved_bytes);
  EXPECT_EQ(path.saved_bytes_not_static_change,
            other.totals.saved_bytes_not_static - made.totals.saved_bytes_not_static);
  EXPECT_TRUE(path.recomputed_flops_change == other.totals.recomputed_flops - made.totals.recomputed_flops);
  EXPECT_EQ(path.recomputed_ms_change, other.run_time->recomputed_ms - made.run_time->recomputed_ms);
  EXPECT_EQ(path.step_ms, made.run_time->step_ms);
  EXPECT_TRUE(path.peak_bytes_change == other.memory.peak_bytes - made.memory.peak_bytes);
  EXPECT_EQ(names_in(path.saves), "primals_1");
  EXPECT_EQ(names_in(path.no_longer_saved), "mm");
}

TEST(Explain, ARepeatIsTheSameAsItsFirst) {
  const Explanations both = explained(kStep, {"repeat"});
  ASSERT_EQ(both.nodes.size(), 2u);
  EXPECT_EQ(both.nodes[0].outcome, NodeOutcome::Merged);
  EXPECT_EQ(both.nodes[0].same_as, "sin");
  EXPECT_EQ(both.nodes[0].node.op, "aten.sin.default");
  EXPECT_EQ(both.nodes[1].node.name, "sin");
  EXPECT_EQ(explained(kStep, {"sin", "repeat", "sin"}).nodes.size(), 2u) << "each node is told of once";
}

TEST(Explain, UnneededNodesAreDead) {
  const NodeExplanation unused = of(kStep, "unused");
  EXPECT_EQ(unused.outcome, NodeOutcome::Dead);
  EXPECT_EQ(unused.why.reason, "dead_code");
  EXPECT_FALSE(unused.weight);
}

TEST(Explain, ValuesOfOneSideAreNeitherSavedNorRecomputed) {
  const NodeExplanation loss = of(kStep, "loss"), grad = of(kStep, "grad"), input = of(kStep, "primals_1");
  EXPECT_EQ(loss.outcome, NodeOutcome::ForwardOnly);
  EXPECT_EQ(loss.why.reason, "not_needed_in_backward");
  EXPECT_EQ(grad.outcome, NodeOutcome::BackwardOnly);
  EXPECT_EQ(names_on(grad.path), "tangents_1 grad");
  EXPECT_FALSE(grad.weight);
  EXPECT_EQ(input.outcome, NodeOutcome::ForwardOnly);
  EXPECT_EQ(names_on(input.path), "primals_1 mm");
  EXPECT_TRUE(input.why.text.ends_with("its use in the backward is covered by the saved value 'mm'")) << input.why.text;
}

TEST(Explain, EveryUnknownNameIsListed) {
  try {
    explained(kStep, {"mm", "repeet", "tangent_1"});
    FAIL() << "explained";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    ASSERT_EQ(failure.diagnostics().size(), 2u);
    EXPECT_EQ(failure.diagnostics()[0].message, "the graph has no node 'repeet'");
    EXPECT_EQ(failure.diagnostics()[0].hint, "did you mean 'repeat'?");
    EXPECT_EQ(failure.diagnostics()[1].hint, "did you mean 'tangents_1'?");
  }
}

TEST(Explain, APoliciesWordStandsAndIsOverruledByTheOtherWay) {
  const PolicyStack policies = {must_save_all()};
  const NodeExplanation sin = explained(kStep, {"sin"}, {}, policies).nodes.at(0);
  EXPECT_EQ(sin.why.reason, "policy");
  ASSERT_EQ(sin.alternatives.size(), 1u);
  EXPECT_TRUE(sin.alternatives[0].refused.empty()) << sin.alternatives[0].refused;
  EXPECT_EQ(names_in(sin.alternatives[0].no_longer_saved), "sin");
}

TEST(Explain, TheDefaultPartitionerWeighsNothing) {
  Settings settings;
  settings.partitioner = Partitioner::Default;
  const std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_1) : f32[4, 4] partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, mm) : f32[4, 4]
    return mm | grad)";
  const NodeExplanation mm = of(text, "mm", settings);
  EXPECT_EQ(mm.why.reason, "taken_by_backward");
  EXPECT_FALSE(mm.weight || mm.limit || mm.alternative_cut);
  EXPECT_EQ(names_on(mm.path), "mm grad");
  ASSERT_EQ(mm.notes.size(), 1u);
  EXPECT_EQ(mm.notes[0], "the default partitioner uses no weights: it saves the values that the backward uses");
}

TEST(Explain, UnderABudgetOfZeroWeightsDecideNothing) {
  Settings settings;
  settings.activation_memory_budget = 0;
  const NodeExplanation input = of(kStep, "primals_1", settings);
  EXPECT_EQ(input.outcome, NodeOutcome::Saved);
  EXPECT_FALSE(input.weight);
  EXPECT_EQ(input.notes.at(0), "weights do not matter here: under the memory budget only the inputs are saved");
}

TEST(Explain, TheFrontierSolverTradesAStorageForWhatRunsAgain) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = parse_memory_limit("least");
  const std::string_view text = R"(
    primals_1 = placeholder : f32[2, 2]@0
    tangents_1 = placeholder : f32[4, 4]@1
    big = my.big.default(primals_1) : f32[4, 4]@2
    loss = aten.sum.default(big) : f32[]@3
    grad = aten.mul.Tensor(tangents_1, big) : f32[4, 4]@4
    return loss | grad)";
  const NodeExplanation big = of(text, "big", settings);
  EXPECT_EQ(big.outcome, NodeOutcome::Recomputed);
  ASSERT_TRUE(big.trade);
  EXPECT_FALSE(big.trade->is_saved);
  EXPECT_EQ(big.trade->size_bytes, 64);
  EXPECT_EQ(big.trade->bytes_change, 64 - 16) << "kept, it makes the input needless";
  EXPECT_TRUE(big.trade->flops_change == -1);
  const NodeExplanation input = of(text, "primals_1", settings);
  ASSERT_TRUE(input.trade);
  EXPECT_TRUE(input.trade->is_saved);
  EXPECT_FALSE(input.trade->is_possible) << "an input cannot run again";
}

TEST(Explain, TheKnapsacksPartIsReported) {
  Settings settings;
  settings.activation_memory_budget = 0.5;
  const std::string_view text = R"(
    primals_1 = placeholder : f32[640, 8]
    primals_2 = placeholder : f32[8, 32]
    primals_3 = placeholder : f32[32, 16]
    tangents_1 = placeholder : f32[640, 16]
    mm = aten.mm.default(primals_1, primals_2) : f32[640, 32]
    tanh = aten.tanh.default(mm) : f32[640, 32]
    mm_1 = aten.mm.default(tanh, primals_3) : f32[640, 16]
    tanh_1 = aten.tanh.default(mm_1) : f32[640, 16]
    mul = aten.mul.Tensor(tangents_1, tanh_1) : f32[640, 16]
    mul_1 = aten.mul.Tensor(tanh, tanh) : f32[640, 32]
    return tanh_1 | mul, mul_1)";
  const NodeExplanation dropped = of(text, "mm", settings), kept = of(text, "mm_1", settings);
  ASSERT_TRUE(dropped.knapsack && kept.knapsack);
  EXPECT_FALSE(dropped.knapsack->is_saved);
  EXPECT_TRUE(kept.knapsack->is_saved);
  EXPECT_EQ(kept.knapsack->size_bytes, 640 * 16 * 4);
  EXPECT_EQ(kept.knapsack->runtime, 2.0 * 640 * 32 * 16);
}

}  // namespace
}  // namespace fxcut
