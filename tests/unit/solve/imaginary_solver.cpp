// An imaginary solver of memory budgets, 'smallest': imaginary_solver.cmake puts a row into budget_solvers.cpp, which is linked
// in place of the library's, and knapsack_smallest.cpp is its file; nothing else knows of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "policy/setting_rows.h"
#include "report/show_report.h"

namespace fxcut {
namespace {

constexpr std::string_view kSolver = "activation_memory_budget_solver";

// From an input of 32 bytes `a` of 400 and `b` of 800 bytes, both costly and taken by the backward.
constexpr std::string_view kStep = R"(
    primals_1 = placeholder : f32[8]@1
    tangents_1 = placeholder : f32[8]
    a = aten.bmm.default(primals_1, primals_1) : f32[100]@2
    b = aten.bmm.default(a, primals_1) : f32[200]@3
    loss = my.loss.default(b) : f32[8]
    grad = my.grad.default(tangents_1, a, b) : f32[8]
    return loss | grad)";

Report decided_by(const std::string& solver) {
  Settings settings;
  settings.activation_memory_budget = 0.9;
  set_setting(settings, kSolver, solver, "");
  return partition(joint_graph(kStep), settings).report;
}

std::string saved_by(const std::string& solver) {
  std::string names;
  for (const SavedValue& row : decided_by(solver).saved_values) names += row.name + " ";
  return names;
}

TEST(ImaginarySolver, Decides) {
  EXPECT_EQ(saved_by("dp"), "primals_1 b ");
  EXPECT_EQ(saved_by("smallest"), "primals_1 a ");
}

TEST(ImaginarySolver, IsListedAmongTheSettings) {
  const auto& rows = setting_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const SettingRow& each) { return each.name == kSolver; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->expects, "dp, greedy, ilp, dp_knapsack_sliding_hirschberg, dynamic_memory_budget_dp, smallest or frontier");
  EXPECT_NE(std::find(row->known.begin(), row->known.end(), "smallest"), row->known.end()) << "for completion";
}

TEST(ImaginarySolver, IsNamedByMessagesAndTheReport) {
  Settings settings;
  try {
    set_setting(settings, kSolver, std::string("smalest"), "--set");
    ADD_FAILURE() << "a solver that there is not was taken";
  } catch (const Failure& failure) {
    EXPECT_NE(failure.diagnostics().at(0).message.find("smallest or frontier"), std::string::npos) << failure.what();
    EXPECT_EQ(failure.diagnostics().at(0).hint, "did you mean 'smallest'?");
  }
  EXPECT_NE(report_json(decided_by("smallest")).find("\"solver\": \"smallest\""), std::string::npos);
}

}  // namespace
}  // namespace fxcut
