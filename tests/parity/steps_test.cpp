// Whole steps after PyTorch's pass (testdata/steps): the tool makes the same, node by node, or refuses what PyTorch refuses.
// Without the setting that follows PyTorch in this, each step is decided, and computes what it did before.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph_difference.h"
#include "html/page_data.h"
#include "json_graph.h"
#include "partition/partition.h"
#include "partition/peak_search.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "report/show_report.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "verify/figures.h"
#include "verify/verify.h"
#include "write/graph_json.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStepEnding = ".expected.json";

std::vector<std::string> recorded_steps() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(FXCUT_TESTDATA) / "steps")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kStepEnding)) names.push_back(name.substr(0, name.size() - kStepEnding.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Steps : public testing::TestWithParam<std::string> {
 protected:
  Json file(const std::string& ending) const {
    return Json::parse(read_file((fs::path(FXCUT_TESTDATA) / "steps" / (GetParam() + ending)).string()));
  }

  JointGraph read(const Json& graph) const { return read_joint_graph(*Document::parse(graph.dump(), GetParam())); }

  Json step_of(const Settings& settings) const { return step_of(file(".json"), settings); }

  Json step_of(const Json& graph, const Settings& settings) const {
    const auto document = Document::parse(graph.dump(), GetParam());
    const Partition made = partition(read_joint_graph(*document), settings);
    return Json::parse(graph_json(made.step.value(), made.subgraphs, "step", *document));
  }

  // None if there is no partition.
  std::optional<Json> written_step(const Settings& settings) const {
    try {
      return step_of(settings);
    } catch (const Failure& failure) {
      return std::nullopt;
    }
  }
};

TEST_P(Steps, AreWhatPyTorchMakesOfThem) {
  Settings settings;
  settings.partitioner = Partitioner::Tags;
  settings.chooses_partitioner = true;
  const Json answers = file(std::string(kStepEnding));  // which outlives the loop, as it would not in the loop's head
  for (const Json& answer : answers.at("cases")) {
    Json step = file(".json");
    step["impure_random"] = answer.at("config").value("fallback_random", false);
    if (answer.contains("error")) {
      EXPECT_THROW(step_of(step, settings), Failure) << answer.at("error");
    } else {
      const Json& nodes = answer.at("step").at("nodes");
      EXPECT_EQ(first_difference(nodes, step_of(step, settings).at("nodes"), names_of(nodes)), "");
    }
  }
}

Settings frontier_at_least() {
  Settings settings;
  settings.saved_bytes_limit = parse_memory_limit("least");
  return settings;
}

Settings nothing_kept() {
  Settings settings;
  settings.activation_memory_budget = 0;
  return settings;
}

// Otherwise tests that such a step computes what it did would show nothing.
TEST_P(Steps, RecomputeWhereNothingIsKept) {
  const JointGraph step = read(file(".json"));
  const bool has_backward = std::ranges::any_of(step.graph.nodes, [](const Node& node) { return node.meta.is_after_loss(); });
  try {
    EXPECT_EQ(partition(step, nothing_kept()).report.totals.recomputed_operators > 0, has_backward);
  } catch (const Failure& failure) {
    const bool is_refused = GetParam().starts_with("random_tags_batch_norm") || GetParam() == "make_fx_dropout";
    EXPECT_TRUE(is_refused) << failure.what() << "\nas of a joint graph with such tags, or with a mask that is filled in place";
  }
}

Settings aggressive_min_cut() {
  Settings settings;
  settings.chooses_partitioner = settings.aggressive_recomputation = true;
  return settings;
}

TEST_P(Steps, ComputeWhatTheyDid) {
  const JointGraph before = read(file(".json"));
  for (const Settings& settings : {Settings(), aggressive_min_cut(), frontier_at_least(), nothing_kept()}) {
    const auto written = written_step(settings);
    if (!written) {
      EXPECT_TRUE(settings.chooses_partitioner || settings.saved_bytes_limit || settings.activation_memory_budget < 1) << "every step is served by default";
    } else {
      EXPECT_EQ(verification_text(verify_step(before, read(*written))).substr(0, 9), "verified:");
    }
  }
}

Settings lowest_peak() {
  Settings settings;
  settings.peak_bytes_limit = parse_memory_limit("least");
  settings.activation_memory_budget_solver = frontier_solver();
  return settings;
}

// The limit is that of the step, not of the two parts that the solver simulates: a peak that some decision has is met as a limit.
TEST_P(Steps, HaveNoLowerPeakByTheirTagsThanTheLeast) {
  const JointGraph step = read(file(".json"));
  const Int128 by_tags = partition(step, {}).memory.peak_bytes();
  const Int128 least = partition_within_peak(step, lowest_peak()).memory.peak_bytes();
  EXPECT_LE(least, by_tags);
  for (const Int128 peak : {least, by_tags}) {
    Settings settings;
    settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(peak));
    EXPECT_LE(partition_within_peak(step, settings).memory.peak_bytes(), peak);
  }
}

// By the count of `verify`, which shares nothing with the making of the report.
TEST_P(Steps, HaveTheMemoryOfTheReport) {
  const JointGraph before = read(file(".json"));
  const auto document = Document::parse(file(".json").dump(), GetParam());
  for (const Settings& settings : {Settings(), aggressive_min_cut(), frontier_at_least(), lowest_peak()}) {
    try {
      const Partition made = partition(before, settings);
      const JointGraph after = read(Json::parse(graph_json(made.step.value(), made.subgraphs, "step", *document)));
      const ReportJson report = ReportJson::parse(report_json(made.report));
      std::vector<Mismatch> mismatches;
      EXPECT_GT(check_step_figures(before, after.step->graph, report, mismatches), 8u);
      for (const Mismatch& wrong : mismatches) ADD_FAILURE() << wrong.where << ": " << wrong.found << ", not " << wrong.expected;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition);  // as of a joint graph with such tags
    }
  }
}

TEST_P(Steps, AreTheSameIfTheirDecisionIsReplayed) {
  const JointGraph before = read(file(".json"));
  const auto document = Document::parse(file(".json").dump(), GetParam());
  const Partition made = partition(before, {}), again = replay(before, made.report);
  const auto written = [&](const Partition& one) { return graph_json(one.step.value(), one.subgraphs, "step", *document); };
  EXPECT_EQ(written(again), written(made));
  EXPECT_EQ(report_json(again.report), report_json(made.report));
}

TEST(StepPage, TellsTheOptimizersStepsFromTheBackwards) {
  const auto text = read_file((fs::path(FXCUT_TESTDATA) / "steps" / "adamw.json").string());
  const Partition made = partition(read_joint_graph(*Document::parse(text, "adamw")), {});
  const PageData data = page_data({{made}});
  const PageCurve& curve = data.decisions.front().curves.front();
  const auto at_peak = std::ranges::find_if(std::views::reverse(curve.phases),
                                            [&](const PagePhase& phase) { return phase.first_step <= curve.peak_step; });
  ASSERT_NE(at_peak, curve.phases.rend());
  EXPECT_EQ(at_peak->name, "optimizer");
  EXPECT_EQ(made.report.memory.peak_at.graph, "optimizer");
  EXPECT_EQ(curve.phases.front().name, "forward");
}

INSTANTIATE_TEST_SUITE_P(Recorded, Steps, testing::ValuesIn(recorded_steps()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace fxcut
