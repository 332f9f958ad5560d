// A baseline keeps everything of a report that a comparison looks at.
#include "check/baseline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

// All of a value, on a line.
std::string line_of(const ComparedValue& v) {
  const Provenance& p = v.provenance;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", v.name, v.op, v.extent, v.size_bytes,
                     static_cast<double>(v.flops), p.module, p.source_file, p.source_line, p.source_function,
                     p.checkpoint_name, v.static_lifetime, static_cast<int>(v.state), v.form, v.form_bytes);
}

std::vector<std::string> lines_of(const ComparedReport& report) {
  std::vector<std::string> lines = {report.graph};
  for (const auto* values : {&report.saved, &report.recomputed, &report.at_peak}) {
    for (const ComparedValue& value : *values) lines.push_back(line_of(value));
    lines.push_back("");
  }
  for (const FigureChange& figure : report.figures) lines.push_back(fmt::format("{}", static_cast<double>(figure.after)));
  return lines;
}

std::vector<BaselineGraph> read(const std::string& text) { return read_baseline(*Document::parse(text, "b.json")); }

std::string file_of(const ComparedReport& report) { return baseline_file({baseline_graph("g", report)}); }

void expect_same_again(const ComparedReport& report) {
  const std::vector<BaselineGraph> graphs = read(file_of(report));
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(graphs[0].name, "g");
  EXPECT_EQ(graphs[0].report.fingerprint, report.fingerprint);
  EXPECT_EQ(lines_of(graphs[0].report), lines_of(report));
}

ComparedValue value(std::string name, std::string module, ValueState state = ValueState::Saved) {
  ComparedValue value;
  value.name = std::move(name);
  value.op = "aten.mm.default";
  value.extent = "float32[64, s0]";
  value.size_bytes = 256;
  value.provenance.module = std::move(module);
  value.state = state;
  return value;
}

ComparedReport empty_report() {
  ComparedReport report;
  report.figures = figures_of(Report());
  return report;
}

ComparedReport layers(std::size_t count) {
  ComparedReport report = empty_report();
  for (std::size_t i = 0; i < count; ++i) {
    report.saved.push_back(value(fmt::format("mm_{}", 7 * i), fmt::format("layers.{}.w1", i)));
    report.saved.push_back(value(fmt::format("view_{}", 3 * i), fmt::format("layers.{}", i)));
    report.saved.back().provenance.source_file = "model.py";
    report.saved.back().provenance.source_line = 12;
  }
  return report;
}

TEST(Baseline, ComparesEqualToTheReportItIsOf) {
  constexpr std::string_view kGraph = R"(
    primals_1 = placeholder : f32[64, 64] static
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_1, primals_1) : f32[64, 64]
    sin = aten.sin.default(mm) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, sin) : f32[64, 64]
    return sin | mul)";
  expect_same_again(compared(partition(joint_graph(kGraph), {}).report));
}

TEST(Baseline, LacksRunTimesIfAnEarlierReleaseWroteIt) {
  ComparedReport report = empty_report();  // of a report without them
  expect_same_again(report);
  const std::vector<BaselineGraph> graphs = read(file_of(report));
  for (const FigureChange& figure : graphs[0].report.figures) EXPECT_NE(figure.unit, "ps") << figure.name;
}

TEST(Baseline, KeepsAllOfOddValues) {
  ComparedReport report = empty_report();
  report.graph = "a \"graph\"";
  report.fingerprint = GraphFingerprint{3, "a", "b", "c", "d"};
  report.figures[0].after = Int128{1} << 70;
  report.saved = {value("", ""), value("x\x1f\n\xc3\xa9", "007.1"), value("mm", "m", ValueState::Offloaded)};
  report.saved[0].static_lifetime = report.saved[2].static_lifetime = true;
  report.saved[1].provenance.source_function = "f";
  report.saved[1].provenance.checkpoint_name = "q7";
  report.saved[1].form = "float8_e5m2 with scales";
  report.saved[1].form_bytes = 77;
  report.recomputed = {value("mm_1", "", ValueState::Recomputed)};
  report.recomputed[0].flops = Int128{1} << 80;
  report.at_peak = {value("mm (forward)", "", ValueState::Computed)};
  expect_same_again(report);
}

TEST(Baseline, AlikeLayersTakeTheLinesOfOne) {
  expect_same_again(layers(40));
  EXPECT_LT(file_of(layers(40)).size(), file_of(layers(3)).size() + 10);
  EXPECT_NE(file_of(layers(40)).find("{\"times\": 40, \"rows\": ["), std::string::npos);
}

TEST(Baseline, LayersThatAreNotQuiteAlikeStayApart) {
  ComparedReport report = layers(12);
  report.saved[10].size_bytes = 8;
  report.saved[15].provenance.source_line = 13;
  std::swap(report.saved[20], report.saved[21]);
  report.saved.insert(report.saved.begin() + 5, value("mm_999", "layers.2"));
  expect_same_again(report);
}

std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const Failure& failure) {
    return without_excerpts(failure);
  }
  return "";
}

// The file of a graph that saves those rows.
std::string saving(const std::string& rows) {
  std::string text = file_of(empty_report());
  const std::string key = "\"saved\": [";
  return text.insert(text.find(key) + key.size(), rows);
}

TEST(Baseline, DamageIsRefusedWithItsPlace) {
  EXPECT_NE(refusal_of("{}").find("b.json:1:1: top level: error: expected \"format\": \"fxcut-baseline\""), std::string::npos)
      << refusal_of("{}");
  EXPECT_EQ(refusal_of(saving("[\"mm\", \"aten.mm.default\"]")), "");
  const std::vector<std::pair<std::string, std::string>> damages = {
      {"7", "expected an array, found an integer"},
      {"[\"mm\"]", "expected a name and an operator"},
      {"[\"mm\", 7]", "expected a string, found an integer"},
      {"[\"mm\", \"op\", \"\", 0]", "expected a position in 'sources', which has 0 entries"},
      {"[\"mm\", \"op\", \"\", -1]", "expected 0 or more, found -1"},
      {"[\"mm\", \"op\", \"\", null, 0, -1]", "expected 0 or more, found -1"},
      {"[\"mm\", \"op\", \"\", null, 0, 1, -1]", "expected a number of 0 or more"},
      {"[\"mm\", \"op\", \"\", null, 0, 1, 1, \"\", \"\", \"gone\"]", "expected static, host or 'static host'"},
      {"[\"mm\", \"op\", \"\", null, 0, 1, 1, \"\", \"\", \"\", \"\", 0, \"\"]", "expected at most 12 columns"},
      {"[\"mm\", \"op\", [1]]", "has steps, but no number to step"},
      {"{\"times\": 3, \"rows\": [[\"mm\", \"op\", [1]]]}", "'mm' has no number to step 0 times by this"},
      {"{\"times\": 3, \"rows\": [[\"mm_1\", \"op\", [-1]]]}", "'mm_1' has no number to step 2 times by this"},
      {"{\"times\": 0, \"rows\": []}", "expected 1 or more"},
      {"{\"times\": 9000000000, \"rows\": []}", "expected at least one row"},
      {"{\"times\": 9000000000, \"rows\": [[\"mm_1\", \"op\", [1]]]}", "represents values of more than 5"},
      {"{\"rows\": []}", "missing 'times'"},
  };
  for (const auto& [row, message] : damages) {
    const std::string found = refusal_of(saving(row));
    EXPECT_NE(found.find(message), std::string::npos) << row << "\n" << found;
    EXPECT_NE(found.find("/graphs/0/saved/0"), std::string::npos) << found;
  }
}

// Whether it is the name that is long or the source that each value names.
TEST(Baseline, RepeatedTextsAreRefusedBeforeTheyTakeTheMemory) {
  const std::string long_text(100'000, 'n');
  const std::string fold = "{{\"times\": 900000, \"rows\": [[\"{}_1\", \"op\", \"\", {}, [1]]]}}";
  const std::string named = saving(fmt::format(fmt::runtime(fold), long_text, "null"));
  EXPECT_NE(refusal_of(named).find("represents values of more than 6"), std::string::npos);
  std::string sourced = saving(fmt::format(fmt::runtime(fold), "mm", 0));
  const std::string key = "\"sources\": [";
  sourced.insert(sourced.find(key) + key.size(), fmt::format("[\"{}\", \"f\"]", long_text));
  EXPECT_NE(refusal_of(sourced).find("represents values of more than 6"), std::string::npos);
}

TEST(Baseline, ASourceIsKeptWhereNothingElseIsKnown) {
  ComparedReport report = empty_report();
  report.saved = {value("mm", "m")};
  report.saved[0].extent = "";
  report.saved[0].size_bytes = 0;
  report.saved[0].provenance.source_file = "model.py";
  expect_same_again(report);
}

TEST(Baseline, WithoutGraphsIsRefused) {
  EXPECT_NE(refusal_of(baseline_file({})).find("b.json:4:12: /graphs: error: expected at least one graph"), std::string::npos)
      << refusal_of(baseline_file({}));
}

TEST(Baseline, SecondGraphOfTheSameNameIsRefused) {
  const std::string graph = baseline_graph("g", empty_report());
  EXPECT_NE(refusal_of(baseline_file({graph, graph})).find("duplicate graph 'g'"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
