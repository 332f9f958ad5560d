#include "report/describe_totals.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "report/describe_quality.h"
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

// Why the bytes of saved values differ from those of their storages: bytes of values in storages that are counted elsewhere, and
// the excess of counted storages over their values, which may be negative.
struct OutsideStorages {
  std::int64_t shared = 0, beyond = 0;
};

OutsideStorages outside_storages(const Report& report) {
  OutsideStorages outside;
  for (const SavedValue& saved : report.saved_values) {
    if (saved.static_lifetime) continue;
    if (saved.kept_bytes == 0) {
      outside.shared += saved.size_bytes;
    } else {
      outside.beyond += saved.kept_bytes - saved.size_bytes;
    }
  }
  return outside;
}

// For the limit "least": whether it is proven, or the bytes that every decision needs.
std::string describe_least(const Report& report) {
  const auto& limit = report.settings.peak_bytes_limit;
  const std::optional<Int128>& floor = report.peak_limit->floor_bytes;
  if (!limit || !limit->is_least || !floor) return "";
  const Int128 peak = report.memory.counted_peak_bytes();
  if (peak <= *floor) return "; no decision has a lower peak";
  return fmt::format("; every decision needs {} or more", show_scaled(static_cast<double>(*floor), "B"));
}

// How near the cost of a decision within a peak limit is to the optimum.
std::string describe_cost(const Report& report) {
  const PeakLimitFacts& facts = *report.peak_limit;
  if (!facts.bound || !report.frontier) return "";
  return (report.frontier->is_proven ? ": " : ", ") + describe_quality(report, *facts.bound);
}

std::string show_search(const Report& report) {
  const std::string_view whose = report.memory.compiled ? "compiled code of the best" : "best";
  const std::string best = fmt::format("met by the {} of {}", whose, show_count(report.peak_limit->tried, "decision"));
  return best + describe_cost(report) + describe_least(report);
}

// Tells whether launching limits the step, unless all kernels are launched as one.
std::string describe_launches(const RunTimeReport& time) {
  if (time.launch_ms.value_or(0) <= time.step_ms) return "";
  return fmt::format("; without CUDA graphs launches take {}", show_cost(*time.launch_ms, "ms"));
}

// "estimated for h100 (assumed: --device), of which 5.9 % recomputes": assumed from the graph's values; the option names another.
std::string describe_step_time(const RunTimeReport& time) {
  const std::string_view assumed = time.device_from == DeviceFrom::Graph ? " (assumed: --device)" : "";
  const std::string share =
      time.step_ms > 0 ? fmt::format(", of which {:.1f} % recomputes", 100 * time.recomputed_ms / time.step_ms) : "";
  return fmt::format("estimated for {}{}{}{}", time.device, assumed, share, describe_launches(time));
}

// Random operators that run again under a saved state are not among PyTorch's, but take time.
std::string count_recomputed(const Report& report) {
  const std::size_t operators = report.totals.recomputed_operators, again = report.recomputed_again.size();
  if (operators + again == 0 && report.run_time && report.run_time->recomputed_ms > 0) {
    return "in random operators, under the saved state of their generator";
  }
  const std::string more = again > 0 ? fmt::format(", with {} more", show_count(again, "run")) : "";
  return fmt::format("in {}{}", show_count(operators, "operator"), more);
}

// The recomputation, by its run time if that is known, and then the step's time and the operations.
void add_recomputed(const Report& report, std::vector<TotalLine>& lines) {
  const std::string flops = show_scaled(report.totals.recomputed_flops, "FLOP");
  const auto& time = report.run_time;
  lines.push_back({"recomputed", time ? show_cost(time->recomputed_ms, "ms") : flops, count_recomputed(report)});
  if (!time) return;
  lines.push_back({"of a step", show_cost(time->step_ms, "ms"), describe_step_time(*time), true});
  lines.push_back({"operations", flops, "of what is recomputed, by PyTorch's counter", true, true});
}

std::string describe_states(const OptimizerStates& states) {
  return fmt::format("states of {}, {}, for each trained parameter", states.name, states.dtype);
}

}  // namespace

std::map<MemoryKind, Int128> peak_parts(const MemoryReport& memory) {
  std::map<MemoryKind, Int128> parts;
  for (const MemoryHeld& held : memory.counted_at_peak()) parts[held.kind] += held.size_bytes;
  return parts;
}

// "in the backward, at sub_2 (loss.py:42)".
std::string show_peak_place(const GraphPlace& at) {
  const std::string place = show_place(at.provenance);
  return fmt::format("in the {}, at {}{}", at.graph, at.node, place.empty() ? "" : fmt::format(" ({})", place));
}

std::string headline(const Report& report) {
  const Totals& totals = report.totals;
  const StepOptimizer* optimizer = report.step && report.step->optimizer ? &*report.step->optimizer : nullptr;
  const std::string operators =
      optimizer ? fmt::format("{} forward, {} backward and {} optimizer", totals.forward_operators,
                              report.step->backward_operators, optimizer->operators)
                : fmt::format("{} forward and {} backward", totals.forward_operators, totals.backward_operators);
  return fmt::format("{}: {} operators, by {}", report.graph.empty() ? "graph" : report.graph, operators, show_decider(report));
}

// The remarks about the held bytes, or those about the peak.
void add_remarks(const Report& report, bool of_peak, std::vector<TotalLine>& lines) {
  for (const Remark& remark : report.remarks) {
    if ((remark.kind != RemarkKind::Copies) != of_peak) continue;
    lines.push_back({of_peak ? "of these" : "copies", show_bytes(remark.bytes), remark.text, true});
  }
}

std::vector<TotalLine> saved_lines(const Report& report) {
  const Totals& totals = report.totals;
  std::vector<TotalLine> lines = {{"saved", show_bytes(totals.saved_bytes), count_all_saved(totals)}};
  const auto add_part = [&](std::string label, std::int64_t bytes, std::string meaning) {
    if (bytes != 0) lines.push_back({std::move(label), show_bytes(bytes), std::move(meaning), true});
  };
  const auto [shared, beyond] = outside_storages(report);
  add_part("parameters", totals.saved_bytes_static, "and buffers, always resident");
  add_part("shared", shared, "with another saved value or a parameter, in whose storage it is");
  if (beyond < 0) add_part("expanded", -beyond, "values that are larger than their storage");
  if (beyond > 0) lines.push_back({"beyond", "-" + show_bytes(beyond), "of storages, beyond the saved part", true});
  const char* counted = totals.compressed ? "as they cross to the backward" : "each storage counted once";
  lines.push_back({"held", show_bytes(totals.held_bytes()), fmt::format("of activations, {}", counted), true});
  add_remarks(report, false, lines);
  if (totals.offloaded_values > 0) {
    lines.push_back({"offloaded", show_bytes(totals.offloaded_bytes),
                     fmt::format("in {} of these, to the host", show_count(totals.offloaded_values, "value"))});
  }
  if (totals.compressed) {
    lines.push_back({"compressed", show_bytes(totals.compressed->bytes),
                     fmt::format("in place of {}, in {} of these", show_bytes(totals.compressed->bytes_before),
                                 show_count(totals.compressed->values, "value"))});
  }
  add_recomputed(report, lines);
  if (!report.recomputed_again.empty()) {
    Int128 flops = 0;
    for (const RecomputedAgainValue& one : report.recomputed_again) flops += one.flops;
    lines.push_back({"again", show_scaled(flops, "FLOP"),
                     fmt::format("more, in {} that the backward has run before",
                                 show_count(report.recomputed_again.size(), "operator")), true, true});
  }
  if (report.step && report.step->recomputed_again > 0) {
    lines.push_back({"again", fmt::to_string(report.step->recomputed_again),
                     fmt::format("of these, for another of {} regions of the backward", report.step->backward_regions), true});
  }
  return lines;
}

std::vector<TotalLine> memory_lines(const Report& report) {
  const MemoryReport& memory = report.memory;
  const PredictedMemoryReport* compiled = memory.compiled ? &*memory.compiled : nullptr;
  const std::string where = show_peak_place(compiled ? compiled->peak_at : memory.peak_at);
  std::vector<TotalLine> lines = {{"peak", show_scaled(memory.counted_peak_bytes(), "B"),
                                   compiled ? "of inductor's code, predicted, " + where : "of memory " + where}};
  Int128 whole = memory.counted_peak_bytes();
  const auto add_part = [&](std::string_view label, Int128 bytes, std::string_view meaning) {
    const bool is_small = bytes * 1000 < whole;
    if (bytes > 0) lines.push_back({std::string(label), show_scaled(bytes, "B"), std::string(meaning), true, is_small});
  };
  for (const auto& [kind, bytes] : peak_parts(memory)) add_part(label_of(kind), bytes, meaning_of(kind));
  add_remarks(report, true, lines);
  if (report.step && report.step->optimizer) {
    lines.push_back({"optimizer", show_scaled(report.step->optimizer->peak_bytes, "B"), "while it runs, after the backward"});
  }
  if (compiled) {
    if (const auto& with = compiled->with_workspaces) {
      lines.push_back({"workspaces", show_scaled(with->peak_bytes, "B"),
                       fmt::format("the same with {} that {} in the {} takes within its call",
                                   show_scaled(with->workspace_bytes, "B"), with->peak_at.node, with->peak_at.graph)});
    }
    lines.push_back({"operators", show_scaled(memory.peak_bytes, "B"),
                     "where each runs by itself, " + show_peak_place(memory.peak_at), false, true});
  }
  if (report.peak_limit) {
    lines.push_back({"limit", show_scaled(report.peak_limit->limit_bytes, "B"), show_search(report)});
  }
  whole = memory.resident_bytes();
  lines.push_back({"resident", show_scaled(memory.resident_bytes(), "B"), "on the device at the peak"});
  const std::size_t resident = lines.size() - 1;
  const std::int64_t states = report.step && report.step->optimizer ? report.step->optimizer->state_bytes : 0;
  add_part("parameters", memory.static_bytes - states, "and buffers");
  add_part("states", states, "that only the step's own optimizer uses");
  add_part("inputs", memory.input_bytes, "of the step, other than these");
  if (memory.optimizer) add_part("optimizer", memory.optimizer->size_bytes, describe_states(*memory.optimizer));
  if (lines.size() > resident + 1) lines[resident].meaning += ": with";
  return lines;
}

}  // namespace fxcut
