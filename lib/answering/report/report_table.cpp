#include "report/report_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/estimators.h"
#include "graph/show_shape.h"
#include "report/describe_totals.h"
#include "report/place.h"
#include "solve/budget_solvers.h"
#include "text/columns.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

std::string show_why(const SavedValue& saved) {
  std::string why = saved.why.text;
  if (saved.static_lifetime) why += "; lives anyway";
  if (!saved.host_name.empty()) why += "; offloaded to the host";
  return why;
}

// How good the frontier solver's answer is.
std::string show_frontier(const FrontierFacts& facts) {
  std::string text = fmt::format("limit       {:>9}  of which {} are saved\n", show_bytes(facts.limit_bytes),
                                 show_bytes(facts.saved_bytes));
  if (facts.is_proven) return text + "                       the least recomputing within it, proven\n";
  return text + fmt::format("                       at most {:.2g} % above the least recomputing within it\n",
                            100 * gap(facts.run_cost, facts.bound));
}

// What recomputing costs the frontier solver, where that is not its operations.
std::string show_cost_estimate(const FrontierFacts& facts, const Settings& settings) {
  const Estimator& estimator = estimator_of(settings);
  if (&estimator == &estimators().front()) return "";
  const double cost = static_cast<double>(facts.run_cost) / estimator.per_shown_unit;
  return fmt::format("  which take {:>8}  by {}\n", show_cost(cost, estimator.shown_unit), estimator.name);
}

// "  of these    15.0 GB  are parameters and buffers, which live anyway".
std::string show_line(const TotalLine& line) {
  return fmt::format("{:<10}  {:>9}  {}\n", (line.is_part ? "  " : "") + line.label, line.figure,
                     printable(line.meaning));
}

std::string show_totals(const Report& report) {
  const Totals& totals = report.totals;
  std::string text = printable(headline(report)) + "\n\n";
  for (const TotalLine& line : saved_lines(report)) text += show_line(line);
  std::vector<std::pair<std::string, std::size_t>> kinds(totals.recomputed_by_operator.begin(),
                                                         totals.recomputed_by_operator.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, count] : kinds) text += fmt::format("            {:>9}  {}\n", count, printable(op));
  if (report.frontier) {
    text += show_cost_estimate(*report.frontier, report.settings) + show_frontier(*report.frontier);
  }
  for (const SolvedCut& cut : report.cuts) {
    text += fmt::format("cut         {:>9}  {} vertices, {} edges\n", show_scaled(static_cast<double>(cut.value), ""),
                        cut.vertices, cut.edges);
  }
  if (report.knapsack) {
    text += fmt::format("budget      {:>9}  {} of {} kept by {}, run times by {}\n", report.memory_budget,
                        report.knapsack->saved, show_count(report.knapsack->candidates, "costly value"),
                        budget_solver_of(report.settings).name, estimator_of(report.settings).name);
  }
  return text;
}

std::string show_memory(const Report& report) {
  std::string text;
  for (const TotalLine& line : memory_lines(report)) text += show_line(line);
  return text;
}

// What became of each named value.
std::string show_names(const Report& report) {
  std::string text = report.names.empty() ? "" : "\nNAMED VALUES\n";
  for (const NameUse& use : report.names) {
    std::string line = fmt::format("{} ({}): {}", use.name, use.node, decision_word(use.decision));
    if (use.forward_output) {
      line += fmt::format(" as {}, output {} of the forward, input {} of the backward ({})", use.saved_as,
                          *use.forward_output, *use.backward_input, use.backward_placeholder);
    }
    text += printable(line) + "\n";
  }
  return text;
}

// What was marked for offloading and stays, each with its reason.
std::string show_refusals(const Report& report) {
  std::string text = report.offload_refusals.empty() ? "" : "\nmarked for offloading, but not offloaded:\n";
  for (const OffloadRefused& refused : report.offload_refusals) {
    text += fmt::format("  {}: {}\n", printable(refused.name), printable(refused.why.text));
  }
  return text;
}

}  // namespace

std::string report_table(const Report& report) {
  std::vector<const SavedValue*> saved;
  for (const SavedValue& value : report.saved_values) saved.push_back(&value);
  std::stable_sort(saved.begin(), saved.end(),
                   [](const SavedValue* a, const SavedValue* b) { return a->size_bytes > b->size_bytes; });
  for (const auto* others : {&report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& value : *others) saved.push_back(&value);
  }
  std::vector<std::vector<std::string>> rows = {{"SAVED VALUE", "OPERATOR", "SHAPE", "DTYPE", "BYTES", "WHERE", "WHY"}};
  for (const SavedValue* value : saved) {
    const bool is_tensor = !value->dtype.empty();
    rows.push_back({value->name, value->op, is_tensor ? show_shape(value->shape) : "", value->dtype,
                    is_tensor ? show_bytes(value->size_bytes) : "", show_place(value->provenance), show_why(*value)});
  }
  return show_totals(report) + show_memory(report) + "\n" + show_columns(rows, "llllrll") + show_names(report) +
         show_refusals(report);
}

}  // namespace fxcut
