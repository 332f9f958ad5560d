#include <fmt/format.h>

#include <algorithm>

#include "check/show_results.h"
#include "compare/folded_changes.h"
#include "compare/phrases.h"
#include "diagnostic/diagnostic.h"
#include "report/report.h"
#include "text/printable.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

// The responsible values, alike layers folded, a line each; the first ones, unless all rows or so many are asked for.
std::string show_all_responsible(const std::vector<ValueChange>& responsible, const std::string& indent) {
  std::string text;
  const std::vector<FoldedChange> rows = folded(responsible);
  const std::size_t unless_asked = text_style().folds ? kMaxResponsible : rows.size();
  const std::size_t most = std::min(rows.size(), text_style().limit.value_or(unless_asked));
  for (std::size_t i = 0; i < most; ++i) {
    std::string line = show_responsible(rows[i].change, rows[i].place);
    if (rows[i].values > 1) line += fmt::format(", x{}", rows[i].values);
    text += indent + printable(line) + "\n";
  }
  if (most < rows.size()) text += fmt::format("{}... and {} more\n", indent, rows.size() - most);
  return text;
}

// A line for each check, and one for each responsible value.
std::string show_checks(const CheckResults& results, std::string_view indent) {
  std::string text;
  for (const CheckResult& result : results) {
    text += fmt::format("{}{}  {}: {}\n", indent, result.passed ? "passed" : "FAILED", printable(result.check),
                        printable(result.text));
    if (!result.passed) text += show_all_responsible(result.responsible, fmt::format("{}          ", indent));
  }
  return text;
}

}  // namespace

std::size_t num_failed(const CheckResults& results) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.passed; }));
}

bool all_passed(const CheckResults& results) { return num_failed(results) == 0; }

std::string verdict(const CheckResults& results) {
  const std::size_t failed = num_failed(results);
  if (results.size() == 1) return failed == 0 ? "the check passed" : "the check failed";
  if (failed == 0) return fmt::format("all {} checks passed", results.size());
  return fmt::format("{} of {} checks failed", failed, results.size());
}

std::span<const ValueChange> first_responsible(const CheckResult& result) {
  return std::span(result.responsible).first(std::min(result.responsible.size(), kMaxResponsible));
}

std::string show_responsible(const ValueChange& change) {
  return show_responsible(change, show_place(change.value().provenance));
}

std::string show_responsible(const ValueChange& change, const std::string& place) {
  const ComparedValue& value = change.value();
  std::string text = fmt::format("{} {} ({})", show_amount(change), show_name(change), value.op);
  if (change.kind != ValueChange::Kind::Is) text = fmt::format("{} {}", name_of(change.kind), text);
  if (!place.empty()) text += fmt::format(" in {}", place);
  if (const std::string_view note = note_of(change); !note.empty()) text += fmt::format(", {}", note);
  return text;
}

std::vector<std::string> responsible_lines(const CheckResult& result) {
  std::vector<std::string> lines;
  for (const ValueChange& change : first_responsible(result)) lines.push_back(show_responsible(change));
  const std::size_t others = result.responsible.size() - lines.size();
  if (others > 0) lines.push_back(fmt::format("... and {} more", others));
  return lines;
}

std::string results_text(const CheckResults& results, const CheckedFiles& files) {
  std::string text = fmt::format("{}: {}", files.report, verdict(results));
  if (!files.baseline.empty()) text += fmt::format(", against {}", files.baseline);
  return printable(text) + "\n\n" + show_checks(results, "");
}

bool all_passed(const CheckedBatch& batch) {
  return std::all_of(batch.graphs.begin(), batch.graphs.end(),
                     [](const CheckedGraph& graph) { return all_passed(graph.results); });
}

std::string verdict(const CheckedBatch& batch) {
  const auto failed = std::count_if(batch.graphs.begin(), batch.graphs.end(),
                                    [](const CheckedGraph& graph) { return !all_passed(graph.results); });
  const std::size_t all = batch.graphs.size();
  const std::string_view graphs = all == 1 ? "graph" : "graphs";
  if (failed == 0) return fmt::format("all checks passed for {} {}", all, graphs);
  return fmt::format("{} of {} {} failed a check", failed, all, graphs);
}

std::string names_of_new(const CheckedBatch& batch) {
  std::vector<std::string> names;
  for (const CheckedGraph& graph : batch.graphs) {
    if (graph.is_new) names.push_back(graph.name);
  }
  return names.empty() ? "" : list_names(names);
}

std::string show_total(const BatchTotal& total) {
  const std::string_view unit = name_of(total.measure->unit);
  const std::string text = fmt::format("{} {}{}", show_figure(*total.value, unit), total.measure->meaning,
                                       total.measure->adds_up ? "" : " of one graph");
  if (!total.before || *total.before == total.value) return text;
  return fmt::format("{} ({} before)", text, show_figure(*total.before, unit));
}

std::string batch_text(const CheckedBatch& batch) {
  std::string text = fmt::format("{}: {}", batch.reports, verdict(batch));
  if (!batch.baseline.empty()) text += fmt::format(", against {}", batch.baseline);
  text = printable(text) + "\n\n";
  for (const CheckedGraph& graph : batch.graphs) {
    const bool passed = all_passed(graph.results);
    text += fmt::format("{}  {}: {}{}\n", passed ? "passed" : "FAILED", printable(graph.name), verdict(graph.results),
                        graph.is_new ? ", not in the baseline" : "");
    if (!passed) text += show_checks(graph.results, "        ");
  }
  for (const std::string& name : batch.removed) text += fmt::format("removed {}: only in the baseline\n", printable(name));
  text += "\nin all\n";
  for (const BatchTotal& total : batch.totals) text += fmt::format("  {}\n", show_total(total));
  return text;
}

}  // namespace fxcut
