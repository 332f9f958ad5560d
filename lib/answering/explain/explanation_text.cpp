#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cost/estimators.h"
#include "graph/value.h"
#include "report/report.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {
// "+235 MB", "-1.2 kFLOP".
std::string show_change(Int128 change, std::string_view unit) {
  const double size = std::abs(static_cast<double>(change));
  return fmt::format("{}{}", change < 0 ? '-' : '+', show_scaled(size, unit));
}

// "+2.1 %" of the step; empty if its time is not known.
std::string show_share_of_step(const Alternative& alternative) {
  if (alternative.step_ms <= 0) return "";
  return fmt::format("{:+.1f} %", 100 * alternative.step_ms_change / alternative.step_ms);
}

// "time +29 us (+2.1 % of the step), recomputed +1.2 GFLOP"
std::string show_price_of(const Alternative& alternative) {
  const std::string flops = show_change(alternative.recomputed_flops_change, "FLOP");
  const std::string share = show_share_of_step(alternative);
  if (share.empty()) return fmt::format("recomputed {}", flops);
  return fmt::format("time {} ({} of the step), recomputed {}", show_time_change(alternative.step_ms_change), share, flops);
}

std::string show_value(const DescribedNode& node) {
  std::string text = node.op;
  if (!node.dtype.empty()) text += fmt::format(", {} {}", node.dtype, show_shape(node.shape));
  if (!node.dtype.empty() || node.size_bytes > 1) text += fmt::format(", {}", show_bytes(node.size_bytes));
  return text + (node.static_lifetime ? ", always resident" : "");
}

std::string show_source(const Provenance& provenance) {
  if (provenance.source_file.empty()) return "";
  return fmt::format("{}:{}", provenance.source_file, provenance.source_line);
}

// A line of the paragraph: its label and its text.
std::string line(std::string_view about, const std::string& text) {
  return fmt::format("  {:<9}{}\n", about, printable_paragraph(text));
}

// Indents all lines of the text but the first.
std::string indent(std::string text) {
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
    text.insert(end + 1, std::string(11, ' '));
  }
  return text;
}

std::string show_where(const Provenance& provenance) {
  const std::string source = show_source(provenance);
  if (provenance.module.empty() && source.empty()) return "";
  const std::string_view between = provenance.module.empty() || source.empty() ? "" : ", ";
  return line("where", fmt::format("{}{}{}", provenance.module, between, source));
}

std::string show_weight(const Weight& weight) {
  std::string text = fmt::format("{}", weight.cost);
  if (weight.distance > 0) {
    text += fmt::format(": {} bytes x 1.1^{}{}", weight.size_bytes, weight.distance,
                        weight.doubled ? " x 2, as fusion would keep it out of memory" : "");
  }
  return line("weight", text);
}

std::string list_weighed(const std::vector<WeighedValue>& values) {
  constexpr std::size_t kMaxShown = 6;
  std::vector<std::string> shown;
  Int128 sum = 0;
  for (const WeighedValue& value : values) {
    if (shown.size() < kMaxShown) shown.push_back(fmt::format("{} ({})", value.name, value.cost));
    sum += value.cost;
  }
  if (shown.empty()) return "nothing";
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (values.size() > kMaxShown) text += fmt::format(" and {} more", values.size() - kMaxShown);
  return values.size() > 1 ? fmt::format("{} = {}", text, sum) : text;
}

std::string show_alternative_cut(const NodeExplanation& explanation) {
  if (!explanation.alternative_cut) return "";
  const auto& [saves, no_longer_saved] = *explanation.alternative_cut;
  const std::string change = no_longer_saved.empty()
                                 ? fmt::format("{} as well", list_weighed(saves))
                                 : fmt::format("{}, in place of {}", list_weighed(saves), list_weighed(no_longer_saved));
  return line("instead", "the cheapest cut with another decision on it saves " + change);
}

std::string show_limit(const NodeExplanation& explanation) {
  if (!explanation.limit) return "";
  using enum WeightLimit::Kind;
  const auto [kind, last] = *explanation.limit;
  if (kind == Always) return line("limit", "saved at any weight: nothing can be saved in its place");
  if (kind == Never) return line("limit", "not saved at any weight, even 0");
  if (last == 0 && explanation.weight->cost > 0) return line("limit", "saved only at a weight of 0");
  const Int128 more = last - explanation.weight->cost;
  return line("limit", more >= 0 ? fmt::format("saved up to a weight of {}, which is {} more", last, more)
                                 : fmt::format("saved from a weight of {} down, which is {} less", last, -more));
}

// By node of a path, whether it is shown: a few at both ends, and the explained node with its neighbours.
std::vector<bool> shown_steps(const NodePath& path, const std::string& about) {
  constexpr std::size_t kShownWhole = 9, kEnds = 3;
  const std::size_t size = path.nodes.size();
  std::vector<bool> shown(size, size <= kShownWhole);
  for (std::size_t i = 0; i < size; ++i) {
    if (i < kEnds || i + kEnds >= size) shown[i] = true;
    if (path.nodes[i].name != about) continue;
    for (std::size_t near = i > 0 ? i - 1 : 0; near < std::min(i + 2, size); ++near) shown[near] = true;
  }
  return shown;
}

std::string show_path(const NodeExplanation& explanation) {
  if (!explanation.path) return "";
  const NodePath& path = *explanation.path;
  const std::vector<bool> shown = shown_steps(path, explanation.node.name);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < path.nodes.size(); ++i) {
    if (!shown[i]) {
      std::size_t hidden = 0;
      while (!shown[i + hidden]) ++hidden;
      rows.push_back({"", fmt::format("... {} more ...", hidden), "", "", "", "", ""});
      i += hidden - 1;
      continue;
    }
    const DescribedNode& node = path.nodes[i];
    std::string tie = i == 0 ? path.from : "";
    if (i + 1 == path.nodes.size() && !path.to.empty()) tie += (tie.empty() ? "" : "; ") + path.to;
    rows.push_back({node.name == explanation.node.name ? ">" : "", node.name, node.op,
                    node.dtype.empty() ? "" : show_bytes(node.size_bytes), node.provenance.module,
                    show_source(node.provenance), tie});
  }
  std::string text = "  path\n";
  std::string table = show_columns(rows, "lllrlll");
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin) + 1;
    text += "    " + table.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

std::string show_knapsack(const NodeExplanation& explanation, const ExplainedGraph& graph) {
  if (!explanation.knapsack) return "";
  const KnapsackPart& part = *explanation.knapsack;
  return line("budget", fmt::format("{} by the knapsack: {:.4f} of the memory that the first cut adds to the inputs, run time "
                                    "{} by {}",
                                    part.is_saved ? "kept" : "not kept", part.memory_share, part.runtime,
                                    graph.runtime_estimator));
}

// In the unit in which the solver compares: "12 ms", "1.2 kFLOP".
std::string show_solver_cost(Int128 cost, const Estimator& estimator) {
  return show_cost(static_cast<double>(cost) / estimator.per_shown_unit, estimator.shown_unit);
}

std::string show_cost_change(Int128 change, const Estimator& estimator) {
  return (change < 0 ? "-" : "+") + show_solver_cost(change < 0 ? -change : change, estimator);
}

std::string show_form(const NodeExplanation& explanation) {
  if (!explanation.form) return "";
  const auto& [crosses_as, why, trade] = *explanation.form;
  std::string text = fmt::format("{} of {}, in place of {}: {}", show_bytes(crosses_as.crossing_bytes()), show_form(crosses_as),
                                 show_bytes(explanation.node.size_bytes), why);
  if (!trade) return line("form", text);
  return line("form", text + fmt::format("; making and restoring it takes {}; as it is, it would change the activations held by "
                                         "{} and time by {}",
                                         show_solver_cost(trade->cost, *trade->estimator), show_change(trade->bytes_change, "B"),
                                         show_cost_change(trade->cost_change, *trade->estimator)));
}

std::string show_trade(const NodeExplanation& explanation) {
  if (!explanation.trade) return "";
  const StorageTrade& trade = *explanation.trade;
  std::string text = fmt::format("its memory of {} is {}", show_bytes(trade.size_bytes), trade.is_saved ? "kept" : "not kept");
  if (!trade.is_possible) return line("trade", text + "; the reverse would recompute a value that must not be recomputed");
  text += fmt::format("; the reverse changes the activations held by {} and recomputation by {}",
                      show_change(trade.bytes_change, "B"), show_cost_change(trade.cost_change, *trade.estimator));
  if (trade.bytes_change != 0) {
    const double price = std::abs(static_cast<double>(trade.cost_change) / static_cast<double>(trade.bytes_change));
    const auto per_megabyte = [&](double per_byte) {
      constexpr double kMegabyte = 1e6;
      return show_cost(per_byte * kMegabyte / trade.estimator->per_shown_unit, trade.estimator->shown_unit);
    };
    text += fmt::format(": {} a MB, where the limit's price is {}", per_megabyte(price), per_megabyte(trade.price_per_byte));
  }
  return line("trade", text);
}

std::string list_changed(std::string_view what, const std::vector<ChangedValue>& values) {
  constexpr std::size_t kMaxShown = 6;
  if (values.empty()) return "";
  std::vector<std::string> shown;
  for (const ChangedValue& value : values) {
    if (shown.size() == kMaxShown) break;
    shown.push_back(fmt::format("{} ({}{})", value.name, show_bytes(value.size_bytes),
                                value.place.empty() ? "" : ", " + value.place));
  }
  std::string text = fmt::format("{}: {}", what, fmt::join(shown, ", "));
  if (values.size() > kMaxShown) text += fmt::format(" and {} more", values.size() - kMaxShown);
  return line("", text);
}

std::string show_alternative(const Alternative& alternative) {
  const std::string tag(name_of(alternative.tag));
  if (!alternative.refused.empty()) return line("forced", fmt::format("{} is refused: {}", tag, indent(alternative.refused)));
  if (alternative.changes_nothing()) return line("forced", fmt::format("{}: nothing changes", tag));
  return line("forced", fmt::format("{}: saved {}, activations held {}, {}, peak {}", tag,
                                    show_change(alternative.saved_bytes_change, "B"),
                                    show_change(alternative.saved_bytes_not_static_change, "B"),
                                    show_price_of(alternative),
                                    show_change(alternative.peak_bytes_change, "B"))) +
         list_changed("saved as well", alternative.saves) + list_changed("no longer saved", alternative.no_longer_saved) +
         list_changed("recomputed as well", alternative.recomputes) +
         list_changed("no longer recomputed", alternative.no_longer_recomputed);
}

std::string show_node(const NodeExplanation& explanation, const ExplainedGraph& graph) {
  std::string text = fmt::format("{}: {}{}\n", printable(explanation.node.name), phrase_for(explanation.outcome),
                                 explanation.offloaded ? ", offloaded to the host" : explanation.form ? ", in fewer bits" : "");
  if (!explanation.node.op.empty()) text += line("value", show_value(explanation.node));
  text += show_where(explanation.node.provenance);
  text += line("why", explanation.why.text) + show_form(explanation);
  if (explanation.weight) text += show_weight(*explanation.weight);
  text += show_alternative_cut(explanation) + show_limit(explanation) + show_knapsack(explanation, graph) +
          show_trade(explanation) + show_path(explanation);
  for (const Alternative& alternative : explanation.alternatives) text += show_alternative(alternative);
  for (const std::string& note : explanation.notes) text += line("note", note);
  return text;
}

}  // namespace

std::string explanation_text(const Explanations& explained) {
  std::string text;
  for (const NodeExplanation& explanation : explained.nodes) {
    text += (text.empty() ? "" : "\n") + show_node(explanation, explained.graph);
  }
  return text;
}

std::string candidates_text(const RankedCandidates& ranked) {
  if (ranked.candidates.empty()) return "no value frees memory by being recomputed instead\n";
  std::vector<std::vector<std::string>> rows = {{"FREES", "TIME", "PEAK", "", "VALUE", "OPERATOR", "WHERE"}};
  for (const Candidate& candidate : ranked.candidates) {
    const Alternative& alternative = candidate.alternative;
    rows.push_back({show_bytes(candidate.freed_bytes()), show_time_change(alternative.step_ms_change),
                    show_change(alternative.peak_bytes_change, "B"),
                    candidate.alike.empty() ? "" : fmt::format("x{}", 1 + candidate.alike.size()), candidate.node.name,
                    candidate.node.op,
                    candidate.modules.empty() ? show_place(candidate.node.provenance) : candidate.modules});
  }
  const double step_ms = ranked.candidates.front().alternative.step_ms;
  const std::string more = cut_rows(rows);
  return show_columns_within(rows, "rrrllll") + more +
         fmt::format("(each row by itself, in a step of {}; --write-policy FILE writes a policy for the first)\n",
                     show_time(step_ms));
}

}  // namespace fxcut
