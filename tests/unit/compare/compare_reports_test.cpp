// Differences between two reports.
#include "compare/compare_reports.h"
#include "cost/estimators.h"

#include <gtest/gtest.h>

#include <map>

#include "compare/phrases.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

using Lines = std::vector<std::string>;

SavedValue saved(std::string name, std::int64_t rows, std::string module = "", std::int64_t line = 0) {
  SavedValue value;
  value.name = std::move(name);
  value.op = "aten.mm.default";
  value.dtype = "float32";
  value.shape = {Size{rows, nullptr}};
  value.size_bytes = 4 * rows;
  value.provenance.module = std::move(module);
  value.provenance.source_file = line > 0 ? "model.py" : "";
  value.provenance.source_line = line;
  return value;
}

RecomputedValue recomputed(std::string name, std::int64_t rows, std::string module = "") {
  RecomputedValue value;
  value.name = std::move(name);
  value.op = "aten.mm.default";
  value.size_bytes = 4 * rows;
  value.flops = 1000;
  value.provenance.module = std::move(module);
  return value;
}

Report report_of(std::vector<SavedValue> rows, std::vector<RecomputedValue> again = {}) {
  Report report;
  report.saved_values = std::move(rows);
  report.recomputed_values = std::move(again);
  return report;
}

// "came mm_4 +16 B was recomputed".
Lines lines_with_bytes(const std::vector<ValueChange>& changes) {
  Lines lines;
  for (const ValueChange& change : changes) {
    std::string line(name_of(change.kind));
    line += " " + show_name(change) + " " + show_change(change.bytes, "B");
    if (!note_of(change).empty()) line += " " + std::string(note_of(change));
    lines.push_back(std::move(line));
  }
  return lines;
}

Lines saved_lines(const Report& before, const Report& after) { return lines_with_bytes(compare_reports(before, after).saved); }

TEST(CompareReports, AReportIsTheSameAsItself) {
  const Report report = report_of({saved("mm", 4, "a"), saved("mm_1", 4, "b")}, {recomputed("mm_2", 8)});
  const Difference difference = compare_reports(report, report);
  EXPECT_TRUE(difference.is_same());
  EXPECT_TRUE(difference.settings.empty());
}

TEST(CompareReports, RenumberedNamesAreTheSameValues) {
  const Report before = report_of({saved("mm_4", 4, "layers.0"), saved("mm_5", 4, "layers.0", 7)});
  const Report after = report_of({saved("mm_6", 4, "layers.0"), saved("mm_4", 4, "layers.0", 7)});
  EXPECT_EQ(saved_lines(before, after), Lines{});
}

TEST(CompareReports, ALayerMoreIsWhatCame) {
  const Report before = report_of({saved("mm", 4, "layers.0"), saved("mm_1", 4, "layers.1")});
  const Report after =
      report_of({saved("mm", 4, "layers.0"), saved("mm_1", 4, "layers.1"), saved("mm_2", 4, "layers.2")});
  EXPECT_EQ(saved_lines(before, after), Lines{"came mm_2 +16 B"});
  EXPECT_EQ(saved_lines(after, before), Lines{"went mm_2 -16 B"});
}

TEST(CompareReports, WithoutPlacesEqualValuesAreCounted) {
  const Report before = report_of({saved("mm", 4), saved("mm_1", 4)});
  const Report after = report_of({saved("mm_1", 4), saved("mm_2", 4), saved("mm_3", 4)});
  EXPECT_EQ(saved_lines(before, after), Lines{"came mm_3 +16 B"});
}

TEST(CompareReports, LinesMayMoveAndModulesMayBeRenamed) {
  EXPECT_EQ(saved_lines(report_of({saved("mm", 4, "a", 7)}), report_of({saved("mm", 4, "a", 9)})), Lines{});
  EXPECT_EQ(saved_lines(report_of({saved("mm", 4, "a", 7)}), report_of({saved("mm_1", 4, "b", 9)})), Lines{});
}

TEST(CompareReports, AnotherModuleThatBothHaveIsAnotherValue) {
  const Report before = report_of({saved("mm", 4, "a")}, {recomputed("mm_1", 4, "b")});
  const Report after = report_of({saved("mm_1", 4, "b")}, {recomputed("mm", 4, "a")});
  EXPECT_EQ(saved_lines(before, after), (Lines{"went mm -16 B now recomputed", "came mm_1 +16 B was recomputed"}));
}

TEST(CompareReports, AValueGrowsAtItsPlace) {
  EXPECT_EQ(saved_lines(report_of({saved("mm_4", 4, "a", 7)}), report_of({saved("mm_6", 8, "a", 7)})),
            Lines{"grew mm_4 -> mm_6 +16 B"});
  EXPECT_EQ(saved_lines(report_of({saved("mm", 8)}), report_of({saved("mm", 4)})), Lines{"shrank mm -16 B"});
}

TEST(CompareReports, MovingToTheHostIsReported) {
  Report after = report_of({saved("mm", 4)});
  after.saved_values[0].host_name = "cpu_offload_mm";
  EXPECT_EQ(saved_lines(report_of({saved("mm", 4)}), after), Lines{"to_host mm 0 B now on the host"});
  EXPECT_EQ(saved_lines(after, report_of({saved("mm", 4)})), Lines{"from_host mm 0 B was on the host"});
}

TEST(CompareReports, SavingInFewerBitsIsReported) {
  const Report before = report_of({saved("mm", 4)});
  Report after = before, other = before;
  after.saved_values[0].compressed = CompressedForm{.how = Compression::Bits, .dtype = "uint8", .size_bytes = 1};
  other.saved_values[0].compressed = CompressedForm{.how = Compression::Cast, .dtype = "int8", .size_bytes = 4};
  EXPECT_EQ(saved_lines(before, after), Lines{"to_form mm -15 B now in fewer bits"});
  EXPECT_EQ(saved_lines(after, other), Lines{"to_form mm +3 B now in others"});
  EXPECT_EQ(saved_lines(after, before), Lines{"from_form mm +15 B was in fewer bits"});
  EXPECT_EQ(saved_lines(report_of({}), after), Lines{"came mm +1 B"});
}

TEST(CompareReports, TheLargestEffectComesFirstAndParametersLast) {
  Report after = report_of({saved("mm", 4, "a"), saved("mm_1", 100, "b"), saved("primals_1", 1000, "c")});
  after.saved_values[2].static_lifetime = true;
  EXPECT_EQ(saved_lines(report_of({}), after), (Lines{"came mm_1 +400 B", "came mm +16 B", "came primals_1 +4.0 kB"}));
}

TEST(CompareReports, OnTheSameGraphNamesSayAll) {
  Report before = report_of({saved("mm", 4), saved("mm_1", 4)}), after = report_of({saved("mm", 4), saved("mm_2", 4)});
  EXPECT_EQ(saved_lines(before, after), Lines{});
  before.fingerprint = after.fingerprint = GraphFingerprint{3, "a", "b", "c", "d"};
  EXPECT_EQ(saved_lines(before, after), (Lines{"went mm_1 -16 B", "came mm_2 +16 B"}));
}

TEST(CompareReports, DifferentSettingsAreReportedButAreNoDifference) {
  Report after = report_of({});
  after.settings.aggressive_recomputation = true;
  const Difference difference = compare_reports(report_of({}), after);
  ASSERT_EQ(difference.settings.size(), 1U);
  EXPECT_EQ(difference.settings[0].name, "aggressive_recomputation");
  EXPECT_EQ(difference.settings[0].before, "false");
  EXPECT_EQ(difference.settings[0].after, "true");
  EXPECT_TRUE(difference.is_same());
}

TEST(CompareReports, ATotalThatDiffersIsADifference) {
  Report after = report_of({});
  after.memory.peak_bytes = 1;
  EXPECT_FALSE(compare_reports(report_of({}), after).is_same());
}

TEST(CompareReports, NewlyRecomputedValuesAreListedWithTheirFlops) {
  const Difference difference =
      compare_reports(report_of({saved("mm", 4, "a")}), report_of({}, {recomputed("mm", 4, "a")}));
  ASSERT_EQ(difference.recomputed.size(), 1U);
  EXPECT_EQ(difference.recomputed[0].kind, ValueChange::Kind::Added);
  EXPECT_EQ(difference.recomputed[0].flops, 1000);
  EXPECT_EQ(note_of(difference.recomputed[0]), "was saved");
}

TEST(CompareReports, FiguresAreThoseOfTheReports) {
  constexpr std::string_view kStep = R"(
    primals_1 = placeholder : f32[64, 64] static
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, mm) : f32[64, 64]
    return mm | mul)";
  const Report report = partition(joint_graph(kStep), {}).report;
  std::map<std::string_view, Int128> found;
  for (const FigureChange& figure : figures_of(report)) {
    found.emplace(figure.name, figure.after);
  }
  EXPECT_EQ(found.at("saved_bytes"), report.totals.saved_bytes);
  EXPECT_EQ(found.at("peak_bytes"), report.memory.peak_bytes);
  EXPECT_EQ(found.at("step_picoseconds"), picoseconds(report.run_time->step_ms));
  EXPECT_TRUE(compare_reports(report, report).is_same());
}

TEST(CompareReports, RunTimesAreComparedWhereBothHaveThemAndDecideNothing) {
  Report before = report_of({}), after = report_of({});
  const auto times_in = [](const Difference& difference) {
    std::vector<std::string> times;
    for (const FigureChange& figure : difference.figures) {
      if (figure.unit == "ps") times.push_back(std::string(figure.name) + show_change(figure.change(), figure.unit));
    }
    return times;
  };
  after.run_time = RunTimeReport{"h100", DeviceFrom::Graph, 0.25, 2};
  EXPECT_EQ(times_in(compare_reports(before, after)), std::vector<std::string>{});
  before.run_time = RunTimeReport{"h100", DeviceFrom::Graph, 0, 1.75};
  const Difference difference = compare_reports(before, after);
  EXPECT_EQ(times_in(difference), (std::vector<std::string>{"recomputed_picoseconds+250 us", "step_picoseconds+250 us"}));
  EXPECT_TRUE(difference.is_same());
}

}  // namespace
}  // namespace fxcut
