#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "baseline/baseline.h"
#include "baseline/baseline_row.h"
#include "read/members.h"
#include "read/report_rows.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// A file of few lines can stand for any number of values. The largest graphs have some hundred thousand.
constexpr std::size_t kMostValues = 1'000'000;

class BaselineReader {
 public:
  std::vector<BaselineGraph> read(const JsonValue& json) {
    const Members root(json, mistakes_);
    if (json.is(Type::Object) && is_baseline(root)) {
      if (const auto graphs = root.array("graphs")) {
        for (const JsonValue graph : *graphs) graphs_.push_back(read_graph(graph));
      }
    }
    mistakes_.raise();
    return std::move(graphs_);
  }

 private:
  bool is_baseline(const Members& root) {
    if (root.text_if_any("format") != kBaselineFormat) {
      root.add_mistake("format", fmt::format("expected \"format\": \"{}\"", kBaselineFormat),
                       "'fxcut check REPORT.json --write-baseline FILE' writes a baseline");
    } else if (root.integer("version") != kBaselineVersion) {
      root.add_mistake("version", fmt::format("expected \"version\": {}", kBaselineVersion),
                       "this program reads that version only");
    }
    return mistakes_.empty();
  }

  BaselineGraph read_graph(const JsonValue& json) {
    const Members members(json, mistakes_);
    BaselineGraph graph{members.text("name"), {}};
    if (!names_.insert(graph.name).second) members.add_mistake("name", fmt::format("a second graph '{}'", graph.name));
    graph.report.graph = members.text("graph");
    if (const auto print = members.find("fingerprint")) graph.report.fingerprint = read_fingerprint(*print, mistakes_);
    graph.report.figures = figures_of(Report());
    if (const auto totals = members.object("totals")) {
      const Members figures(*totals, mistakes_);
      for (FigureChange& figure : graph.report.figures) figure.after = figures.figure(figure.name);
    }
    read_sources(members);
    graph.report.saved = read_values(members, "saved", ValueState::Saved);
    graph.report.recomputed = read_values(members, "recomputed", ValueState::Recomputed);
    graph.report.at_peak = read_values(members, "at_peak", ValueState::Computed);
    return graph;
  }

  void read_sources(const Members& graph) {
    sources_.clear();
    const auto rows = graph.array("sources");
    if (!rows) return;
    for (const JsonValue row : *rows) {
      std::vector<std::string> texts;
      if (!expect(row, Type::Array, "", mistakes_)) continue;
      for (const JsonValue text : row) texts.emplace_back(read_string(text, "", mistakes_).value_or(""));
      if (texts.size() != 2) mistakes_.add(row, "expected a file and a function");
      texts.resize(2);
      sources_.emplace_back(texts[0], texts[1]);
    }
  }

  std::vector<ComparedValue> read_values(const Members& graph, std::string_view key, ValueState fate) {
    std::vector<ComparedValue> values;
    const auto rows = graph.array(key);
    if (!rows) return values;
    for (const JsonValue row : *rows) {
      if (row.is(Type::Object)) {
        read_fold(row, values);
      } else {
        read_single(row, values);
      }
    }
    for (ComparedValue& value : values) {
      if (value.fate != ValueState::Offloaded) value.fate = fate;
    }
    return values;
  }

  void read_single(const JsonValue& json, std::vector<ComparedValue>& values) {
    BaselineRow row = read_row(json, sources_, mistakes_);
    if (!row.steps.empty()) mistakes_.add(json, "has steps, and nothing that is stepped");
    add(values, std::move(row.value));
  }

  void read_fold(const JsonValue& json, std::vector<ComparedValue>& values) {
    const Members fold(json, mistakes_);
    const auto rows = fold.array("rows");
    const std::size_t times = fold.size("times");
    std::vector<BaselineRow> group;
    if (times == 0) fold.add_mistake("times", "expected 1 or more");
    if (!rows) return;
    for (const JsonValue row : *rows) group.push_back(read_row(row, sources_, mistakes_));
    if (!mistakes_.empty()) return;
    if (times > kMostValues || values_read_ + group.size() * times > kMostValues) return refuse_as_too_many(json);
    for (std::size_t time = 0; time < times && mistakes_.empty(); ++time) {
      for (const BaselineRow& row : group) add_later(json, row, time, values);
    }
  }

  void add_later(const JsonValue& fold, const BaselineRow& row, std::size_t time, std::vector<ComparedValue>& values) {
    std::optional<ComparedValue> value = later(row, time);
    if (value) return add(values, std::move(*value));
    mistakes_.add(fold, fmt::format("'{}' has no number that could be stepped {} times so", row.value.name, time));
  }

  void add(std::vector<ComparedValue>& values, ComparedValue value) {
    values.push_back(std::move(value));
    ++values_read_;
  }

  void refuse_as_too_many(const JsonValue& at) {
    mistakes_.add(at, fmt::format("stands for more than {} values", kMostValues), "is the baseline damaged?");
  }

  Mistakes mistakes_;
  std::vector<BaselineGraph> graphs_;
  std::set<std::string> names_;
  std::vector<std::pair<std::string, std::string>> sources_;
  std::size_t values_read_ = 0;
};

}  // namespace

std::vector<BaselineGraph> read_baseline(const Document& document) { return BaselineReader().read(document.root()); }

}  // namespace fxcut
