#include "report/describe_totals.h"

#include <fmt/format.h>

#include "report/report.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

std::string show_decider(const Report& report) {
  if (report.frontier) return "the frontier solver";
  return fmt::format("the {} partitioner of PyTorch {}", name_of(report.decided_by), report.torch.release.version());
}

std::string count_all_saved(const Totals& totals) {
  std::string text = "in " + show_count(totals.saved_values, "value");
  const auto add = [&](std::size_t count, std::string_view noun) {
    if (count > 0) text += ", " + show_count(count, noun);
  };
  add(totals.saved_opaques, "opaque value");
  add(totals.saved_symbols, "symbolic size");
  add(totals.saved_random_states, "random generator state");
  return text;
}

// The quality of the decision that meets a limit of the peak.
std::string show_search(const Report& report) {
  const PeakLimitFacts& facts = *report.peak_limit;
  const std::string best = fmt::format("met by the best of {}", show_count(facts.tried, "decision"));
  if (!facts.bound || !report.frontier) return best;
  if (report.frontier->is_proven) return best + ", proven";
  const double above = gap(report.frontier->run_cost, *facts.bound);
  return above < 1 ? best + fmt::format(", at most {:.2g} % above the least recomputation", 100 * above) : best;
}

}  // namespace

std::string headline(const Report& report) {
  return fmt::format("{}: {} forward and {} backward operators, by {}",
                     report.graph.empty() ? "graph" : report.graph, report.totals.forward_operators,
                     report.totals.backward_operators, show_decider(report));
}

std::vector<TotalLine> saved_lines(const Report& report) {
  const Totals& totals = report.totals;
  std::vector<TotalLine> lines = {
      {"saved", show_bytes(totals.saved_bytes), count_all_saved(totals)},
      {"of these", show_bytes(totals.saved_bytes_static), "always resident: parameters and buffers", true},
      {"held", show_bytes(totals.saved_bytes_not_static), "of activations, each storage counted once", true}};
  if (totals.offloaded_values > 0) {
    lines.push_back({"offloaded", show_bytes(totals.offloaded_bytes),
                     fmt::format("in {} of these, to the host", show_count(totals.offloaded_values, "value"))});
  }
  lines.push_back({"recomputed", show_scaled(totals.recomputed_flops, "FLOP"),
                   "in " + show_count(totals.recomputed_operators, "operator")});
  return lines;
}

std::vector<TotalLine> memory_lines(const Report& report) {
  const MemoryReport& memory = report.memory;
  const std::string place = show_place(memory.peak_at.provenance);
  std::vector<TotalLine> lines = {
      {"peak", show_scaled(memory.peak_bytes, "B"),
       fmt::format("of memory in the {}, at {}{}", memory.peak_at.graph, memory.peak_at.node,
                   place.empty() ? "" : fmt::format(" ({})", place))}};
  if (memory.compiled) {
    const PredictedMemoryReport& compiled = *memory.compiled;
    lines.push_back({"compiled", show_scaled(compiled.peak_bytes, "B"),
                     fmt::format("predicted of inductor's code, in the {}, at {}", compiled.peak_at.graph, compiled.peak_at.node),
                     true});
  }
  if (report.peak_limit) {
    lines.push_back({"limit", show_scaled(report.peak_limit->limit_bytes, "B"), show_search(report), true});
  }
  lines.push_back({"resident", show_scaled(memory.peak_bytes + memory.static_bytes + memory.input_bytes, "B"),
                   fmt::format("with {} of parameters and buffers and {} of other inputs", show_bytes(memory.static_bytes),
                               show_bytes(memory.input_bytes)),
                   true});
  return lines;
}

}  // namespace fxcut
