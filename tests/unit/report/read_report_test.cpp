// Reports from their files.
#include "report/read_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "read/read_policy.h"
#include "report/show_report.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

Report read_row_report(std::string_view text) { return read_report(*Document::parse(std::string(text), "report.json")); }

// The report that report_json writes again.
std::string round_trip(const std::string& text) { return report_json(read_row_report(text)); }

constexpr std::string_view kGraph = R"(
    primals_1 = placeholder : f32[64, 32] static
    primals_2 = placeholder : f32[s0=64, 64]
    tangents_1 = placeholder : f32[64, 32]
    mm = aten.mm.default(primals_2, primals_1) : f32[64, 32] user_source={"file":"step.py","line":3,"function":"step"}
    sin = aten.sin.default(mm) : f32[64, 32] checkpoint_name=q
    exp = aten.exp.default(sin) : f32[64, 32] should_offload=true
    mul = aten.mul.Tensor(tangents_1, exp) : f32[64, 32]
    cos = aten.cos.default(mm) : f32[64, 32]
    mul_1 = aten.mul.Tensor(mul, cos) : f32[64, 32]
    return exp | mul_1, None)";

TEST(ReadReport, AReportIsReadAndWrittenToTheByte) {
  const std::string text = report_json(partition(joint_graph(kGraph), {}).report);
  EXPECT_EQ(round_trip(text), text);
}

TEST(ReadReport, SoAreThoseOfBudgetsPoliciesAndTheHost) {
  Settings frontier;
  frontier.activation_memory_budget_solver = frontier_solver();
  frontier.saved_bytes_limit = parse_memory_limit("least");
  Settings budget;
  budget.activation_memory_budget = 0.5;
  Settings by_default;
  by_default.partitioner = Partitioner::Default;
  Settings on_host;
  on_host.enable_activation_offloading = true;
  const PolicyStack policies = read_policies(*Document::parse(
      R"({"version": 1, "policies": [
            {"name": "base", "rules": [{"match": {"name": "q"}, "policy": "MUST_CPU_OFFLOAD"}]},
            {"jax": "dots_saveable"}]})",
      "policy.json"));
  for (const Settings& settings : {frontier, budget, by_default, on_host}) {
    const std::string text = report_json(partition(joint_graph(kGraph), settings).report);
    EXPECT_EQ(round_trip(text), text);
  }
  const std::string text = report_json(partition(joint_graph(kGraph), {}, policies).report);
  EXPECT_EQ(round_trip(text), text);
  EXPECT_EQ(read_row_report(text).policies.size(), 2U);
}

TEST(ReadReport, ReadsUnsoundValues) {
  Report report;
  report.unsound.push_back({"sin", Fault::OtherValue, "x", "", "another value"});
  report.repairs.push_back({"dropout", RepairKind::RandomState, 0});
  const std::string text = report_json(report);
  EXPECT_EQ(round_trip(text), text);
  EXPECT_EQ(read_row_report(text).unsound.at(0).fault, Fault::OtherValue);
}

TEST(ReadReport, ReadsRepairsOfEveryKind) {
  Report report;
  for (const RepairKind kind : {RepairKind::Value, RepairKind::RandomState, RepairKind::LateCopy, RepairKind::OnDevice,
                                RepairKind::Effect}) {
    report.repairs.push_back({std::string(name_of(kind)), kind, 0});
  }
  const std::string text = report_json(report);
  EXPECT_EQ(round_trip(text), text);
}

TEST(ReadReport, NumbersBeyond64BitsAreTheNearestReal) {
  Report report;
  report.totals.recomputed_flops = Int128{1} << 70;
  report.totals.saved_values = 3;
  report.memory.peak_bytes = (Int128{1} << 64) - 1;
  const Report again = read_row_report(report_json(report));
  EXPECT_EQ(again.totals.recomputed_flops, Int128{1} << 70);
  EXPECT_EQ(again.memory.peak_bytes, (Int128{1} << 64) - 1);
}

// The mistakes of a report that was damaged: "/PLACE: MESSAGE", and the hints.
std::vector<std::string> mistakes(const nlohmann::ordered_json& damaged) {
  std::vector<std::string> found;
  try {
    read_row_report(damaged.dump());
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    for (const Diagnostic& diagnostic : failure.diagnostics()) {
      EXPECT_TRUE(diagnostic.place.starts_with("report.json:1:")) << diagnostic.place;
      found.push_back(diagnostic.place.substr(diagnostic.place.find(' ') + 1) + ": " + diagnostic.message);
      if (!diagnostic.hint.empty()) found.back() += "; " + diagnostic.hint;
    }
  }
  return found;
}

using Lines = std::vector<std::string>;

class DamagedReport : public testing::Test {
 protected:
  nlohmann::ordered_json json =
      nlohmann::ordered_json::parse(report_json(partition(joint_graph(kGraph), {}).report));
};

TEST_F(DamagedReport, SomethingElseIsNoReportAtAll) {
  json["format"] = "fx-joint-graph";
  EXPECT_EQ(mistakes(json), Lines{"/format: expected \"format\": \"fxcut-report\"; 'fxcut partition GRAPH.json --json' "
                                  "prints a report"});
  EXPECT_EQ(mistakes(nlohmann::ordered_json::array()), Lines{"top level: expected an object, found an array"});
}

TEST_F(DamagedReport, AnotherVersionIsNotRead) {
  json["version"] = 2;
  json.erase("totals");
  EXPECT_EQ(mistakes(json), Lines{"/version: expected \"version\": 1; this fxcut reads only that version"});
}

TEST_F(DamagedReport, MissingOrMistypedMembersAreReportedWithTheirPlace) {
  json["totals"].erase("saved_bytes");
  json["totals"]["saved_values"] = -1;
  json["saved_values"][0]["bytes"] = "many";
  json["saved_values"][0].erase("why");
  json["memory"]["peak_at"]["graph"] = "joint";
  EXPECT_EQ(mistakes(json), (Lines{"/totals: missing 'saved_bytes', an integer",
                                   "/totals/saved_values: expected 0 or more, found -1",
                                   "/memory/peak_at/graph: expected forward, backward or optimizer, found 'joint'",
                                   "/saved_values/0/bytes: expected an integer, found a string",
                                   "/saved_values/0: missing 'why', an object"}));
}

TEST_F(DamagedReport, AWordIsOneOfThoseThatAreKnown) {
  json["names"][0]["decision"] = "kept";
  json["torch_version_from"] = "luck";
  EXPECT_EQ(mistakes(json), (Lines{"/torch_version_from: expected setting, producer, nearest or newest, found 'luck'",
                                   "/names/0/decision: expected saved, recomputed, offloaded or not_needed, found 'kept'"}));
}

TEST_F(DamagedReport, SettingsAreHeldToWhatTheyTake) {
  json["settings"]["cse"] = "yes";
  json["settings"]["recompute_vews"] = true;
  json["torch_version"] = "1.0";
  EXPECT_EQ(mistakes(json), (Lines{"/torch_version: unknown release of PyTorch '1.0'",
                                   "/settings/cse: setting 'cse' is 'yes'; expected true or false",
                                   "/settings/recompute_vews: unknown setting 'recompute_vews'; did you mean "
                                   "'recompute_views'?"}));
}

TEST_F(DamagedReport, MembersOfANewerProgramAreIgnored) {
  json["colour"] = "red";
  json["totals"]["loops"] = 7;
  EXPECT_EQ(mistakes(json), Lines{});
}

}  // namespace
}  // namespace fxcut
