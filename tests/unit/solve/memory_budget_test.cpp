// Saved values under a memory budget: how far bans are lifted, and what the knapsack leaves.
#include "solve/memory_budget.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "solve/budget_solvers.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

// "a b after 4 cuts".
std::string saved(const std::string& text, double budget, const Settings& settings = {}) {
  const AnalysedGraph graph(text, settings);
  const SavedValues choice = choose_saved_values(graph.analysis, budget);
  std::vector<std::string> names;
  for (const NodeId id : choice.saved) names.push_back(graph.joint.graph[id].name);
  return fmt::format("{} after {} cuts", fmt::join(names, " "), solved_by(choice).cuts.size());
}

std::string refusal(const std::string& text, double budget, const Settings& settings) {
  try {
    return saved(text, budget, settings);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.diagnostics().at(0).message;
  }
}

// From an input of 32 bytes `a` of 400 and `b` of 800 bytes, both taken by the backward.
std::string step(const std::string& op, const std::string& words_of_a = "") {
  return "primals_1 = placeholder : f32[8]@1\ntangents_1 = placeholder : f32[8]\n"
         "a = " + op + "(primals_1, primals_1) : f32[100]@2" + words_of_a + "\n"
         "b = " + op + "(a, primals_1) : f32[200]@3\n"
         "loss = my.loss.default(b) : f32[8]\n"
         "grad = my.grad.default(tangents_1, a, b) : f32[8]\n"
         "return loss | grad";
}

TEST(MemoryBudget, BansAreLiftedUntilLittleEnoughIsSaved) {
  // Operators off the list of cheap ones are recomputed from the third cut on: then only the input is saved.
  EXPECT_EQ(saved(step("my.own.default"), 1), "a b after 1 cuts");
  EXPECT_EQ(saved(step("my.own.default"), 0.9), "primals_1 after 3 cuts");
}

TEST(MemoryBudget, TheSecondCutWillDoWhereBansOnFusionWereTooMuch) {
  // `far` is banned, since what it is made from is used far before it.
  const std::string text = R"(
    primals_1 = placeholder : f32[8]
    tangents_1 = placeholder : f32[8]
    a = aten.sin.default(primals_1) : f32[8]
    near = aten.cos.default(a) : f32[8]
    mm = aten.mm.default(near, near) : f32[8]
    far = aten.exp.default(a) : f32[100]
    loss = my.loss.default(mm, far) : f32[8]
    grad = my.grad.default(tangents_1, far) : f32[8]
    return loss | grad)";
  EXPECT_EQ(saved(text, 1), "far after 1 cuts");
  EXPECT_EQ(saved(text, 0.5), "primals_1 after 2 cuts");
}

TEST(MemoryBudget, AKnapsackChoosesAmongWhatIsCostly) {
  // Shares of the 1168 bytes saved beyond the input: a 0.3425, b 0.6849. Both take equally long.
  EXPECT_EQ(saved(step("aten.bmm.default"), 0.5), "primals_1 a after 4 cuts");
  EXPECT_EQ(saved(step("aten.bmm.default"), 0.3), "primals_1 after 4 cuts") << "none fits";
  EXPECT_EQ(saved(step("aten.bmm.default"), 0.9), "primals_1 b after 4 cuts") << "of equals the largest";
}

TEST(MemoryBudget, TheEstimatorSaysWhatTakesLong) {
  const std::string text = R"(
    primals_1 = placeholder : f32[2, 2]@1
    tangents_1 = placeholder : f32[2, 2]
    wide = aten.repeat.default(primals_1, [5, 5]) : f32[10, 10]@2
    a = aten.mm.default(wide, wide) : f32[10, 10]@3
    b = aten.bmm.default(a, a) : f32[10, 11]@4
    loss = my.loss.default(b) : f32[2, 2]
    grad = my.grad.default(tangents_1, a, b) : f32[2, 2]
    return loss | grad)";
  Settings testing;
  testing.activation_memory_budget_runtime_estimator = *find_row(estimators(), "testing");
  // a takes 2 * 10^3 operations; the three-dimensional product b of matrices counts as 1.
  EXPECT_EQ(saved(text, 0.6), "a after 4 cuts") << "b is recomputed";
  EXPECT_EQ(saved(text, 0.6, testing), "primals_1 b after 4 cuts");
}

TEST(MemoryBudget, ProfileTakesTheGraphsOwnRunTimes) {
  Settings profile;
  profile.activation_memory_budget_runtime_estimator = *find_row(estimators(), "profile");
  std::string measured = step("aten.bmm.default", " runtime_ms=0.5");
  EXPECT_EQ(refusal(measured, 0.9, profile),
            "the run time estimator 'profile' needs meta.runtime_ms of all 2 values that the memory budget may have "
            "recomputed, and 1 has none: 'b'");
  measured.insert(measured.find("\nloss"), " runtime_ms=0.25");
  EXPECT_EQ(saved(measured, 0.9, profile), "primals_1 a after 4 cuts");
}

TEST(MemoryBudget, TheSolverIsTheSettings) {
  // b takes twice the memory of a and as long: both fit by themselves, and greedy takes the one that is worth more.
  Settings greedy;
  greedy.activation_memory_budget_solver = *find_row(budget_solvers(), "greedy");
  EXPECT_EQ(saved(step("aten.bmm.default"), 0.9), "primals_1 b after 4 cuts");
  EXPECT_EQ(saved(step("aten.bmm.default"), 0.9, greedy), "primals_1 a after 4 cuts");
}

TEST(MemoryBudget, GreedyRefusesACandidateWithoutBytes) {
  Settings greedy;
  greedy.activation_memory_budget_solver = *find_row(budget_solvers(), "greedy");
  std::string text = step("aten.bmm.default");
  text.replace(text.find("f32[100]"), 8, "f32[0]");
  EXPECT_EQ(refusal(text, 0.5, greedy),
            "the memory budget's solver 'greedy' fails: it divides run times by bytes, and there are none: 'a'");
}

TEST(MemoryBudget, ValuesTaggedToBeSavedAreNoCandidates) {
  EXPECT_EQ(saved(step("aten.bmm.default", " recompute=MUST_SAVE"), 0.3), "primals_1 a after 4 cuts");
}

TEST(MemoryBudget, AliasesOfInputsAreNoCandidates) {
  std::string in_input = step("aten.bmm.default");
  EXPECT_EQ(saved(in_input.replace(in_input.find("@2"), 2, "@1"), 0.3), "primals_1 a after 4 cuts");
}

TEST(MemoryBudget, ValuesWithoutAStorageNumberHaveTheirOwnMemory) {
  std::string alone = step("aten.bmm.default");
  for (const std::string storage : {"@1", "@2", "@3"}) alone.erase(alone.find(storage), 2);
  EXPECT_EQ(saved(alone, 0.5), "primals_1 a after 4 cuts");
}

TEST(MemoryBudget, KeepsTheFirstCutIfItSavesNoMoreThanTheInputs) {
  const std::string text = R"(
    primals_1 = placeholder : f32[100]
    tangents_1 = placeholder : f32[8]
    a = my.own.default(primals_1) : f32[100]
    loss = my.loss.default(a) : f32[8]
    grad = my.grad.default(tangents_1, a) : f32[8]
    return loss | grad)";
  EXPECT_EQ(saved(text, 0.5), "a after 1 cuts");
}

TEST(MemoryBudget, ZeroSolvesACutIfAnInputCannotBeSavedSince2_15) {
  const std::string text = R"(
    primals_1 = placeholder : f32[8] aot_runtime_epilogue_input_mutation=true
    tangents_1 = placeholder : f32[8]
    a = aten.sin.default(primals_1) : f32[8]
    loss = my.loss.default(a) : f32[8]
    grad = my.grad.default(tangents_1, a) : f32[8]
    return loss | grad)";
  EXPECT_EQ(saved(made_by(Release{13}) + text, 0), "primals_1 after 0 cuts");
  EXPECT_EQ(saved(made_by(Release{15}) + text, 0), "a after 1 cuts");
}

}  // namespace
}  // namespace fxcut
