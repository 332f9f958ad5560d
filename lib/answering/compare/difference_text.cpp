#include <fmt/format.h>

#include <algorithm>

#include "compare/phrases.h"
#include "compare/show_difference.h"
#include "report/place.h"
#include "text/columns.h"
#include "text/printable.h"

namespace fxcut {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string show_sides(const Sides& sides) { return printable(fmt::format("{} -> {}", sides.before, sides.after)); }

std::string show_figures(const Difference& difference) {
  Rows rows = {{"", "BEFORE", "AFTER", "CHANGE", ""}};
  for (const FigureChange& figure : shown_figures(difference)) {
    rows.push_back({std::string(figure.title), show_figure(figure.before, figure.unit),
                    show_figure(figure.after, figure.unit), show_change(figure.change(), figure.unit),
                    show_share(figure)});
  }
  return show_columns(rows, "lrrrr");
}

std::string show_settings(const Difference& difference) {
  if (difference.settings.empty()) return "";
  Rows rows = {{"DECIDED BY", "BEFORE", "AFTER"}};
  for (const SettingChange& setting : difference.settings) {
    rows.push_back({setting.name, setting.before, setting.after});
  }
  return "\n" + show_columns(rows, "lll");
}

std::string show_values(std::string_view title, const std::vector<ValueChange>& changes) {
  if (changes.empty()) return "";
  Rows rows = {{std::string(title), "BYTES", "VALUE", "OPERATOR", "EXTENT", "WHERE", ""}};
  for (const ValueChange& change : changes) {
    rows.push_back({std::string(word_for(change.kind)), show_change(change.bytes, "B"), show_name(change),
                    change.value().op, show_extent(change), show_place(change.value().provenance),
                    std::string(note_of(change))});
  }
  return "\n" + show_columns(rows, "lrlllll");
}

// An operator in whose place another value of the same operator is recomputed counts nothing.
std::string show_recomputed(const Difference& difference) {
  Rows rows = {{"RECOMPUTED", "OPERATOR"}};
  for (const auto& [op, count] : count_by_operator(difference.recomputed)) {
    rows.push_back({fmt::format("{:+}", count), op});
  }
  return rows.size() > 1 ? "\n" + show_columns(rows, "rl") : "";
}

std::string show_all(const Difference& difference) {
  return show_figures(difference) + show_settings(difference) + show_values("SAVED", difference.saved) +
         show_recomputed(difference) + show_values("NODES", difference.nodes);
}

}  // namespace

bool BatchDifference::is_same() const {
  const auto differs = [](const GraphDifference& graph) { return !graph.difference.is_same(); };
  return came.empty() && went.empty() && std::none_of(graphs.begin(), graphs.end(), differs);
}

std::string summary_of(const BatchDifference& batch) {
  const auto differing = std::count_if(batch.graphs.begin(), batch.graphs.end(),
                                       [](const GraphDifference& graph) { return !graph.difference.is_same(); });
  const std::string_view graphs = batch.graphs.size() == 1 ? "graph" : "graphs";
  if (batch.is_same()) return fmt::format("the decisions of {} {} are the same", batch.graphs.size(), graphs);
  std::string text = fmt::format("{} of {} {} {}", differing, batch.graphs.size(), graphs,
                                 differing == 1 ? "differs" : "differ");
  if (!batch.came.empty()) text += fmt::format(", {} came", batch.came.size());
  if (!batch.went.empty()) text += fmt::format(", {} went", batch.went.size());
  return text;
}

std::string difference_text(const Difference& difference, const Sides& sides) {
  const std::string_view things = difference.what == "report" ? "the decisions" : "the graphs";
  return fmt::format("{}: {} {}\n\n", show_sides(sides), things, difference.is_same() ? "are the same" : "differ") +
         show_all(difference);
}

std::string difference_text(const BatchDifference& batch, const Sides& sides) {
  std::string text = fmt::format("{}: {}\n", show_sides(sides), summary_of(batch));
  if (!batch.came.empty() || !batch.went.empty()) text += "\n";
  for (const std::string& name : batch.came) text += fmt::format("came  {}\n", printable(name));
  for (const std::string& name : batch.went) text += fmt::format("went  {}\n", printable(name));
  for (const GraphDifference& graph : batch.graphs) {
    if (graph.difference.is_same()) continue;
    text += fmt::format("\n{}: the decisions differ\n\n{}", printable(graph.name), show_all(graph.difference));
  }
  return text;
}

}  // namespace fxcut
