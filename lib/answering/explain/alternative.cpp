#include "explain/alternative.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "diagnostic/attempt.h"
#include "partition/peak_search.h"
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

// Compares the figures, and notes a value that only the other decision computes differently.
void compare(const DecisionEffect& original, const DecisionEffect& other, Alternative& alternative) {
  alternative.saved_bytes_not_static_change = other.held_bytes - original.held_bytes;
  alternative.recomputed_flops_change = other.recomputed_flops - original.recomputed_flops;
  alternative.recomputed_ms_change = other.recomputed_ms - original.recomputed_ms;
  alternative.step_ms_change = other.step_ms - original.step_ms;
  const auto is_known = [&](const UnsoundValue& fault) {
    return std::any_of(original.unsound.begin(), original.unsound.end(), [&](const UnsoundValue& known) {
      return known.name == fault.name && known.fault == fault.fault;
    });
  };
  const auto found = std::find_if_not(other.unsound.begin(), other.unsound.end(), is_known);
  if (found != other.unsound.end()) alternative.adds_fault = found->text;
}

void compare(const Report& original, const Report& other, Alternative& alternative) {
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    add_new(original.*rows, other.*rows, alternative.saves);
    add_new(other.*rows, original.*rows, alternative.no_longer_saved);
  }
  add_new(original.recomputed_values, other.recomputed_values, alternative.recomputes);
  add_new(other.recomputed_values, original.recomputed_values, alternative.no_longer_recomputed);
  alternative.saved_bytes_change = other.totals.saved_bytes - original.totals.saved_bytes;
  compare(effect_of(original), effect_of(other), alternative);
  if (original.run_time) alternative.step_ms = original.run_time->step_ms;
  alternative.peak_bytes_change = other.memory.counted_peak_bytes() - original.memory.counted_peak_bytes();
}

// The difference of the report that `make` returns from the original, or the reason why it refuses.
template <typename Effect, typename Make>
Alternative compared_with(const Effect& original, CheckpointPolicy tag, const Make& make) {
  Alternative alternative;
  alternative.tag = tag;
  if (const auto other = attempt(make)) {
    compare(original, *other, alternative);
  } else {
    alternative.refused = other.failure().diagnostics().front().message;
  }
  return alternative;
}

// As `fxcut partition` does.
Report decide_otherwise(const ExplainContext& context, const PolicyStack& policies, const std::optional<ForcedTag>& forced = {}) {
  const HaltRequested halt = context.start_clock();
  if (!context.asked.peak_bytes_limit) return partition(context.joint, context.asked, policies, halt, kNoProgress, forced).report;
  return partition_within_peak(context.joint, context.asked, policies, halt, kNoProgress, forced).report;
}

}  // namespace

std::shared_ptr<const Decision> decision_of(const ExplainContext& context) {
  if (context.decision) return context.decision;
  return std::make_shared<Decision>(decide(context.joint, context.settings, context.policies, context.start_clock()));
}

Alternative find_alternative(const ExplainContext& context, const Report& original, ForcedTag forced) {
  for (const SavedValue& saved : original.saved_values) forced.saved.insert(saved.name);
  return compared_with(original, forced.tag, [&] { return decide_otherwise(context, context.policies, forced); });
}

Alternative find_alternative(const ExplainContext& context, const Report& original, const PolicyStack& policies) {
  return compared_with(original, CheckpointPolicy::MustRecompute, [&] { return decide_otherwise(context, policies); });
}

Alternative weigh_alternative(const ExplainContext& context, const DecisionEffect& original, const PolicyStack& policies) {
  return compared_with(original, CheckpointPolicy::MustRecompute,
                       [&] { return weigh(context.joint, context.settings, policies, context.start_clock()); });
}

}  // namespace fxcut
