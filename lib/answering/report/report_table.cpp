#include "report/show_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost/estimators.h"
#include "graph/value.h"
#include "report/describe_quality.h"
#include "report/describe_totals.h"
#include "report/report.h"
#include "report/saved_by_reason.h"
#include "solve/budget_solvers.h"
#include "text/folded_texts.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxOperatorsListed = 2;  // on the first screen

// "  held          42.1 GB  of activations, each storage counted once".
std::string show_line(const TotalLine& line) {
  return fmt::format("{:<12}  {:>9}  {}\n", (line.is_part ? "  " : "") + line.label, line.figure, printable(line.meaning));
}

// The limit of the frontier solver's decision.
std::string show_saved_limit(const FrontierFacts& facts) {
  const std::string saved =
      fmt::format("of which {} are saved{}", show_bytes(facts.saved_bytes), facts.host ? " on the device" : "");
  return show_line({"limit", show_bytes(facts.limit_bytes), saved});
}

// The time for which the step waits for the copies that the frontier solver chose.
std::string show_waiting(const FrontierFacts& facts, const Settings& settings) {
  if (!facts.host) return "";
  const double waiting = static_cast<double>(facts.host->waiting) / estimator_of_frontier(settings).per_shown_unit;
  return show_line({"waiting", show_cost(waiting, "ms"),
                    fmt::format("for copies to the host and back, at {} GiB/s", settings.activation_offload_cpu_gpu_bw), true});
}

// The cost of recomputation for the frontier solver, if it is neither operations nor the run time that each report has.
std::string show_cost_estimate(const FrontierFacts& facts, const Settings& settings) {
  const Estimator& estimator = estimator_of_frontier(settings);
  if (estimator.name == "flops" || estimator.name == "roofline") return "";
  const double cost = static_cast<double>(facts.run_cost) / estimator.per_shown_unit;
  return show_line({"run time", show_cost(cost, estimator.shown_unit), fmt::format("of these, by {}", estimator.name), true});
}

// How often each operator is recomputed, most often first; beyond `most` lines, the rest is one line.
std::string show_recomputed(const std::map<std::string, std::size_t>& by_operator, std::size_t most) {
  std::vector<std::pair<std::string, std::size_t>> kinds(by_operator.begin(), by_operator.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  std::size_t others = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i < most || kinds.size() == most + 1) {
      text += show_line({"", fmt::to_string(kinds[i].second), kinds[i].first});
    } else {
      others += kinds[i].second;
    }
  }
  if (others > 0) text += show_line({"", fmt::to_string(others), fmt::format("of {} other operators", kinds.size() - most)});
  return text;
}

// How the decision came about.
std::string show_solving(const Report& report) {
  std::string text;
  if (report.frontier && !report.peak_limit) {
    text += show_saved_limit(*report.frontier);
    if (!report.varying_sizes) text += show_line({"", "", describe_quality(report, report.frontier->bound)});
  }
  for (const SolvedCut& cut : report.cuts) {
    text += show_line({"cut", show_scaled(static_cast<double>(cut.value), ""),
                       fmt::format("{} vertices, {} edges", cut.vertices, cut.edges)});
  }
  if (report.knapsack) {
    text += show_line({"budget", fmt::to_string(report.memory_budget),
                       fmt::format("{} of {} kept by {}, run times by {}", report.knapsack->saved,
                                   show_count(report.knapsack->candidates, "costly value"),
                                   budget_solver_of(report.settings).name, estimator_of_budget(report.settings).name)});
  }
  return text;
}

// On the first screen, without details and with few operators.
std::string show_totals(const Report& report, bool is_first_screen) {
  const auto show_lines = [&](const std::vector<TotalLine>& lines) {
    std::string text;
    for (const TotalLine& line : lines) text += is_first_screen && line.is_detail ? "" : show_line(line);
    return text;
  };
  const auto& by_operator = report.totals.recomputed_by_operator;
  std::string text = printable(headline(report)) + "\n\n" + show_lines(saved_lines(report));
  text += show_recomputed(by_operator, is_first_screen ? kMaxOperatorsListed : by_operator.size());
  if (report.frontier) {
    text += show_cost_estimate(*report.frontier, report.settings) + show_waiting(*report.frontier, report.settings);
  }
  text += show_solving(report);
  return text + show_lines(memory_lines(report)) + show_varying_sizes(report);
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
  std::vector<AlikeText> alike;
  for (const OffloadRefused& refused : report.offload_refusals) {
    alike.push_back({fmt::format("{}: {}", refused.name, refused.why.text), refused.why.text});
  }
  for (const std::string& line : folded_texts(alike)) text += fmt::format("  {}\n", printable(line));
  return text;
}

// "67.1 MB as 16.8 MB".
std::string bytes_cell(const SavedValue& value) {
  const std::string bytes = show_bytes(value.size_bytes);
  return value.compressed ? fmt::format("{} as {}", bytes, show_bytes(value.compressed->crossing_bytes())) : bytes;
}

}  // namespace

std::string report_text(const Report& report, const HoldingLess& less) {
  const std::string saved = show_saved_by_reason(report);
  return show_totals(report, true) + show_holding_less(less, report) + (saved.empty() ? "" : "\n" + saved) + show_names(report) +
         show_refusals(report);
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
  const std::size_t most = std::min(saved.size(), text_style().limit.value_or(saved.size()));
  const std::string others = most < saved.size() ? fmt::format("... and {} more\n", saved.size() - most) : "";
  saved.resize(most);
  for (const SavedValue* value : saved) {
    const bool is_tensor = !value->dtype.empty();
    rows.push_back({value->name, value->op, is_tensor ? show_shape(value->shape) : "", value->dtype,
                    is_tensor ? bytes_cell(*value) : "", show_place(value->provenance), show_why(*value)});
  }
  return show_totals(report, false) + "\n" + show_columns(rows, "llllrll") + others +
         show_names(report) + show_refusals(report);
}

}  // namespace fxcut
