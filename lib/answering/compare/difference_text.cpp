#include <fmt/format.h>

#include <algorithm>

#include "compare/show_difference.h"
#include "text/printable.h"

namespace fxcut {
namespace {

std::string show_sides(const Sides& sides) { return printable(fmt::format("{} -> {}", sides.before, sides.after)); }

std::string show_all(const Difference& difference) {
  std::string text;
  for (const Table& table : difference_tables(difference)) text += (text.empty() ? "" : "\n") + table_text(table);
  return text;
}

}  // namespace

bool BatchDifference::is_same() const {
  const auto differs = [](const GraphDifference& graph) { return !graph.difference.is_same(); };
  return added.empty() && removed.empty() && std::none_of(graphs.begin(), graphs.end(), differs);
}

std::string summary_of(const BatchDifference& batch) {
  const auto differing = std::count_if(batch.graphs.begin(), batch.graphs.end(),
                                       [](const GraphDifference& graph) { return !graph.difference.is_same(); });
  const std::string_view graphs = batch.graphs.size() == 1 ? "graph" : "graphs";
  if (batch.is_same()) return fmt::format("the decisions of {} {} are the same", batch.graphs.size(), graphs);
  std::string text = fmt::format("{} of {} {} {}", differing, batch.graphs.size(), graphs,
                                 differing == 1 ? "differs" : "differ");
  if (!batch.added.empty()) text += fmt::format(", {} came", batch.added.size());
  if (!batch.removed.empty()) text += fmt::format(", {} went", batch.removed.size());
  return text;
}

std::string difference_text(const Difference& difference, const Sides& sides) {
  const std::string_view things = difference.what == "report" ? "the decisions" : "the graphs";
  return fmt::format("{}: {} {}\n\n", show_sides(sides), things, difference.is_same() ? "are the same" : "differ") +
         show_all(difference);
}

std::string difference_text(const BatchDifference& batch, const Sides& sides) {
  std::string text = fmt::format("{}: {}\n", show_sides(sides), summary_of(batch));
  if (!batch.added.empty() || !batch.removed.empty()) text += "\n";
  for (const std::string& name : batch.added) text += fmt::format("came  {}\n", printable(name));
  for (const std::string& name : batch.removed) text += fmt::format("went  {}\n", printable(name));
  for (const GraphDifference& graph : batch.graphs) {
    if (graph.difference.is_same()) continue;
    text += fmt::format("\n{}: the decisions differ\n\n{}", printable(graph.name), show_all(graph.difference));
  }
  return text;
}

}  // namespace fxcut
