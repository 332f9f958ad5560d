#include "compare/compare_reports.h"

#include <fmt/format.h>

#include <utility>

#include "compare/match_values.h"
#include "compare/report_values.h"
#include "cost/device_profile.h"

namespace fxcut {
namespace {

using Values = std::vector<ComparedValue>;
using Kind = ValueChange::Kind;

bool is_saved(const ComparedValue& value) { return value.fate == ValueState::Saved || value.fate == ValueState::Offloaded; }

// What a report says of extents it does not say of what is recomputed: bytes have to do.
Values by_bytes(Values values) {
  for (ComparedValue& value : values) value.extent = fmt::format("{} B", value.size_bytes);
  return values;
}

// Saved values first among themselves, then all: what one side saves the other may recompute.
Matching match(const Values& saved_before, const Values& saved_after, const Values& before, const Values& after,
               bool is_same_graph) {
  Matching all(before.size(), after.size());
  if (is_same_graph) {
    match_names(before, after, all);
    return all;
  }
  Matching saved(saved_before.size(), saved_after.size());
  match_places(saved_before, saved_after, saved);
  for (std::size_t i = 0; i < saved_before.size(); ++i) {
    if (saved.after_of(i) != Matching::kNone) all.pair(i, saved.after_of(i));
  }
  match_values(by_bytes(before), by_bytes(after), all);
  return all;
}

void add_change(Kind kind, std::optional<ComparedValue> before, std::optional<ComparedValue> after, Wide bytes,
                Wide flops, std::vector<ValueChange>& changes) {
  changes.push_back({kind, std::move(before), std::move(after), bytes, flops});
}

// Of a value that both sides have.
void add_pair(const ComparedValue& before, const ComparedValue& after, Difference& difference) {
  if (is_saved(before) && is_saved(after)) {
    const auto kind = change_of_kept(before, after);
    const Wide bytes = Wide{after.size_bytes} - before.size_bytes;
    if (kind) add_change(*kind, before, after, bytes, 0, difference.saved);
  } else if (is_saved(before)) {
    add_change(Kind::Went, before, after, -Wide{before.size_bytes}, 0, difference.saved);
    add_change(Kind::Came, before, after, 0, after.flops, difference.recomputed);
  } else if (is_saved(after)) {
    add_change(Kind::Came, before, after, after.size_bytes, 0, difference.saved);
    add_change(Kind::Went, before, after, 0, -before.flops, difference.recomputed);
  } else if (before.flops != after.flops) {
    const Kind kind = after.flops > before.flops ? Kind::Grew : Kind::Shrank;
    add_change(kind, before, after, 0, after.flops - before.flops, difference.recomputed);
  }
}

void add_changes(const Values& before, const Values& after, const Matching& matching, Difference& difference) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const ComparedValue& value = before[i];
    if (matching.after_of(i) != Matching::kNone) {
      add_pair(value, after[matching.after_of(i)], difference);
    } else if (is_saved(value)) {
      add_change(Kind::Went, value, std::nullopt, -Wide{value.size_bytes}, 0, difference.saved);
    } else {
      add_change(Kind::Went, value, std::nullopt, 0, -value.flops, difference.recomputed);
    }
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    const ComparedValue& value = after[i];
    if (matching.before_of(i) != Matching::kNone) continue;
    if (is_saved(value)) {
      add_change(Kind::Came, std::nullopt, value, value.size_bytes, 0, difference.saved);
    } else {
      add_change(Kind::Came, std::nullopt, value, 0, value.flops, difference.recomputed);
    }
  }
}

std::vector<ValueChange> compare_peaks(const Report& before, const Report& after, bool is_same_graph) {
  const Values held_before = values_at_peak(before), held_after = values_at_peak(after);
  Matching matching(held_before.size(), held_after.size());
  is_same_graph ? match_names(held_before, held_after, matching) : match_values(held_before, held_after, matching);
  Difference difference;
  for (std::size_t i = 0; i < held_before.size(); ++i) {
    const ComparedValue& value = held_before[i];
    const std::size_t partner = matching.after_of(i);
    if (partner == Matching::kNone) {
      add_change(Kind::Went, value, std::nullopt, -Wide{value.size_bytes}, 0, difference.at_peak);
    } else if (const auto kind = change_of_kept(value, held_after[partner])) {
      add_change(*kind, value, held_after[partner], Wide{held_after[partner].size_bytes} - value.size_bytes, 0,
                 difference.at_peak);
    }
  }
  for (std::size_t i = 0; i < held_after.size(); ++i) {
    if (matching.before_of(i) != Matching::kNone) continue;
    add_change(Kind::Came, std::nullopt, held_after[i], held_after[i].size_bytes, 0, difference.at_peak);
  }
  sort_by_bytes(difference.at_peak);
  return std::move(difference.at_peak);
}

std::string show(const SettingValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string device_name(const Settings& settings) { return settings.own_device ? settings.own_device->name : ""; }

// The settings, and what else was decided by.
std::vector<SettingChange> compare_settings(const Report& before, const Report& after) {
  std::vector<SettingChange> changes;
  const auto add = [&](std::string_view name, std::string of_before, std::string of_after) {
    if (of_before != of_after) changes.push_back({std::string(name), std::move(of_before), std::move(of_after)});
  };
  add("graph", before.graph, after.graph);
  add("producer", before.producer, after.producer);
  add("decided as PyTorch", before.torch.release.version(), after.torch.release.version());
  const auto decider = [](const Report& report) {
    return report.decided_by == Partitioner::Default ? "default" : "min_cut";
  };
  add("decided_by", decider(before), decider(after));
  add("memory_budget", fmt::format("{}", before.memory_budget), fmt::format("{}", after.memory_budget));
  for (const SettingRow& row : setting_rows()) {
    add(row.name, show(row.get(before.settings)), show(row.get(after.settings)));
  }
  add("device profile", device_name(before.settings), device_name(after.settings));
  return changes;
}

std::vector<ValueChange> all_of(const Values& values, void (*sort)(std::vector<ValueChange>&)) {
  std::vector<ValueChange> changes;
  for (const ComparedValue& value : values) {
    const Wide bytes = value.fate == ValueState::Recomputed ? 0 : value.size_bytes;
    add_change(Kind::Is, std::nullopt, value, bytes, value.flops, changes);
  }
  sort(changes);
  return changes;
}

}  // namespace

std::vector<FigureChange> figures_of(const Report& report) {
  const Totals& totals = report.totals;
  const MemoryReport& memory = report.memory;
  const auto main = [](std::string_view name, std::string_view title, std::string_view unit, Wide value) {
    return FigureChange{name, title, unit, 0, value, true};
  };
  const auto other = [](std::string_view name, std::string_view title, std::string_view unit, auto value) {
    return FigureChange{name, title, unit, 0, static_cast<Wide>(value), false};
  };
  return {
      main("saved_bytes", "saved", "B", totals.saved_bytes),
      main("saved_bytes_not_static", "  beyond what lives anyway", "B", totals.saved_bytes_not_static),
      main("recomputed_flops", "recomputed", "FLOP", totals.recomputed_flops),
      main("peak_bytes", "peak", "B", memory.peak_bytes),
      other("saved_bytes_static", "saved parameters and buffers", "B", totals.saved_bytes_static),
      other("offloaded_bytes", "offloaded", "B", totals.offloaded_bytes),
      other("forward_peak_bytes", "peak of the forward", "B", memory.forward_peak_bytes),
      other("between_bytes", "between forward and backward", "B", memory.between_bytes),
      other("backward_peak_bytes", "peak of the backward", "B", memory.backward_peak_bytes),
      other("static_bytes", "parameters and buffers", "B", memory.static_bytes),
      other("input_bytes", "other inputs", "B", memory.input_bytes),
      other("saved_values", "saved values", "", totals.saved_values),
      other("saved_opaques", "saved opaque values", "", totals.saved_opaques),
      other("saved_symbols", "saved symbolic sizes", "", totals.saved_symbols),
      other("saved_random_states", "saved random generator states", "", totals.saved_random_states),
      other("offloaded_values", "offloaded values", "", totals.offloaded_values),
      other("recomputed_operators", "recomputed operators", "", totals.recomputed_operators),
      other("forward_operators", "operators of the forward", "", totals.forward_operators),
      other("backward_operators", "operators of the backward", "", totals.backward_operators),
  };
}

Difference compare_reports(const Report& before, const Report& after) {
  Difference difference;
  difference.what = "report";
  difference.graph_before = before.graph;
  difference.graph_after = after.graph;
  difference.figures = figures_of(after);
  const std::vector<FigureChange> figures_before = figures_of(before);
  for (std::size_t i = 0; i < figures_before.size(); ++i) difference.figures[i].before = figures_before[i].after;
  difference.settings = compare_settings(before, after);

  const bool is_same_graph = before.fingerprint && before.fingerprint == after.fingerprint;
  const Values saved_before = saved_values_of(before), saved_after = saved_values_of(after);
  Values all_before = saved_before, all_after = saved_after;
  for (ComparedValue& value : recomputed_values_of(before)) all_before.push_back(std::move(value));
  for (ComparedValue& value : recomputed_values_of(after)) all_after.push_back(std::move(value));
  const Matching matching = match(saved_before, saved_after, all_before, all_after, is_same_graph);
  add_changes(all_before, all_after, matching, difference);
  sort_by_bytes(difference.saved);
  sort_by_flops(difference.recomputed);
  difference.at_peak = compare_peaks(before, after, is_same_graph);
  return difference;
}

std::vector<ValueChange> saved_in(const Report& report) { return all_of(saved_values_of(report), sort_by_bytes); }
std::vector<ValueChange> recomputed_in(const Report& report) {
  return all_of(recomputed_values_of(report), sort_by_flops);
}
std::vector<ValueChange> at_peak_in(const Report& report) { return all_of(values_at_peak(report), sort_by_bytes); }

}  // namespace fxcut
