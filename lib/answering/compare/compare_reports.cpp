#include "compare/compare_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compare/match_values.h"

namespace fxcut {
namespace {

using Values = std::vector<ComparedValue>;
using Kind = ValueChange::Kind;

Values joined(Values values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

bool is_saved(const ComparedValue& value) { return value.state == ValueState::Saved || value.state == ValueState::Offloaded; }

// A report has no extents of recomputed values, so bytes are compared instead.
Values by_bytes(Values values) {
  for (ComparedValue& value : values) value.extent = fmt::format("{} B", value.size_bytes);
  return values;
}

// Saved values first, then all: one side may save a value that the other recomputes.
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

void add_change(Kind kind, std::optional<ComparedValue> before, std::optional<ComparedValue> after, Int128 bytes, Int128 flops,
                std::vector<ValueChange>& changes) {
  changes.push_back({kind, std::move(before), std::move(after), bytes, flops});
}

void add_pair(const ComparedValue& before, const ComparedValue& after, Difference& difference) {
  if (is_saved(before) && is_saved(after)) {
    const auto kind = change_of_kept(before, after);
    const Int128 bytes = after.crossing_bytes() - before.crossing_bytes();
    if (kind) add_change(*kind, before, after, bytes, 0, difference.saved);
  } else if (is_saved(before)) {
    add_change(Kind::Removed, before, after, -before.crossing_bytes(), 0, difference.saved);
    add_change(Kind::Added, before, after, 0, after.flops, difference.recomputed);
  } else if (is_saved(after)) {
    add_change(Kind::Added, before, after, after.crossing_bytes(), 0, difference.saved);
    add_change(Kind::Removed, before, after, 0, -before.flops, difference.recomputed);
  } else if (before.flops != after.flops) {
    const Kind kind = after.flops > before.flops ? Kind::Grew : Kind::Shrank;
    add_change(kind, before, after, 0, after.flops - before.flops, difference.recomputed);
  }
}

void add_one(Kind kind, const ComparedValue& value, Difference& difference) {
  const auto before = kind == Kind::Removed ? std::optional(value) : std::nullopt;
  const auto after = kind == Kind::Added ? std::optional(value) : std::nullopt;
  const Int128 sign = kind == Kind::Added ? 1 : -1;
  if (is_saved(value)) {
    add_change(kind, before, after, sign * value.crossing_bytes(), 0, difference.saved);
  } else {
    add_change(kind, before, after, 0, sign * value.flops, difference.recomputed);
  }
}

void add_changes(const Values& before, const Values& after, const Matching& matching, Difference& difference) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (matching.after_of(i) != Matching::kNone) {
      add_pair(before[i], after[matching.after_of(i)], difference);
    } else {
      add_one(Kind::Removed, before[i], difference);
    }
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (matching.before_of(i) == Matching::kNone) add_one(Kind::Added, after[i], difference);
  }
}

std::vector<ValueChange> compare_peaks(const Values& held_before, const Values& held_after, bool is_same_graph) {
  Matching matching(held_before.size(), held_after.size());
  is_same_graph ? match_names(held_before, held_after, matching) : match_values(held_before, held_after, matching);
  std::vector<ValueChange> changes;
  for (std::size_t i = 0; i < held_before.size(); ++i) {
    const ComparedValue& value = held_before[i];
    const std::size_t partner = matching.after_of(i);
    if (partner == Matching::kNone) {
      add_change(Kind::Removed, value, std::nullopt, -Int128{value.size_bytes}, 0, changes);
    } else if (const auto kind = change_of_kept(value, held_after[partner])) {
      add_change(*kind, value, held_after[partner], Int128{held_after[partner].size_bytes} - value.size_bytes, 0, changes);
    }
  }
  for (std::size_t i = 0; i < held_after.size(); ++i) {
    if (matching.before_of(i) != Matching::kNone) continue;
    add_change(Kind::Added, std::nullopt, held_after[i], held_after[i].size_bytes, 0, changes);
  }
  sort_by_bytes(changes);
  return changes;
}

std::vector<SettingChange> compare_settings(const ComparedReport& before, const ComparedReport& after) {
  std::vector<SettingChange> changes;
  for (std::size_t i = 0; i < std::min(before.settings.size(), after.settings.size()); ++i) {
    const auto& [name, value] = before.settings[i];
    if (value != after.settings[i].second) changes.push_back({name, value, after.settings[i].second});
  }
  return changes;
}

// Those that both sides have: older reports have no run times.
std::vector<FigureChange> compare_figures(const std::vector<FigureChange>& before, const std::vector<FigureChange>& after) {
  std::vector<FigureChange> both;
  for (const FigureChange& figure : after) {
    const auto earlier = std::ranges::find(before, figure.name, &FigureChange::name);
    if (earlier == before.end()) continue;
    both.push_back(figure);
    both.back().before = earlier->after;
  }
  return both;
}

std::vector<ValueChange> all_of(const Values& values, void (*sort)(std::vector<ValueChange>&)) {
  std::vector<ValueChange> changes;
  for (const ComparedValue& value : values) {
    const Int128 bytes = value.state == ValueState::Recomputed ? 0 : value.crossing_bytes();
    add_change(Kind::Is, std::nullopt, value, bytes, value.flops, changes);
  }
  sort(changes);
  return changes;
}

}  // namespace

Difference compare_reports(const ComparedReport& before, const ComparedReport& after) {
  Difference difference;
  difference.what = "report";
  difference.graph_before = before.graph;
  difference.graph_after = after.graph;
  difference.figures = compare_figures(before.figures, after.figures);
  difference.settings = compare_settings(before, after);

  const bool is_same_graph = before.fingerprint && before.fingerprint == after.fingerprint;
  const Values all_before = joined(before.saved, before.recomputed), all_after = joined(after.saved, after.recomputed);
  const Matching matching = match(before.saved, after.saved, all_before, all_after, is_same_graph);
  add_changes(all_before, all_after, matching, difference);
  sort_by_bytes(difference.saved);
  sort_by_flops(difference.recomputed);
  if (!before.find_figure(kPeakOfCode) != !after.find_figure(kPeakOfCode)) {  // two kinds of peaks, of which one is in both
    const auto peak = std::ranges::find(difference.figures, kPeakOfOperators, &FigureChange::name);
    peak->title = kTitleBesideCode;
    peak->is_main = true;
  } else {
    difference.at_peak = compare_peaks(before.at_peak, after.at_peak, is_same_graph);
  }
  return difference;
}

Difference compare_reports(const Report& before, const Report& after) {
  return compare_reports(compared(before), compared(after));
}

std::vector<ValueChange> saved_in(const ComparedReport& report) { return all_of(report.saved, sort_by_bytes); }
std::vector<ValueChange> recomputed_in(const ComparedReport& report) {
  return all_of(report.recomputed, sort_by_flops);
}
std::vector<ValueChange> at_peak_in(const ComparedReport& report) { return all_of(report.at_peak, sort_by_bytes); }

}  // namespace fxcut
