// Reports held against demands.
#include "check/check_report.h"

#include <gtest/gtest.h>

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

CheckResult limited(const Report& report, const Report* baseline, std::string_view limit) {
  Demands demands;
  demands.limits.emplace_back(&measures()[0], *parse_limit(limit, LimitUnit::Bytes));
  const ComparedReport before = baseline ? compared(*baseline) : ComparedReport{};
  return check_report(report, baseline ? &before : nullptr, demands).front();
}

std::vector<ValuePattern> patterns(std::string_view text) { return {*ValuePattern::parse(text)}; }

TEST(CheckReport, AnAbsoluteLimitNeedsNoBaseline) {
  const Report report = report_of({saved("mm", "aten.mm.default", 400), saved("sin", "aten.sin.default", 800)});
  EXPECT_TRUE(limited(report, nullptr, "1200").holds);
  const CheckResult broken = limited(report, nullptr, "1199");
  EXPECT_FALSE(broken.holds);
  EXPECT_EQ(broken.demand, "--max-saved-bytes 1199");
  EXPECT_EQ(broken.text, "1.2 kB saved beyond what lives anyway; the limit is 1.2 kB");
  ASSERT_EQ(broken.responsible.size(), 2U);  // the largest first
  EXPECT_EQ(show_responsible(broken.responsible[0]), "800 B sin (aten.sin.default)");
}

TEST(CheckReport, GrowthNamesWhatCameSinceTheBaseline) {
  const Report before = report_of({saved("sin", "aten.sin.default", 800)});
  const Report after = report_of({saved("mm", "aten.mm.default", 400), saved("sin", "aten.sin.default", 800)});
  EXPECT_TRUE(limited(after, &before, "50%").holds);
  const CheckResult broken = limited(after, &before, "49%");
  EXPECT_FALSE(broken.holds);
  EXPECT_EQ(broken.text, "1.2 kB saved beyond what lives anyway; the limit is 1.2 kB, 49% above the baseline's 800 B");
  ASSERT_EQ(broken.responsible.size(), 1U);
  EXPECT_EQ(show_responsible(broken.responsible[0]), "came +400 B mm (aten.mm.default)");
  EXPECT_TRUE(limited(after, &before, "+400").holds);
  EXPECT_FALSE(limited(after, &before, "+399").holds);
}

TEST(CheckReport, NoSuchValueMayBeSaved) {
  Demands demands;
  demands.forbid_save = patterns("aten.mm*");
  const Report bad = report_of({saved("mm", "aten.mm.default", 400), saved("mm_1", "aten.mm.default", 400)});
  const CheckResult broken = check_report(bad, nullptr, demands).front();
  EXPECT_FALSE(broken.holds);
  EXPECT_EQ(broken.text, "mm, mm_1 are saved");
  EXPECT_TRUE(check_report(report_of({saved("sin", "aten.sin.default", 4)}), nullptr, demands).front().holds);
}

TEST(CheckReport, NoSuchValueMayBeRecomputed) {
  Demands demands;
  demands.forbid_recompute = patterns("sin");
  Report report;
  EXPECT_TRUE(check_report(report, nullptr, demands).front().holds);
  report.recomputed_values.push_back({"sin", "aten.sin.default", 7, 16, {}, {}});
  const CheckResult broken = check_report(report, nullptr, demands).front();
  EXPECT_EQ(broken.text, "sin is recomputed");
  EXPECT_FALSE(broken.holds);
}

TEST(CheckReport, ARequiredNameHasToBeSavedWhereverItStands) {
  Demands demands;
  demands.require_save = patterns("q");
  Report report = report_of({saved("mm", "aten.mm.default", 400)});
  EXPECT_EQ(check_report(report, nullptr, demands).front().text,
            "no value that is saved or recomputed has that name or operator");
  NameUse use;
  use.name = "q";
  use.node = "mm";
  use.decision = NameUse::Decision::Saved;
  use.forward_output = 1;
  report.names = {use};
  EXPECT_TRUE(check_report(report, nullptr, demands).front().holds);
  use.node = "mm_1";
  use.decision = NameUse::Decision::Recomputed;
  use.forward_output.reset();
  report.names.push_back(use);
  const CheckResult broken = check_report(report, nullptr, demands).front();
  EXPECT_FALSE(broken.holds);
  EXPECT_EQ(broken.text, "mm_1 is recomputed");
}

TEST(CheckReport, ARequiredOperatorMayNotBeRecomputedAnywhere) {
  Demands demands;
  demands.require_save = patterns("aten.mm*");
  Report report = report_of({saved("mm", "aten.mm.default", 400)});
  EXPECT_TRUE(check_report(report, nullptr, demands).front().holds);
  report.recomputed_values.push_back({"mm_1", "aten.mm.default", 7, 16, {}, {}});
  EXPECT_EQ(check_report(report, nullptr, demands).front().text, "mm_1 is recomputed");
}

CheckResults odd_results() {
  CheckResult broken;
  broken.demand = "--forbid-save 50%:a,b";
  broken.holds = false;
  broken.text = "<x> & \"y\"\nis saved";
  ValueChange change;
  change.after = ComparedValue{};
  change.after->name = "x|y";
  change.after->op = "aten.mm.default";
  change.after->provenance.source_file = "a,b:c.py";
  change.after->provenance.source_line = 7;
  change.bytes = 16;
  broken.responsible = {change};
  CheckResult holds;
  holds.demand = "--max-saved-bytes 2%";
  return {broken, holds};
}

TEST(ShowResults, GitHubCommandsAreEscaped) {
  EXPECT_EQ(results_github(odd_results(), {"r.json", ""}),
            "::error file=a%2Cb%3Ac.py,line=7,title=fxcut check --forbid-save 50%25%3Aa%2Cb::"
            "r.json: <x> & \"y\"%0Ais saved%0Acame +16 B x|y (aten.mm.default) in a,b:c.py:7\n");
}

TEST(ShowResults, JUnitIsEscaped) {
  const std::string xml = results_junit(odd_results(), {"r.json", ""});
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"&lt;x&gt; &amp; &quot;y&quot;\nis saved\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"--max-saved-bytes 2%\"/>"), std::string::npos) << xml;
}

TEST(ShowResults, MarkdownIsEscaped) {
  const std::string text = results_markdown(odd_results(), {"r.json", "old.json"});
  EXPECT_NE(text.find("`r.json` against `old.json`"), std::string::npos) << text;
  EXPECT_NE(text.find("\\<x\\> \\& \"y\" is saved |"), std::string::npos) << text;
  EXPECT_NE(text.find("`x\\|y`"), std::string::npos) << text;
}

TEST(ShowResults, TheVerdictCounts) {
  EXPECT_EQ(verdict(odd_results()), "1 of 2 demands is broken");
  EXPECT_EQ(verdict({CheckResult{}}), "the demand holds");
  EXPECT_EQ(verdict({CheckResult{}, CheckResult{}}), "all 2 demands hold");
}

}  // namespace
}  // namespace fxcut
