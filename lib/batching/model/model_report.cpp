#include "model/model_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compare/phrases.h"
#include "json/fields.h"
#include "json/json_forms.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kModelVersion = 1;

ModelGraph read_graph_line(const std::string& line, const std::string& file) {
  const auto document = Document::parse(line, file);
  Mistakes mistakes;
  const Members members(document->root(), mistakes);
  ModelGraph graph;
  graph.name = members.text("name");
  graph.is_done = members.text("status") == "done";
  if (graph.is_done) {
    if (const auto object = members.object("totals")) {
      const Members totals(*object, mistakes);
      graph.saved_bytes = totals.figure(totals.find("held_bytes") ? "held_bytes" : "saved_bytes_not_static");
      graph.recomputed_flops = totals.figure("recomputed_flops");
      graph.recomputed_picoseconds = totals.figure("recomputed_picoseconds");
      graph.step_picoseconds = totals.figure("step_picoseconds");
      graph.peak_bytes = totals.figure("peak_bytes");
      graph.idle_bytes = totals.figure("idle_bytes");
    }
  }
  mistakes.raise();
  return graph;
}

Json graph_json(const ModelGraph& graph) {
  Json json = {{"name", graph.name}, {"status", graph.is_done ? "done" : "failed"}};
  if (graph.limit_bytes) json["limit_bytes"] = *graph.limit_bytes;
  if (!graph.is_done) return json;
  json["saved_bytes_not_static"] = json_number(graph.saved_bytes);
  json["recomputed_flops"] = json_number(graph.recomputed_flops);
  json["recomputed_picoseconds"] = json_number(graph.recomputed_picoseconds);
  json["step_picoseconds"] = json_number(graph.step_picoseconds);
  json["peak_bytes"] = json_number(graph.peak_bytes);
  return json;
}

std::string bytes_text(Int128 bytes) { return show_figure(bytes, "B"); }

// "2.1 %" of the step.
std::string share_text(Int128 part, Int128 step) {
  return step > 0 ? fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(step)) : "";
}

// The recomputation of a graph, or of all of them: the cells of three columns.
template <typename Figures>
std::vector<std::string> recomputed_cells(const Figures& of) {
  return {show_figure(of.recomputed_flops, "FLOP"), show_figure(of.recomputed_picoseconds, "ps"),
          share_text(of.recomputed_picoseconds, of.step_picoseconds)};
}

}  // namespace

ModelReport add_up_model(const std::vector<std::string>& lines, const std::string& file,
                         const std::vector<std::optional<std::int64_t>>& shares,
                         std::optional<std::int64_t> limit_bytes) {
  ModelReport report;
  report.limit_bytes = limit_bytes;
  for (const std::string& line : lines) {
    ModelGraph graph = read_graph_line(line, file);
    if (!shares.empty()) graph.limit_bytes = shares[report.graphs.size()];
    report.saved_bytes = sum_at_most(report.saved_bytes, graph.saved_bytes);
    report.recomputed_flops = sum_at_most(report.recomputed_flops, graph.recomputed_flops);
    report.recomputed_picoseconds = sum_at_most(report.recomputed_picoseconds, graph.recomputed_picoseconds);
    report.step_picoseconds = sum_at_most(report.step_picoseconds, graph.step_picoseconds);
    report.graphs.push_back(std::move(graph));
  }
  Int128 idle_bytes = 0;
  for (const ModelGraph& graph : report.graphs) idle_bytes = sum_at_most(idle_bytes, graph.idle_bytes);
  for (const ModelGraph& graph : report.graphs) {
    const Int128 others = idle_bytes - graph.idle_bytes;
    report.most_peak_bytes = std::max(report.most_peak_bytes, sum_at_most(graph.peak_bytes, others));
  }
  return report;
}

std::string model_json(const ModelReport& report, std::string_view version) {
  Json json = {{"format", "fxcut-model"}, {"version", kModelVersion}, {"program", version}};
  if (report.limit_bytes) json["limit_bytes"] = *report.limit_bytes;
  json["totals"] = {{"saved_bytes_not_static", json_number(report.saved_bytes)},
                    {"recomputed_flops", json_number(report.recomputed_flops)},
                    {"recomputed_picoseconds", json_number(report.recomputed_picoseconds)},
                    {"step_picoseconds", json_number(report.step_picoseconds)},
                    {"most_peak_bytes", json_number(report.most_peak_bytes)}};
  json["graphs"] = json_list(report.graphs, graph_json);
  return json_file(json);
}

std::string model_table(const ModelReport& report) {
  const bool has_limit = report.limit_bytes.has_value();
  std::vector<std::vector<std::string>> rows = {{"GRAPH", "SAVED", "LIMIT", "RECOMPUTED", "TIME", "OF STEP", "PEAK"}};
  const auto add_row = [&](std::string name, std::string saved, std::string limit, std::vector<std::string> recomputed,
                           std::string peak) {
    rows.push_back({std::move(name), std::move(saved), std::move(limit)});
    rows.back().insert(rows.back().end(), recomputed.begin(), recomputed.end());
    rows.back().push_back(std::move(peak));
  };
  for (const ModelGraph& graph : report.graphs) {
    const std::string limit = graph.limit_bytes ? show_bytes(*graph.limit_bytes) : "";
    if (graph.is_done) {
      add_row(graph.name, bytes_text(graph.saved_bytes), limit, recomputed_cells(graph), bytes_text(graph.peak_bytes));
    } else {
      add_row(graph.name, "failed", limit, {"", "", ""}, "");
    }
  }
  const std::string more = cut_rows(rows);
  add_row("all", bytes_text(report.saved_bytes), has_limit ? show_bytes(*report.limit_bytes) : "", recomputed_cells(report),
          "at most " + bytes_text(report.most_peak_bytes));
  if (!has_limit) {
    for (auto& row : rows) row.erase(row.begin() + 2);
  }
  return show_columns(rows, has_limit ? "lrrrrrr" : "lrrrrr") + more;
}

}  // namespace fxcut
