// Decisions that are replayed: as they were made, and as a user edited them.
#include <gtest/gtest.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "partition/peak_search.h"
#include "report/show_report.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::string_view kReplayedGraph = R"(
    primals_1 = placeholder : f32[64, 64] static
    primals_2 = placeholder : f32[64, 64]
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_2, primals_1) : f32[64, 64]
    rand = aten.rand_like.default(mm) : f32[64, 64]
    noisy = aten.mul.Tensor(mm, rand) : f32[64, 64]
    exp = aten.exp.default(noisy) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, exp) : f32[64, 64]
    mul_1 = aten.mul.Tensor(mul, mm) : f32[64, 64]
    mul_2 = aten.mul.Tensor(mul_1, rand) : f32[64, 64]
    return exp | mul_2, None)";

std::vector<std::string> names_of_saved(const Report& report) {
  std::vector<std::string> names;
  for (const SavedValue& row : report.saved_values) names.push_back(row.name);
  return names;
}

void drop(Report& report, std::string_view name) {
  std::erase_if(report.saved_values, [&](const SavedValue& row) { return row.name == name; });
}

// The message if the replay is refused.
std::string refusal(std::string_view graph, const Report& decision, ExitStatus status = ExitStatus::NoPartition) {
  try {
    replay(joint_graph(graph), decision);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), status);
    return failure.what();
  }
}

using Names = std::vector<std::string>;

class Replay : public testing::Test {
 protected:
  Partition made = partition(joint_graph(kReplayedGraph), {});
  Report decision = made.report;
};

TEST_F(Replay, GivesTheSameGraphsAndTheSameReport) {
  const Partition again = replay(joint_graph(kReplayedGraph), decision);
  EXPECT_EQ(text_of(again.graphs.forward), text_of(made.graphs.forward));
  EXPECT_EQ(text_of(again.graphs.backward), text_of(made.graphs.backward));
  EXPECT_EQ(report_json(again.report), report_json(made.report));
}

// The graph's own marks, which PyTorch's rules would refuse, do not count beside the solver's copies.
constexpr std::string_view kMarked = R"(
    primals_1 = placeholder : f32[64, 32]
    tangents_1 = placeholder : f32[32, 64]
    sin = aten.sin.default(primals_1) : f32[64, 32]@2
    t = aten.t.default(sin) : f32[32, 64]{1, 32}@2 should_offload=true
    cos = aten.cos.default(t) : f32[32, 64]@3
    exp = aten.exp.default(cos) : f32[32, 64]@4
    mul = aten.mul.Tensor(tangents_1, t) : f32[32, 64]@5 should_offload=true
    mul_1 = aten.mul.Tensor(mul, exp) : f32[32, 64]@6
    return exp | mul_1)";

TEST(ReplayOfTheSolversCopies, GivesTheSameReport) {
  for (const bool limits_peak : {false, true}) {
    Settings settings;
    settings.offload = Offload::Auto;
    (limits_peak ? settings.peak_bytes_limit : settings.saved_bytes_limit) = least_limit();
    if (!limits_peak) settings.activation_memory_budget_solver = frontier_solver();
    const Partition made =
        limits_peak ? partition_within_peak(joint_graph(kMarked), settings, {}) : partition(joint_graph(kMarked), settings);
    const Partition again = replay(joint_graph(kMarked), made.report);
    EXPECT_EQ(report_json(again.report), report_json(made.report));
    EXPECT_EQ(text_of(again.graphs.backward), text_of(made.graphs.backward));
    if (limits_peak) continue;  // copies would not lower it
    const auto row = std::ranges::find(made.report.saved_values, "t", &SavedValue::name);
    ASSERT_NE(row, made.report.saved_values.end());
    EXPECT_FALSE(row->host_name.empty());
  }
}

// One call draws random numbers, and another reads an input that is overwritten: a state and a value are saved in addition.
constexpr std::string_view kUnsound = R"(
    primals_1 = placeholder : f32[4096]
    tangents_1 = placeholder : f32[4096]
    drawn = aten.bernoulli.default(primals_1) : f32[4096]
    sin = aten.sin.default(drawn) : f32[4096]
    cos = aten.cos.default(sin) : f32[4096]
    tan = aten.tan.default(primals_1) : f32[4096]
    ones = aten.full_like.default(primals_1, 1) : f32[4096]
    written = aten.copy_.default(primals_1, ones) : f32[4096]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4096]
    grad_1 = aten.mul.Tensor(grad, tan) : f32[4096]
    return cos, written | grad_1)";

TEST(ReplayOfAMendedDecision, GivesTheSameReport) {
  for (const bool has_states : {true, false}) {
    Settings settings;
    settings.activation_memory_budget = 0;
    settings.sound = Soundness::Always;
    settings.graphsafe_rng_functionalization = has_states;
    const Report repaired = partition(joint_graph(kUnsound), settings).report;
    ASSERT_FALSE(repaired.repairs.empty());
    ASSERT_FALSE(repaired.warnings.empty());
    EXPECT_EQ(report_json(replay(joint_graph(kUnsound), repaired).report), report_json(repaired));
  }
}

TEST_F(Replay, SolvesNothing) {
  // With these settings a solver would decide otherwise.
  decision.settings.activation_memory_budget = 0;
  EXPECT_EQ(names_of_saved(replay(joint_graph(kReplayedGraph), decision).report), names_of_saved(decision));
}

TEST_F(Replay, AValueThatIsNoLongerSavedIsRecomputed) {
  ASSERT_EQ(names_of_saved(decision), (Names{"mm", "rand", "exp"}));
  drop(decision, "exp");
  const Partition edited = replay(joint_graph(kReplayedGraph), decision);
  EXPECT_EQ(names_of_saved(edited.report), (Names{"mm", "rand"}));
  ASSERT_FALSE(edited.report.recomputed_values.empty());
  EXPECT_EQ(edited.report.recomputed_values.back().why.reason, "decision");
  EXPECT_TRUE(edited.report.cuts.empty());
  ASSERT_FALSE(edited.report.warnings.empty());
  EXPECT_NE(edited.report.warnings.back().find("was edited"), std::string::npos);
}

TEST_F(Replay, ARandomOperatorIsRecomputedUnderItsState) {
  drop(decision, "rand");
  const Report report = replay(joint_graph(kReplayedGraph), decision).report;
  EXPECT_EQ(names_of_saved(report), (Names{"mm", "exp"}));
  EXPECT_EQ(report.saved_random_states.size(), 1U);
}

TEST_F(Replay, AnInputCannotBeRecomputed) {
  decision.saved_values.clear();
  EXPECT_NE(refusal(kReplayedGraph, decision).find("primals"), std::string::npos) << refusal(kReplayedGraph, decision);
}

TEST_F(Replay, ValuesMarkedMustSaveAreSaved) {
  std::string marked(kReplayedGraph);
  const std::string line = "exp = aten.exp.default(noisy) : f32[64, 64]";
  marked.replace(marked.find(line), line.size(), line + " recompute=MUST_SAVE");
  Report of_marked = partition(joint_graph(marked), {}).report;
  drop(of_marked, "exp");
  EXPECT_EQ(refusal(marked, of_marked),
            "fxcut: error: the decision neither saves 'exp' nor may it be recomputed: marked MUST_SAVE\n"
            "  let the decision save it, or what is computed from it");
}

TEST_F(Replay, BackwardOnlyValuesCannotBeSaved) {
  SavedValue row = decision.saved_values[0];
  row.name = "mul";
  row.op = "aten.mul.Tensor";
  decision.saved_values.push_back(row);
  EXPECT_NE(refusal(kReplayedGraph, decision).find("only the backward computes it"), std::string::npos);
}

TEST_F(Replay, ARowMayStandOnce) {
  decision.saved_values.push_back(decision.saved_values[0]);
  EXPECT_NE(refusal(kReplayedGraph, decision).find("/saved_values/3 (node 'mm'): error: it has two rows"),
            std::string::npos);
}

TEST_F(Replay, UnneededValuesAreReportedAndNotSaved) {
  SavedValue row = decision.saved_values[0];
  row.name = "noisy";
  row.op = "aten.mul.Tensor";
  decision.saved_values.push_back(row);
  const Report report = replay(joint_graph(kReplayedGraph), decision).report;
  EXPECT_EQ(names_of_saved(report), (Names{"mm", "rand", "exp"}));
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("'noisy' is saved by the decision, but the backward needs it no more"),
            std::string::npos);
}

TEST_F(Replay, AValueGoesToTheHostByHand) {
  decision.saved_values[0].host_name = "cpu_offload_mm";
  const Report report = replay(joint_graph(kReplayedGraph), decision).report;
  EXPECT_EQ(report.saved_values[0].host_name, "cpu_offload_mm");
  EXPECT_EQ(report.totals.offloaded_values, 1U);
}

TEST_F(Replay, AnotherGraphIsRefusedWithWhatDiffers) {
  std::string other(kReplayedGraph);
  other.replace(other.find("aten.exp.default(noisy) : f32[64, 64]"), 37, "aten.sin.default(noisy) : f32[64, 64]");
  EXPECT_EQ(refusal(other, decision, ExitStatus::BadInput),
            "fxcut: error: the decision was made on another graph; of this one differ: operators and their arguments\n"
            "  decide on this graph again: remove --decision\n"
            "fxcut: /saved_values/2 (node 'exp'): error: it was aten.exp.default, and is aten.sin.default in this "
            "graph");
}

TEST_F(Replay, OtherSizesAreRefused) {
  std::string other(kReplayedGraph);
  for (std::size_t at = other.find("64, 64"); at != std::string::npos; at = other.find("64, 64")) {
    other.replace(at, 6, "32, 32");
  }
  const std::string text = refusal(other, decision, ExitStatus::BadInput);
  EXPECT_NE(text.find("of this one differ: dtypes, sizes and shared memory"), std::string::npos) << text;
  EXPECT_NE(text.find("it was float32[64, 64], and is float32[32, 32] in this graph"), std::string::npos) << text;
}

TEST_F(Replay, RenamedNodesAreRefused) {
  std::string other(kReplayedGraph);
  other.replace(other.find("exp = "), 6, "exp_1 = ");
  for (std::size_t at = other.find(", exp)"); at != std::string::npos; at = other.find(", exp)")) {
    other.replace(at, 6, ", exp_1)");
  }
  other.replace(other.find("return exp"), 10, "return exp_1");
  const std::string text = refusal(other, decision, ExitStatus::BadInput);
  EXPECT_NE(text.find("of this one differ: names of nodes"), std::string::npos) << text;
  EXPECT_NE(text.find("(node 'exp'): error: this graph has no such node"), std::string::npos) << text;
}

TEST_F(Replay, AnotherReleaseIsRefused) {
  decision.torch.release = Release{13};
  EXPECT_NE(refusal(kReplayedGraph, decision, ExitStatus::BadInput).find("the decision is PyTorch 2.13's"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
