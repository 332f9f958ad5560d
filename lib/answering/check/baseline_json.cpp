#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "check/baseline.h"
#include "check/baseline_row.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

// `open`, each item on lines of its own, `close`; the items are one level deeper than `depth`.
std::string block(std::string_view open, const Lines& items, std::string_view close, std::size_t depth) {
  if (items.empty()) return fmt::format("{}{}", open, close);
  const std::string inner = "\n" + std::string(depth + 1, ' '), outer = "\n" + std::string(depth, ' ');
  return fmt::format("{}{}{}{}{}", open, inner, fmt::join(items, "," + inner), outer, close);
}

std::string member(std::string_view key, std::string_view value) { return fmt::format("\"{}\": {}", key, value); }

constexpr std::size_t kDepthOfGraph = 2, kDepthOfList = kDepthOfGraph + 1;

class ValueList {
 public:
  ValueList(const std::vector<ComparedValue>& values, SourceTable& sources) {
    std::unordered_map<std::string, std::size_t> patterns;
    for (const ComparedValue& value : values) {
      const Json& row = json_.emplace_back(row_json(value, sources));
      const std::size_t pattern = patterns.try_emplace(pattern_of(value, row), patterns.size()).first->second;
      rows_.push_back({pattern, numbers_of(value)});
    }
  }

  std::string text() const {
    Lines lines;
    for (const Fold& part : fold(rows_)) {
      lines.push_back(part.times == 1 ? json_line(json_[part.first]) : folded(part));
    }
    return block("[", lines, "]", kDepthOfList);
  }

 private:
  std::string folded(const Fold& group) const {
    Lines lines;
    for (std::size_t i = 0; i < group.size; ++i) lines.push_back(stepping(group.first + i, group.size));
    return block(fmt::format("{{\"times\": {}, \"rows\": [", group.times), lines, "]}", kDepthOfList + 1);
  }

  std::string stepping(std::size_t row, std::size_t size) const {
    Json json = json_[row];
    std::vector<std::int64_t> steps = steps_of(rows_, row, size);
    while (!steps.empty() && steps.back() == 0) steps.pop_back();
    if (!steps.empty()) json.push_back(steps);
    return json_line(json);
  }

  std::vector<Json> json_;
  std::vector<NumberedRow> rows_;
};

std::string totals_text(const ComparedReport& report) {
  Lines lines;
  for (const FigureChange& figure : report.figures) {
    lines.push_back(member(figure.name, json_line(json_number(figure.after))));
  }
  return block("{", lines, "}", kDepthOfList);
}

std::string fingerprint_text(const GraphFingerprint& fingerprint) {
  return json_line({{"nodes", fingerprint.nodes},
                    {"calls", fingerprint.calls},
                    {"names", fingerprint.names},
                    {"values", fingerprint.values},
                    {"marks", fingerprint.marks}});
}

std::string sources_text(const SourceTable& sources) {
  Lines lines;
  for (const auto& [file, function] : sources.rows()) lines.push_back(json_line({file, function}));
  return block("[", lines, "]", kDepthOfList);
}

}  // namespace

std::string baseline_graph(std::string_view name, const ComparedReport& report) {
  SourceTable sources;
  const std::string saved = ValueList(report.saved, sources).text();
  const std::string recomputed = ValueList(report.recomputed, sources).text();
  const std::string at_peak = ValueList(report.at_peak, sources).text();
  Lines members = {member("name", json_line(name)), member("graph", json_line(report.graph))};
  if (report.fingerprint) members.push_back(member("fingerprint", fingerprint_text(*report.fingerprint)));
  members.push_back(member("totals", totals_text(report)));
  members.push_back(member("sources", sources_text(sources)));
  members.push_back(member("saved", saved));
  members.push_back(member("recomputed", recomputed));
  members.push_back(member("at_peak", at_peak));
  return block("{", members, "}", kDepthOfGraph);
}

std::string baseline_file(const std::vector<std::string>& graphs) {
  return block("{", {member("format", json_line(kBaselineFormat)), member("version", std::to_string(kBaselineVersion)),
                     member("graphs", block("[", graphs, "]", 1))},
               "}", 0) + "\n";
}

}  // namespace fxcut
