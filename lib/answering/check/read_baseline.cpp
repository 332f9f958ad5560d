#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "check/baseline.h"
#include "check/baseline_row.h"
#include "json/fields.h"
#include "report/read_report.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// A file of few lines can represent any number of values: folds repeat rows, and rows refer to long sources. The values of a
// file may need this much memory, in bytes, and additionally this multiple of its size. The first is enough for a million
// values, and the largest graphs have some hundred thousand. The second is for batches of any number of graphs: the values
// of llama3_8b, with 32 layers, need about 70 times the size of its baseline, and the deepest models have some hundred layers.
constexpr std::size_t kAlwaysAllowed = std::size_t{1} << 29;
constexpr std::size_t kMaxUnfoldRatio = 1000;
// The memory of a value without its texts, in bytes: about 350, rounded up. Not a sizeof, so that all machines read the same.
constexpr std::size_t kBytesOfAValue = 512;

std::size_t bytes_of(const ComparedValue& value) {
  const Provenance& from = value.provenance;
  std::size_t bytes = kBytesOfAValue;
  for (const std::string* text : {&value.name, &value.op, &value.extent, &from.module, &from.source_file,
                                  &from.source_function, &from.checkpoint_name}) {
    bytes += text->size();
  }
  return bytes;
}

class BaselineReader {
 public:
  explicit BaselineReader(const Document& document)
      : most_bytes_(kAlwaysAllowed + kMaxUnfoldRatio * document.size_bytes()) {}

  std::vector<BaselineGraph> read(const JsonValue& json) {
    const Members root(json, mistakes_);
    if (json.is(Type::Object) && is_baseline(root)) {
      if (const auto graphs = root.array("graphs")) {
        if (graphs->empty()) refuse_without_graphs(root);
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
                       "this fxcut reads only that version");
    }
    return mistakes_.empty();
  }

  // With such a baseline every check of growth would pass.
  static void refuse_without_graphs(const Members& root) {
    root.add_mistake("graphs", "expected at least one graph",
                     "'fxcut check REPORT.json --write-baseline FILE' writes one of each report");
  }

  BaselineGraph read_graph(const JsonValue& json) {
    const Members members(json, mistakes_);
    BaselineGraph graph{members.text("name"), {}};
    if (!names_.insert(graph.name).second) members.add_mistake("name", fmt::format("duplicate graph '{}'", graph.name));
    graph.report.graph = members.text("graph");
    if (const auto print = members.find("fingerprint")) graph.report.fingerprint = read_fingerprint(*print, mistakes_);
    if (const auto totals = members.object("totals")) graph.report.figures = read_figures(Members(*totals, mistakes_));
    read_sources(members);
    graph.report.saved = read_values(members, "saved", ValueState::Saved);
    graph.report.recomputed = read_values(members, "recomputed", ValueState::Recomputed);
    graph.report.at_peak = read_values(members, "at_peak", ValueState::Computed);
    return graph;
  }

  static std::vector<FigureChange> read_figures(const Members& totals) {
    Report nothing;
    nothing.run_time = RunTimeReport{};
    if (totals.find(kPeakOfCode)) nothing.memory.compiled = PredictedMemoryReport{};
    std::vector<FigureChange> figures = figures_of(nothing);
    const auto is_older = [&](const FigureChange& figure) { return figure.unit == "ps" && !totals.find(figure.name); };
    std::erase_if(figures, is_older);
    for (FigureChange& figure : figures) {
      const bool is_newer_kind = figure.name.starts_with("compressed");  // older programs compressed nothing
      if (!is_newer_kind || totals.find(figure.name)) figure.after = totals.figure(figure.name);
    }
    return figures;
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

  std::vector<ComparedValue> read_values(const Members& graph, std::string_view key, ValueState state) {
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
      if (value.state != ValueState::Offloaded) value.state = state;
    }
    return values;
  }

  void read_single(const JsonValue& json, std::vector<ComparedValue>& values) {
    BaselineRow row = read_counted(json);
    if (!row.steps.empty()) mistakes_.add(json, "has steps, but no number to step");
    values.push_back(std::move(row.value));
  }

  BaselineRow read_counted(const JsonValue& json) {
    BaselineRow row = read_row(json, sources_, mistakes_);
    count(json, row.value);
    return row;
  }

  void read_fold(const JsonValue& json, std::vector<ComparedValue>& values) {
    const Members fold(json, mistakes_);
    const auto rows = fold.array("rows");
    const std::size_t times = fold.size("times");
    std::vector<BaselineRow> group;
    if (times == 0) fold.add_mistake("times", "expected 1 or more");
    if (!rows) return;
    if (rows->empty()) fold.add_mistake("rows", "expected at least one row");
    const std::size_t before = bytes_;
    for (const JsonValue row : *rows) group.push_back(read_counted(row));
    expect_room(json, bytes_ - before, times);
    for (std::size_t time = 0; time < times && mistakes_.empty(); ++time) {
      for (const BaselineRow& row : group) add_later(json, row, time, values);
    }
  }

  void add_later(const JsonValue& fold, const BaselineRow& row, std::size_t time, std::vector<ComparedValue>& values) {
    std::optional<ComparedValue> value = later(row, time);
    if (!value) {
      mistakes_.add(fold, fmt::format("'{}' has no number to step {} times by this", row.value.name, time));
      return;
    }
    count(fold, *value);
    values.push_back(std::move(*value));
  }

  void count(const JsonValue& at, const ComparedValue& value) {
    const std::size_t bytes = bytes_of(value);
    expect_room(at, bytes, 1);
    bytes_ += bytes;
  }

  // Throws if the limit is exceeded: reading the rest would only take time.
  void expect_room(const JsonValue& at, std::size_t bytes, std::size_t times) {
    if (bytes == 0 || times <= (most_bytes_ - bytes_) / bytes) return;
    mistakes_.add(at, fmt::format("represents values of more than {} bytes", most_bytes_), "is the baseline damaged?");
    mistakes_.raise();
  }

  Mistakes mistakes_;
  std::vector<BaselineGraph> graphs_;
  std::set<std::string> names_;
  std::vector<std::pair<std::string, std::string>> sources_;
  std::size_t bytes_ = 0;  // of the values so far
  const std::size_t most_bytes_;
};

}  // namespace

std::vector<BaselineGraph> read_baseline(const Document& document) {
  return BaselineReader(document).read(document.root());
}

}  // namespace fxcut
