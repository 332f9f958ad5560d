#include "report/show_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost/estimators.h"
#include "graph/value.h"
#include "report/describe_totals.h"
#include "report/report.h"
#include "report/saved_by_reason.h"
#include "solve/budget_solvers.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

// The quality of the frontier solver's decision.
std::string show_frontier(const FrontierFacts& facts) {
  std::string text = fmt::format("limit       {:>9}  of which {} are saved\n", show_bytes(facts.limit_bytes),
                                 show_bytes(facts.saved_bytes));
  if (facts.is_proven) return text + "                       the least recomputation within it, proven\n";
  return text + fmt::format("                       at most {:.2g} % above the least recomputation within it\n",
                            100 * gap(facts.run_cost, facts.bound));
}

// The cost of recomputation for the frontier solver, if it is not in operations.
std::string show_cost_estimate(const FrontierFacts& facts, const Settings& settings) {
  const Estimator& estimator = estimator_of(settings);
  if (&estimator == &estimators().front()) return "";
  const double cost = static_cast<double>(facts.run_cost) / estimator.per_shown_unit;
  return fmt::format("  which take {:>8}  by {}\n", show_cost(cost, estimator.shown_unit), estimator.name);
}

// "  of these    15.0 GB  always resident: parameters and buffers".
std::string show_line(const TotalLine& line) {
  return fmt::format("{:<10}  {:>9}  {}\n", (line.is_part ? "  " : "") + line.label, line.figure, printable(line.meaning));
}

// How often each operator is recomputed, most first; where there are more than `most`, the rest is one line.
std::string show_recomputed(const std::map<std::string, std::size_t>& by_operator, std::size_t most) {
  std::vector<std::pair<std::string, std::size_t>> kinds(by_operator.begin(), by_operator.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  std::size_t others = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i < most || kinds.size() == most + 1) {
      text += fmt::format("            {:>9}  {}\n", kinds[i].second, printable(kinds[i].first));
    } else {
      others += kinds[i].second;
    }
  }
  if (others > 0) text += fmt::format("            {:>9}  of {} other operators\n", others, kinds.size() - most);
  return text;
}

std::string show_totals(const Report& report, std::size_t most_operators) {
  std::string text = printable(headline(report)) + "\n\n";
  for (const TotalLine& line : saved_lines(report)) text += show_line(line);
  text += show_recomputed(report.totals.recomputed_by_operator, most_operators);
  if (report.frontier) {
    text += show_cost_estimate(*report.frontier, report.settings);
    if (!report.peak_limit) text += show_frontier(*report.frontier);
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
  for (const TotalLine& line : memory_lines(report)) text += show_line(line);
  return text;
}

std::string show_names(const Report& report) {
  std::string text = report.names.empty() ? "" : "\nNAMED VALUES\n";
  for (const NameUse& use : report.names) {
    std::string line = fmt::format("{} ({}): {}", use.name, use.node, name_of(use.decision));
    if (use.forward_output) {
      line += fmt::format(" as {}, output {} of the forward, input {} of the backward ({})", use.saved_as,
                          *use.forward_output, *use.backward_input, use.backward_placeholder);
    }
    text += printable(line) + "\n";
  }
  return text;
}

// Values that were marked for offloading, but are not offloaded, each with its reason.
std::string show_refusals(const Report& report) {
  std::string text = report.offload_refusals.empty() ? "" : "\nmarked for offloading, but not offloaded:\n";
  for (const OffloadRefused& refused : report.offload_refusals) {
    text += fmt::format("  {}: {}\n", printable(refused.name), printable(refused.why.text));
  }
  return text;
}

constexpr std::size_t kMostOperators = 5;  // that the first screen lists

}  // namespace

std::string report_text(const Report& report) {
  return show_totals(report, kMostOperators) + "\n" + show_saved_by_reason(report) +
         show_names(report) + show_refusals(report);
}

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
  return show_totals(report, report.totals.recomputed_by_operator.size()) + "\n" + show_columns(rows, "llllrll") +
         show_names(report) + show_refusals(report);
}

}  // namespace fxcut
