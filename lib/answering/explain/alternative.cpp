#include "explain/alternative.h"

#include <unordered_set>

#include "diagnostic/diagnostic.h"
#include "report/report.h"

namespace fxcut {
namespace {

// Adds the rows of `more` whose names are not in `less`, in their order.
template <typename Row>
void add_new(const std::vector<Row>& less, const std::vector<Row>& more, std::vector<ChangedValue>& added) {
  std::unordered_set<std::string_view> names;
  for (const Row& row : less) names.insert(row.name);
  for (const Row& row : more) {
    if (!names.contains(row.name)) added.push_back({row.name, row.size_bytes, show_place(row.provenance)});
  }
}

void compare(const Report& original, const Report& other, Alternative& alternative) {
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    add_new(original.*rows, other.*rows, alternative.saves);
    add_new(other.*rows, original.*rows, alternative.no_longer_saved);
  }
  add_new(original.recomputed_values, other.recomputed_values, alternative.recomputes);
  add_new(other.recomputed_values, original.recomputed_values, alternative.no_longer_recomputed);
  alternative.saved_bytes_change = other.totals.saved_bytes - original.totals.saved_bytes;
  alternative.saved_bytes_not_static_change = other.totals.saved_bytes_not_static - original.totals.saved_bytes_not_static;
  alternative.recomputed_flops_change = other.totals.recomputed_flops - original.totals.recomputed_flops;
  if (original.run_time && other.run_time) {
    alternative.recomputed_ms_change = other.run_time->recomputed_ms - original.run_time->recomputed_ms;
    alternative.step_ms = original.run_time->step_ms;
  }
  alternative.peak_bytes_change = other.memory.peak_bytes - original.memory.peak_bytes;
}

}  // namespace

Alternative find_alternative(const ExplainContext& context, const Report& original, ForcedTag forced) {
  for (const SavedValue& saved : original.saved_values) forced.saved.insert(saved.name);
  Alternative alternative;
  alternative.tag = forced.tag;
  try {
    const Decision other = decide(context.joint, context.settings, context.policies, context.start_clock(), forced);
    compare(original, carry_out(other, context.settings).report, alternative);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    alternative.refused = failure.diagnostics().front().message;
  }
  return alternative;
}

}  // namespace fxcut
