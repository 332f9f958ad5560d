#include "explain/alternative.h"

#include <unordered_set>

#include "diagnostic/diagnostic.h"
#include "report/place.h"

namespace fxcut {
namespace {

// Calls `visit` on what the forward returns for the backward, generator states aside.
template <typename Visit>
void for_each_saved(const Report& report, const Visit& visit) {
  for (const auto* rows : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& row : *rows) visit(row);
  }
}

template <typename Visit>
void for_each_recomputed(const Report& report, const Visit& visit) {
  for (const RecomputedValue& row : report.recomputed_values) visit(row);
}

// The rows of `more` whose names are not among those of `less`, in their order.
template <typename ForEach>
std::vector<ChangedValue> added(const Report& less, const Report& more, const ForEach& for_each) {
  std::unordered_set<std::string_view> names;
  for_each(less, [&](const auto& row) { names.insert(row.name); });
  std::vector<ChangedValue> rows;
  for_each(more, [&](const auto& row) {
    if (!names.contains(row.name)) rows.push_back({row.name, row.size_bytes, show_place(row.provenance)});
  });
  return rows;
}

void compare(const Report& made, const Report& other, Alternative& alternative) {
  const auto saved = [](const Report& report, const auto& visit) { for_each_saved(report, visit); };
  const auto recomputed = [](const Report& report, const auto& visit) { for_each_recomputed(report, visit); };
  alternative.saves = added(made, other, saved);
  alternative.saves_no_more = added(other, made, saved);
  alternative.recomputes = added(made, other, recomputed);
  alternative.recomputes_no_more = added(other, made, recomputed);
  alternative.saved_bytes_change = other.totals.saved_bytes - made.totals.saved_bytes;
  alternative.saved_bytes_not_static_change = other.totals.saved_bytes_not_static - made.totals.saved_bytes_not_static;
  alternative.recomputed_flops_change = other.totals.recomputed_flops - made.totals.recomputed_flops;
  alternative.peak_bytes_change = other.memory.peak_bytes - made.memory.peak_bytes;
}

}  // namespace

Alternative find_alternative(const Question& question, const Report& made, const ForcedTag& forced) {
  Alternative alternative;
  alternative.tag = forced.tag;
  try {
    const Decision other =
        decide(question.joint, question.settings, question.policies, question.start_clock(), forced);
    compare(made, carry_out(other, question.settings).report, alternative);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    alternative.refused = failure.diagnostics().front().message;
  }
  return alternative;
}

}  // namespace fxcut
