// Reports and the results of their checks.
#include "check/check_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/show_results.h"

namespace fxcut {
namespace {

SavedValue saved(std::string name, std::string op, std::int64_t bytes) {
  SavedValue value;
  value.name = std::move(name);
  value.op = std::move(op);
  value.dtype = "float32";
  value.shape = {Size{bytes / 4, nullptr}};
  value.size_bytes = bytes;
  return value;
}

Report report_of(std::vector<SavedValue> rows) {
  Report report;
  for (const SavedValue& row : rows) report.totals.saved_bytes_not_static += row.size_bytes;
  report.saved_values = std::move(rows);
  return report;
}

CheckResult limited_by(std::string_view option, const Report& report, const Report* baseline, std::string_view limit) {
  const auto measure = std::ranges::find(measures(), option, &MeasureRow::option);
  Checks checks;
  checks.limits.emplace_back(&*measure, *parse_limit(limit, measure->unit));
  const ComparedReport before = baseline ? compared(*baseline) : ComparedReport{};
  return check_report(report, baseline ? &before : nullptr, checks).front();
}

CheckResult limited(const Report& report, const Report* baseline, std::string_view limit) {
  return limited_by("max-saved-bytes", report, baseline, limit);
}

CheckResult limited_step(const Report& report, const Report* baseline, std::string_view limit) {
  return limited_by("max-step-time", report, baseline, limit);
}

CheckResult limited_peak(const Report& report, const Report* baseline, std::string_view limit) {
  return limited_by("max-peak-bytes", report, baseline, limit);
}

std::vector<ValuePattern> patterns(std::string_view text) { return {*ValuePattern::parse(text)}; }

TEST(CheckReport, AnAbsoluteLimitNeedsNoBaseline) {
  const Report report = report_of({saved("mm", "aten.mm.default", 400), saved("sin", "aten.sin.default", 800)});
  EXPECT_TRUE(limited(report, nullptr, "1200").passed);
  const CheckResult failed = limited(report, nullptr, "1199");
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.check, "--max-saved-bytes 1199");
  EXPECT_EQ(failed.text, "1200 B of activations held; the limit is 1199 B");
  ASSERT_EQ(failed.responsible.size(), 2U);  // the largest first
  EXPECT_EQ(show_responsible(failed.responsible[0]), "800 B sin (aten.sin.default)");
}

TEST(CheckReport, BytesThatCrossInFewerBitsAreOfTheValuesThatDo) {
  Report report = report_of({saved("mm", "aten.mm.default", 400), saved("sin", "aten.sin.default", 800)});
  report.saved_values[0].compressed = CompressedForm{.name = "mm_form", .dtype = "float8_e4m3fn", .size_bytes = 100};
  report.totals.compressed = CompressedTotals{.values = 1, .bytes_before = 400, .bytes = 100};
  RecomputedValue again;
  again.name = "cos";
  again.flops = 7;
  report.recomputed_values = {again};
  const CheckResult failed = limited_by("max-compressed-bytes", report, nullptr, "399");
  EXPECT_FALSE(failed.passed);
  ASSERT_EQ(failed.responsible.size(), 1U);
  EXPECT_EQ(failed.responsible[0].value().name, "mm");
  EXPECT_TRUE(failed.responsible[0].bytes == 100) << "as it crosses";
  EXPECT_EQ(limited_by("max-compressed-bytes", report, &report, "399").responsible.size(), 1U) << "also if it has not grown";
}

PredictedMemoryReport code_with_peak(std::int64_t bytes, std::vector<MemoryHeld> at_peak) {
  PredictedMemoryReport memory;
  memory.peak_bytes = bytes;
  memory.at_peak = std::move(at_peak);
  return memory;
}

MemoryHeld buffer(std::string node, std::int64_t bytes) {
  return {{"backward", std::move(node), "aten.mm.default", {}}, bytes, {}, {}};
}

TEST(CheckReport, ThePeakIsThatOfTheCodeWhereItIsPredicted) {
  Report report;
  report.memory.peak_bytes = 900;
  report.memory.at_peak = {buffer("mm", 900)};
  report.memory.compiled = code_with_peak(500, {buffer("addmm", 500)});
  EXPECT_TRUE(limited_peak(report, nullptr, "500").passed);
  const CheckResult failed = limited_peak(report, nullptr, "499");
  EXPECT_EQ(failed.text, "500 B in use at the peak; the limit is 499 B");
  EXPECT_EQ(failed.figure, "compiled_peak_bytes");
  ASSERT_EQ(failed.responsible.size(), 1U);
  EXPECT_EQ(show_responsible(failed.responsible.front()), "500 B addmm (backward) (aten.mm.default)");
}

// Two kinds of peaks are not compared.
TEST(CheckReport, ThePeakGrowsFromOneOfItsKind) {
  Report report, older;
  report.memory.peak_bytes = 900;
  report.memory.compiled = code_with_peak(500, {buffer("addmm", 500)});
  older.memory.peak_bytes = 800;
  const CheckResult failed = limited_peak(report, &older, "10%");
  EXPECT_EQ(failed.text, "900 B in use at the peak, operator by operator; the limit is 880 B, 10% above the baseline's 800 B");
  EXPECT_TRUE(failed.responsible.empty());
  older.memory.compiled = code_with_peak(480, {});
  EXPECT_TRUE(limited_peak(report, &older, "10%").passed);
}

TEST(CheckReport, WhatFailsIsShownApartFromItsLimit) {
  const CheckResult failed = limited(report_of({saved("mm", "aten.mm.default", 40960)}), nullptr, "40959");
  EXPECT_EQ(failed.text, "40960 B of activations held; the limit is 40959 B");
}

TEST(CheckReport, TimesAreLimitedWhereReportsHaveThem) {
  Report report, older;
  report.run_time = RunTimeReport{};
  report.run_time->step_ms = 2;
  EXPECT_TRUE(limited_step(report, nullptr, "2ms").passed);
  EXPECT_FALSE(limited_step(report, nullptr, "1.9ms").passed);
  EXPECT_TRUE(limited_step(report, &report, "0%").passed);
  EXPECT_TRUE(limited_step(report, &older, "2ms").passed);
  EXPECT_EQ(limited_step(report, &older, "0%").text,
            "2.0 ms of forward and backward; the baseline has no run times: write it anew");
  EXPECT_FALSE(limited_step(report, &older, "0%").passed);
  EXPECT_FALSE(limited_step(older, &report, "5ms").passed);
  EXPECT_EQ(limited_step(older, nullptr, "5ms").text, "the report has no run times: an earlier release wrote it");
}

// A sum in which one is missing is none.
TEST(CheckReport, TimesOfABatchAreTheSumOfAll) {
  Report report, older;
  report.run_time = RunTimeReport{};
  report.run_time->step_ms = 2;
  const auto step_of = [](const std::vector<const Report*>& reports) {
    std::vector<BatchTotal> totals = no_totals(false);
    for (const Report* one : reports) add_graph(compared(*one), totals);
    return std::ranges::find_if(totals, [](const auto& t) { return t.measure->option == "max-step-time"; })->value;
  };
  EXPECT_EQ(step_of({&report, &report}), Int128{4'000'000'000});
  EXPECT_EQ(step_of({&report, &older, &report}), std::nullopt);
}

TEST(CheckReport, GrowthNamesWhatCameSinceTheBaseline) {
  const Report before = report_of({saved("sin", "aten.sin.default", 800)});
  const Report after = report_of({saved("mm", "aten.mm.default", 400), saved("sin", "aten.sin.default", 800)});
  EXPECT_TRUE(limited(after, &before, "50%").passed);
  const CheckResult failed = limited(after, &before, "49%");
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.text, "1200 B of activations held; the limit is 1192 B, 49% above the baseline's 800 B");
  ASSERT_EQ(failed.responsible.size(), 1U);
  EXPECT_EQ(show_responsible(failed.responsible[0]), "came +400 B mm (aten.mm.default)");
  EXPECT_TRUE(limited(after, &before, "+400").passed);
  EXPECT_FALSE(limited(after, &before, "+399").passed);
}

TEST(CheckReport, NoSuchValueMayBeSaved) {
  Checks checks;
  checks.forbid_save = patterns("aten.mm*");
  const Report bad = report_of({saved("mm", "aten.mm.default", 400), saved("mm_1", "aten.mm.default", 400)});
  const CheckResult failed = check_report(bad, nullptr, checks).front();
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.text, "mm, mm_1 are saved");
  EXPECT_TRUE(check_report(report_of({saved("sin", "aten.sin.default", 4)}), nullptr, checks).front().passed);
}

TEST(CheckReport, NoSuchValueMayBeRecomputed) {
  Checks checks;
  checks.forbid_recompute = patterns("sin");
  Report report;
  EXPECT_TRUE(check_report(report, nullptr, checks).front().passed);
  report.recomputed_values.push_back({"sin", "aten.sin.default", 7, 16, {}, {}});
  const CheckResult failed = check_report(report, nullptr, checks).front();
  EXPECT_EQ(failed.text, "sin is recomputed");
  EXPECT_FALSE(failed.passed);
}

TEST(CheckReport, ARequiredNameHasToBeSavedWhereverItStands) {
  Checks checks;
  checks.require_save = patterns("q");
  Report report = report_of({saved("mm", "aten.mm.default", 400)});
  EXPECT_EQ(check_report(report, nullptr, checks).front().text,
            "no value that is saved or recomputed has that name or operator");
  NameUse use;
  use.name = "q";
  use.node = "mm";
  use.decision = NameUse::Decision::Saved;
  use.forward_output = 1;
  report.names = {use};
  EXPECT_TRUE(check_report(report, nullptr, checks).front().passed);
  use.node = "mm_1";
  use.decision = NameUse::Decision::Recomputed;
  use.forward_output.reset();
  report.names.push_back(use);
  const CheckResult failed = check_report(report, nullptr, checks).front();
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.text, "mm_1 is recomputed");
}

TEST(CheckReport, ARequiredOperatorMayNotBeRecomputedAnywhere) {
  Checks checks;
  checks.require_save = patterns("aten.mm*");
  Report report = report_of({saved("mm", "aten.mm.default", 400)});
  EXPECT_TRUE(check_report(report, nullptr, checks).front().passed);
  report.recomputed_values.push_back({"mm_1", "aten.mm.default", 7, 16, {}, {}});
  EXPECT_EQ(check_report(report, nullptr, checks).front().text, "mm_1 is recomputed");
}

CheckResults odd_results() {
  CheckResult failed;
  failed.check = "--forbid-save 50%:a,b";
  failed.passed = false;
  failed.text = "<x> & \"y\"\nis saved";
  ValueChange change;
  change.after = ComparedValue{};
  change.after->name = "x|y";
  change.after->op = "aten.mm.default";
  change.after->provenance.source_file = "a,b:c.py";
  change.after->provenance.source_line = 7;
  change.bytes = 16;
  failed.responsible = {change};
  failed.at = CodeLocation{"a,b:c.py", 7, "x|y"};
  CheckResult passed;
  passed.check = "--max-saved-bytes 2%";
  return {failed, passed};
}

TEST(ShowResults, GitHubCommandsAreEscaped) {
  EXPECT_EQ(results_github(odd_results(), {"r.json", ""}),
            "::error file=a%2Cb%3Ac.py,line=7,title=fxcut check --forbid-save 50%25%3Aa%2Cb::"
            "r.json: <x> & \"y\"%0Ais saved%0Acame +16 B x|y (aten.mm.default) in a,b:c.py:7\n");
}

TEST(ShowResults, FindingsWithoutALineAreShownWithoutOne) {
  CheckResults results = odd_results();
  results[0].at.reset();
  results[0].elsewhere = "torch/nn.py:3";
  const std::string text = results_github(results, {"r.json", ""});
  EXPECT_TRUE(text.starts_with("::error title=")) << text;
  EXPECT_TRUE(text.ends_with("%0Afrom torch/nn.py:3, outside of the sources\n")) << text;
  EXPECT_EQ(results_junit(results, {"r.json", ""}).find("file="), std::string::npos);
}

TEST(ShowResults, TheValueOfTheLineIsNamedWhereItIsNotTheFirst) {
  CheckResults results = odd_results();
  results[0].at->value = "other";
  const std::string text = results_github(results, {"r.json", ""});
  EXPECT_TRUE(text.ends_with("%0Aother comes from this line\n")) << text;
}

TEST(ShowResults, JUnitIsEscaped) {
  const std::string xml = results_junit(odd_results(), {"r.json", ""});
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"&lt;x&gt; &amp; &quot;y&quot;\\u000ais saved\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"--forbid-save 50%:a,b\" file=\"a,b:c.py\" line=\"7\">"), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"--max-saved-bytes 2%\"/>"), std::string::npos) << xml;
}

TEST(ShowResults, WhereNotAllValuesAreShownTheOthersAreCounted) {
  CheckResults results = odd_results();
  results[0].responsible.assign(13, results[0].responsible.front());
  EXPECT_NE(results_junit(results, {"r.json", ""}).find("\n... and 3 more\n</failure>"), std::string::npos);
  EXPECT_TRUE(results_github(results, {"r.json", ""}).ends_with("%0A... and 3 more\n"));
}

TEST(ShowResults, MarkdownIsEscaped) {
  const std::string text = results_markdown(odd_results(), {"r.json", "old.json"});
  EXPECT_NE(text.find("`r.json` against `old.json`"), std::string::npos) << text;
  EXPECT_NE(text.find("\\<x\\> \\& \"y\" is saved |"), std::string::npos) << text;
  EXPECT_NE(text.find("`x\\|y`"), std::string::npos) << text;
}

CheckedBatch batch_of(const std::vector<CheckResults>& graphs) {
  CheckedBatch batch{"out", "main", {}, {}, no_totals(true)};
  for (const CheckResults& results : graphs) {
    const std::string name = "g" + std::to_string(batch.graphs.size());
    batch.graphs.push_back({name, name + ".json", false, results});
  }
  return batch;
}

TEST(ShowBatch, TheVerdictCountsGraphs) {
  EXPECT_EQ(verdict(batch_of({odd_results(), {CheckResult{}}})), "1 of 2 graphs failed a check");
  EXPECT_EQ(verdict(batch_of({{CheckResult{}}})), "all checks passed for 1 graph");
  EXPECT_TRUE(all_passed(batch_of({{CheckResult{}}})));
  EXPECT_FALSE(all_passed(batch_of({{CheckResult{}}, odd_results()})));
}

TEST(ShowBatch, AGraphThatIsGoneIsNoFailureAndSaidInEachFormat) {
  CheckedBatch batch = batch_of({{CheckResult{}}});
  batch.removed = {"<old>"};
  EXPECT_TRUE(all_passed(batch));
  EXPECT_NE(batch_text(batch).find("removed <old>: only in the baseline\n"), std::string::npos);
  const std::string suite = "name=\"fxcut check &lt;old&gt;\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"";
  EXPECT_NE(batch_junit(batch).find(suite), std::string::npos);
  EXPECT_NE(batch_github(batch).find("::notice title=fxcut check::removed since main: <old>\n"), std::string::npos);
  EXPECT_NE(batch_markdown(batch).find("- only in the baseline: \\<old\\>\n"), std::string::npos);
  EXPECT_NE(batch_json(batch).find("\"gone\": [\n  \"<old>\"\n ]"), std::string::npos);
}

TEST(ShowBatch, MarkdownCutsAVeryLongListShort) {
  EXPECT_EQ(batch_markdown(batch_of(std::vector<CheckResults>(9, odd_results()))).find("more graphs"), std::string::npos);
  const std::string text = batch_markdown(batch_of(std::vector<CheckResults>(900, odd_results())));
  EXPECT_NE(text.find(" more graphs.\n"), std::string::npos);
  EXPECT_LT(text.size(), 65'536U);
  EXPECT_GT(text.size(), 40'000U);
}

TEST(CheckReport, AGraphWithoutABaselineBreaksLimitsOfGrowthUnlessItIsAllowed) {
  const Report report = report_of({saved("mm", "aten.mm.default", 400)});
  Checks checks;
  checks.limits.emplace_back(&measures()[0], *parse_limit("2%", LimitUnit::Bytes));
  checks.limits.emplace_back(&measures()[0], *parse_limit("1kB", LimitUnit::Bytes));
  const CheckResults refused = check_report(report, nullptr, checks);
  EXPECT_FALSE(refused[0].passed);
  EXPECT_TRUE(refused[1].passed);
  checks.allow_new = true;
  const CheckResults allowed = check_report(report, nullptr, checks);
  EXPECT_TRUE(allowed[0].passed);
  EXPECT_EQ(allowed[0].text, "400 B of activations held; the graph is new: it has no baseline");
}

TEST(BatchTotals, SumUpWhatAddsUpAndTakeTheHighestPeak) {
  Report report = report_of({saved("mm", "aten.mm.default", 400)});
  report.memory.peak_bytes = 70;
  std::vector<BatchTotal> totals = no_totals(true);
  for (int i = 0; i < 3; ++i) add_graph(compared(report), totals);
  add_baseline(compared(report), totals);
  EXPECT_EQ(show_total(totals[0]), "1.2 kB of activations held (400 B before)");
  EXPECT_EQ(show_total(totals.back()), "70 B in use at the peak of one graph");
}

TEST(ShowResults, TheVerdictCounts) {
  EXPECT_EQ(verdict(odd_results()), "1 of 2 checks failed");
  EXPECT_EQ(verdict({CheckResult{}}), "the check passed");
  EXPECT_EQ(verdict({CheckResult{}, CheckResult{}}), "all 2 checks passed");
}

}  // namespace
}  // namespace fxcut
