#include "sizes/each_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "cost/estimators.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "policy/budget.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// The limit of the settings, or of the memory budget that they or the graph set.
std::int64_t limit_at(const FrontierSteps& steps, const Settings& settings) {
  if (settings.saved_bytes_limit) return settings.saved_bytes_limit->bytes;
  const Analysis& analysis = steps.analysis();
  return limit_of_budget(analysis, steps.storages(), resolve_budget(analysis.joint, analysis.roles, settings));
}

// The factor by which the choice is above the limits: 1 if it is within each.
double factor_above(const std::vector<ProblemAtSize>& sizes, const std::vector<Outcome>& outcomes) {
  double factor = 1;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    if (!outcomes[p].feasible) return std::numeric_limits<double>::infinity();
    const auto limit = static_cast<double>(std::max<std::int64_t>(sizes[p].limit_bytes, 1));
    factor = std::max(factor, static_cast<double>(outcomes[p].bytes) / limit);
  }
  return factor;
}

}  // namespace

Failure at_size(const Failure& failure, const SymbolHints& hints) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& one : diagnostics) one.message = fmt::format("at {}: {}", show_hints(hints), one.message);
  return Failure(failure.status(), std::move(diagnostics));
}

EachSize::EachSize(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies)
    : graphs_(sizes) {
  for (const JointGraph& joint : sizes) {
    const FrontierSteps& steps = *steps_.emplace_back(std::make_unique<FrontierSteps>(joint, settings, policies));
    if (steps.backward_is_empty()) {
      is_one_problem_ = false;
      return;
    }
    const Analysis& analysis = steps.analysis();
    sized_.push_back({costed_problem(analysis, steps.storages(), estimator_of_frontier(analysis.settings))});
    if (!are_alike(sized_.front().problem, sized_.back().problem)) {
      is_one_problem_ = false;
      return;
    }
  }
  for (std::size_t p = 0; p < sized_.size() && !settings.peak_bytes_limit; ++p) {
    if (settings.saved_bytes_limit && settings.saved_bytes_limit->is_least) {
      LeastFound least = least_at(p);
      sized_[p].limit_bytes = least.choice.bytes;
      least_.push_back(std::move(least.choice.kept));
    } else {
      sized_[p].limit_bytes = limit_at(*steps_[p], settings);
    }
  }
}

std::vector<Int128> EachSize::limits() const {
  std::vector<Int128> limits;
  for (const ProblemAtSize& size : sized_) limits.push_back(size.limit_bytes);
  return limits;
}

LeastFound EachSize::least_at(std::size_t at) const {
  const Analysis& analysis = steps_[at]->analysis();
  const RecomputeProblem& problem = sized_[at].problem;
  WorkBudget work({}, problem.items.size());
  return find_least(analysis, problem, pytorchs_choices(analysis, problem), work);
}

void EachSize::count(std::optional<std::size_t> only) {
  for (std::size_t p = 0; p < sized_.size(); ++p) sized_[p].counts = !only || p == *only;
}

ChoiceForEach EachSize::search_within(const std::vector<Int128>& limits, std::optional<std::size_t> only,
                                      const SearchLimits& search) {
  count(only);
  for (std::size_t p = 0; p < sized_.size(); ++p) {
    sized_[p].limit_bytes = static_cast<std::int64_t>(std::max<Int128>(limits[p], 0));
  }
  return search_within_each(sized_, search);
}

ChoiceForEach EachSize::search(std::optional<std::size_t> only, const SearchLimits& limits) {
  count(only);
  std::vector<KeptStorages> candidates = least_;
  for (std::size_t p = 0; p < sized_.size() && least_.empty(); ++p) candidates.push_back(least_at(p).choice.kept);
  ChoiceForEach found = search_within_each(sized_, limits, candidates);
  if (!found.kept && !least_.empty()) {
    raise_limits(least_);
    found = search_within_each(sized_, limits, candidates);
  }
  if (!found.kept) refuse_where_impossible();
  return found;
}

// To those of the candidate that is above them by the smallest factor.
void EachSize::raise_limits(const std::vector<KeptStorages>& candidates) {
  double factor = std::numeric_limits<double>::infinity();
  for (const KeptStorages& kept : candidates) factor = std::min(factor, factor_above(sized_, outcomes(kept)));
  if (factor == std::numeric_limits<double>::infinity()) return;
  for (ProblemAtSize& size : sized_) {
    const double raised = factor * static_cast<double>(std::max<std::int64_t>(size.limit_bytes, 1));
    size.limit_bytes = static_cast<std::int64_t>(std::min(raised + 1, 9e18));
  }
}

void EachSize::refuse_where_impossible() const {
  for (std::size_t p = 0; p < sized_.size(); ++p) {
    const LeastFound least = least_at(p);
    if (sized_[p].limit_bytes >= least.choice.bytes) continue;
    throw at_size(unmet_limit(steps_[p]->analysis(), sized_[p].problem, sized_[p].limit_bytes, least, false), graphs_[p].hints);
  }
}

KeptStorages EachSize::kept_by(const Report& report) const {
  std::unordered_set<std::string_view> saved;
  for (const SavedValue& value : report.saved_values) saved.insert(value.name);
  const RecomputeProblem& problem = sized_.front().problem;
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    if (item.savable && saved.contains(steps_.front()->analysis().node(item.node).name)) kept[item.storage] = true;
  }
  return kept;
}

}  // namespace fxcut
