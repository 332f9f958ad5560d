#include "report/report_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/recompute_cost.h"
#include "report/columns.h"
#include "report/place.h"
#include "report/quantities.h"

namespace fxcut {
namespace {

std::string show_why(const SavedValue& saved) {
  std::string why = saved.why.text;
  if (saved.static_lifetime) why += "; lives anyway";
  if (!saved.host_name.empty()) why += "; offloaded to the host";
  return why;
}

// "1 value", "2 values".
std::string show_count(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string show_decider(const Report& report) {
  if (report.frontier) return "the frontier solver";
  return fmt::format("the {} of PyTorch {}",
                     report.decided_by == Partitioner::Default ? "default partitioner" : "min cut",
                     report.torch.release.version());
}

// How good the frontier solver's answer is.
std::string show_frontier(const FrontierFacts& facts) {
  std::string text = fmt::format("limit       {:>9}  of which {} are saved\n", show_bytes(facts.limit_bytes),
                                 show_bytes(facts.saved_bytes));
  if (facts.is_proven) return text + "                       the least recomputing within it, proven\n";
  return text + fmt::format("                       at most {:.2g} % above the least recomputing within it\n",
                            100 * facts.gap());
}

// What recomputing costs the frontier solver, where that is not its operations.
std::string show_cost_estimate(const FrontierFacts& facts, const Settings& settings) {
  const RecomputeCost* estimator = find_recompute_cost(settings.activation_memory_budget_runtime_estimator);
  if (!estimator || estimator == &recompute_costs().front()) return "";
  const double cost = static_cast<double>(facts.run_cost) / estimator->per_shown_unit;
  return fmt::format("  which take {:>8}  by {}\n", show_cost(cost, estimator->shown_unit), estimator->estimator);
}

// How good the answer to a limit of the peak is.
std::string show_peak_limit(const Report& report) {
  const PeakLimitFacts& facts = *report.peak_limit;
  const bool is_proven = facts.bound && report.frontier && report.frontier->run_cost <= *facts.bound;
  return fmt::format("  limit     {:>9}  held by the best of {} tried{}\n",
                     show_scaled(static_cast<double>(facts.limit_bytes), "B"), show_count(facts.tried, "choice"),
                     is_proven ? ", proven the best of all" : "");
}

std::string show_totals(const Report& report) {
  const Totals& totals = report.totals;
  std::string text = fmt::format("{}: {} + {} operators, forward + backward, as {} has them\n\n",
                                 report.graph.empty() ? "graph" : report.graph, totals.forward_operators,
                                 totals.backward_operators, show_decider(report));
  text +=
      fmt::format("saved       {:>9}  in {}", show_bytes(totals.saved_bytes), show_count(totals.saved_values, "value"));
  if (totals.saved_opaques > 0) text += fmt::format(", {}", show_count(totals.saved_opaques, "opaque value"));
  if (totals.saved_symbols > 0) text += fmt::format(", {}", show_count(totals.saved_symbols, "symbolic size"));
  if (totals.saved_random_states > 0) {
    text += fmt::format(", {}", show_count(totals.saved_random_states, "random generator state"));
  }
  text += "\n";
  text += fmt::format("  of these  {:>9}  are parameters and buffers, which live anyway\n",
                      show_bytes(totals.saved_bytes_static));
  text += fmt::format("  beyond    {:>9}  of memory that saving keeps alive, each storage counted once\n",
                      show_bytes(totals.saved_bytes_not_static));
  if (totals.offloaded_values > 0) {
    text += fmt::format("offloaded   {:>9}  in {} of these, to the host\n", show_bytes(totals.offloaded_bytes),
                        show_count(totals.offloaded_values, "value"));
  }
  text += fmt::format("recomputed  {:>9}  in {}\n", show_scaled(static_cast<double>(totals.recomputed_flops), "FLOP"),
                      show_count(totals.recomputed_operators, "operator"));
  std::vector<std::pair<std::string, std::size_t>> kinds(totals.recomputed_by_operator.begin(),
                                                         totals.recomputed_by_operator.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, count] : kinds) text += fmt::format("            {:>9}  {}\n", count, op);
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
                        report.settings.activation_memory_budget_solver,
                        report.settings.activation_memory_budget_runtime_estimator);
  }
  return text;
}

std::string show_memory(const Report& report) {
  const MemoryReport& memory = report.memory;
  const std::string place = show_place(memory.peak_at.provenance);
  return fmt::format("peak        {:>9}  of memory in the {}, at {}{}\n",
                     show_scaled(static_cast<double>(memory.peak_bytes), "B"), memory.peak_at.graph,
                     memory.peak_at.node,
                     place.empty() ? "" : fmt::format(" ({})", place)) +
         (report.peak_limit ? show_peak_limit(report) : "") +
         fmt::format("  beside    {:>9}  of parameters and buffers, and {} of other inputs\n",
                     show_bytes(memory.static_bytes), show_bytes(memory.input_bytes));
}

// What became of each named value.
std::string show_names(const Report& report) {
  std::string text = report.names.empty() ? "" : "\nNAMED VALUES\n";
  for (const NameUse& use : report.names) {
    text += fmt::format("{} ({}): {}", use.name, use.node, decision_word(use.decision));
    if (use.forward_output) {
      text += fmt::format(" as {}, output {} of the forward, input {} of the backward ({})", use.saved_as,
                          *use.forward_output, *use.backward_input, use.backward_placeholder);
    }
    text += "\n";
  }
  return text;
}

// What was marked for offloading and stays, each with its reason.
std::string show_refusals(const Report& report) {
  std::string text = report.offload_refusals.empty() ? "" : "\nmarked for offloading, but not offloaded:\n";
  for (const OffloadRefused& refused : report.offload_refusals) {
    text += fmt::format("  {}: {}\n", refused.name, refused.why.text);
  }
  return text;
}

}  // namespace

std::string report_table(const Report& report) {
  std::vector<SavedValue> saved = report.saved_values;
  std::stable_sort(saved.begin(), saved.end(),
                   [](const SavedValue& a, const SavedValue& b) { return a.size_bytes > b.size_bytes; });
  saved.insert(saved.end(), report.saved_opaques.begin(), report.saved_opaques.end());
  saved.insert(saved.end(), report.saved_symbols.begin(), report.saved_symbols.end());
  std::vector<std::vector<std::string>> rows = {{"SAVED VALUE", "OPERATOR", "SHAPE", "DTYPE", "BYTES", "WHERE", "WHY"}};
  for (const SavedValue& value : saved) {
    rows.push_back({value.name, value.op, value.dtype.empty() ? "" : show_shape(value.shape), value.dtype,
                    value.dtype.empty() ? "" : show_bytes(value.size_bytes), show_place(value.provenance),
                    show_why(value)});
  }
  return show_totals(report) + show_memory(report) + "\n" + show_columns(rows, "llllrll") + show_names(report) +
         show_refusals(report);
}

}  // namespace fxcut
