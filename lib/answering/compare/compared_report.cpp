#include "compare/compared_report.h"

#include <fmt/format.h>

#include <iterator>
#include <variant>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "graph/value.h"
#include "policy/setting_rows.h"

namespace fxcut {
namespace {

ComparedValue compared(const SavedValue& row) {
  ComparedValue value;
  value.name = row.name;
  value.op = row.op;
  value.extent = row.dtype.empty() ? "" : extent_of(row.dtype, row.shape);
  value.size_bytes = row.size_bytes;
  value.provenance = row.provenance;
  value.static_lifetime = row.static_lifetime;
  value.state = row.host_name.empty() ? ValueState::Saved : ValueState::Offloaded;
  if (row.compressed) {
    value.form = show_form(*row.compressed);
    value.form_bytes = row.compressed->crossing_bytes();
  }
  return value;
}

std::vector<ComparedValue> saved_values_of(const Report& report) {
  std::vector<ComparedValue> values;
  for (const auto* rows : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& row : *rows) values.push_back(compared(row));
  }
  return values;
}

std::vector<ComparedValue> recomputed_values_of(const Report& report) {
  std::vector<ComparedValue> values;
  for (const RecomputedValue& row : report.recomputed_values) {
    ComparedValue& value = values.emplace_back();
    value.name = row.name;
    value.op = row.op;
    value.size_bytes = row.size_bytes;
    value.flops = row.flops;
    value.provenance = row.provenance;
    value.state = ValueState::Recomputed;
  }
  return values;
}

std::vector<ComparedValue> values_at_peak(const Report& report) {
  std::vector<ComparedValue> values;
  for (const MemoryHeld& held : report.memory.counted_at_peak()) {
    ComparedValue& value = values.emplace_back();
    value.name = fmt::format("{} ({})", held.made_at.node, held.made_at.graph);
    value.op = held.made_at.op;
    value.size_bytes = held.size_bytes;
    value.provenance = held.made_at.provenance;
  }
  return values;
}

// The settings, and everything else that determined the decision.
std::vector<std::pair<std::string, std::string>> settings_of(const Report& report) {
  const auto& device = report.settings.own_device;
  std::vector<std::pair<std::string, std::string>> settings = {
      {"graph", report.graph},
      {"producer", report.producer},
      {"decided as PyTorch", report.torch.release.version()},
      {"decided_by", std::string(name_of(report.decided_by))},
      {"memory_budget", fmt::format("{}", report.memory_budget)}};
  for (const SettingRow& row : setting_rows()) {
    const auto show = [](const auto& value) { return fmt::format("{}", value); };
    settings.emplace_back(row.name, std::visit(show, row.get(report.settings)));
  }
  settings.emplace_back("device profile", device ? device->name : "");
  return settings;
}

}  // namespace

std::string extent_of(std::string_view dtype, const Sizes& shape) { return std::string(dtype) + show_shape(shape); }

std::vector<FigureChange> figures_of(const Report& report) {
  const Totals& totals = report.totals;
  const MemoryReport& memory = report.memory;
  const auto main = [](std::string_view name, std::string_view title, std::string_view unit, Int128 value) {
    return FigureChange{name, title, unit, 0, value, true};
  };
  const auto other = [](std::string_view name, std::string_view title, std::string_view unit, auto value) {
    return FigureChange{name, title, unit, 0, static_cast<Int128>(value), false};
  };
  std::vector<FigureChange> figures = {
      main("saved_bytes", "saved", "B", totals.saved_bytes),
      main("saved_bytes_not_static", "  activations held", "B", totals.held_bytes())};
  if (const auto& time = report.run_time) {
    figures.push_back(main("recomputed_picoseconds", "recomputed", "ps", picoseconds(time->recomputed_ms)));
    figures.push_back(main("step_picoseconds", "  of a step of", "ps", picoseconds(time->step_ms)));
    figures.push_back(main("recomputed_flops", "  by operations", "FLOP", totals.recomputed_flops));
  } else {
    figures.push_back(main("recomputed_flops", "recomputed", "FLOP", totals.recomputed_flops));
  }
  const bool has_code = memory.compiled.has_value();
  if (has_code) figures.push_back(main(kPeakOfCode, "peak", "B", memory.compiled->peak_bytes));
  const CompressedTotals compressed = totals.compressed.value_or(CompressedTotals{});
  const FigureChange others[] = {
      {kPeakOfOperators, has_code ? kTitleBesideCode : "peak", "B", 0, memory.peak_bytes, !has_code},
      other("saved_bytes_static", "saved parameters and buffers", "B", totals.saved_bytes_static),
      other("offloaded_bytes", "offloaded", "B", totals.offloaded_bytes),
      other("compressed_bytes_before", "compressed, as they are", "B", compressed.bytes_before),
      other("compressed_bytes", "  as they cross", "B", compressed.bytes),
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
  figures.insert(figures.end(), std::begin(others), std::end(others));
  return figures;
}

const FigureChange* ComparedReport::find_figure(std::string_view name) const {
  const auto found = std::ranges::find(figures, name, &FigureChange::name);
  return found == figures.end() ? nullptr : &*found;
}

ComparedReport compared(const Report& report) {
  return {report.graph,
          report.fingerprint,
          figures_of(report),
          settings_of(report),
          saved_values_of(report),
          recomputed_values_of(report),
          values_at_peak(report)};
}

}  // namespace fxcut
