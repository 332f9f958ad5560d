#include "peak/save_within_peak.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/recompute_problem.h"
#include "frontier/save_within_limit.h"
#include "frontier/unmet_limit.h"
#include "frontier/with_forms.h"
#include "peak/given_choices.h"
#include "peak/saving_most.h"
#include "peak/search_again.h"
#include "peak/search_within_peak.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

Failure unmet_peak(const MemoryLimit& limit, Int128 lowest_bytes, std::string_view with = "") {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("found no decision with a peak of at most {} bytes{}: the lowest found is {} bytes ({})",
                             limit.bytes, with, lowest_bytes, show_scaled(static_cast<double>(lowest_bytes), "B")),
                 fmt::format("allow {} bytes, or 'least' for the lowest possible", lowest_bytes));
}

SavedValues saved_by(const Analysis& analysis, const RecomputeProblem& problem, const PeakAnswer& answer,
                     std::optional<Int128> floor_bytes = std::nullopt) {
  const std::int64_t bytes = Evaluation(problem).run(answer.choice->kept).bytes;
  return saved_by_frontier(analysis, problem, answer.choice->kept,
                           {.limit_bytes = bytes,
                            .saved_bytes = bytes,
                            .run_cost = answer.choice->run_cost,
                            .bound = std::min(answer.bound, answer.choice->run_cost),
                            .is_proven = answer.is_proven,
                            .steps = answer.steps,
                            .ended_by = answer.ended_by,
                            .peak = PeakLimitFacts{answer.limit_bytes, answer.tried, answer.bound, floor_bytes}});
}

SavedValues saved_by(const Analysis& analysis, const RecomputeProblem& problem, AgainAnswer answer) {
  SavedValues choice = saved_by(analysis, problem, answer.peak);  // the floor is of values that are recomputed once
  choice.again = std::move(answer.again);
  return choice;
}

// Work, as frontier/work_budget.h counts it: some tenths of a second of a core of 2023. Where the work is limited, this part of
// it.
constexpr std::int64_t kStepsByKernels = 30'000'000, kPartByKernels = 5;

bool is_work_limited(const SearchLimits& limits) { return limits.most_steps > 0; }

SearchLimits limits_by_kernels(const SearchLimits& limits) {
  const std::int64_t part = std::clamp<std::int64_t>(limits.most_steps / kPartByKernels, 1, kStepsByKernels);
  return limits.with_at_most(is_work_limited(limits) ? part : kStepsByKernels);
}

struct AskedPeak {
  const Analysis& analysis;
  const StorageBytes& storages;
  const MemoryLimit& limit;
  const SearchLimits& search;
};

ChoicesSavingMost within_saved_bytes(const AskedPeak& asked, const RecomputeProblem& problem) {
  StepSimulation simulation(asked.analysis, problem, asked.storages);
  Evaluation evaluation(problem);
  const auto peak_of = [&](const KeptStorages& kept) {
    evaluation.run(kept);
    return simulation.run(evaluation).peak_bytes;
  };
  return saving_most(problem, asked.limit.bytes, kNoLimit, asked.search.halt, peak_of);
}

// If keeping has a cost, the search goes astray: keeping more lowers the peak of recomputation, but then saves nothing. So it
// starts from the choice by the operators' prices, and from those that are good for saved bytes.
std::optional<PeakAnswer> search_by_kernels(const AskedPeak& asked, const RecomputeProblem& by_operators,
                                            const RecomputeProblem& problem, std::vector<KeptStorages> candidates) {
  const bool has_limit = asked.limit.is_least || asked.limit.bytes < kNoLimit;
  if (!has_limit) return search_within_peak(asked.analysis, problem, asked.storages, asked.limit, asked.search, candidates);
  const auto first = search_within_peak(asked.analysis, by_operators, asked.storages, asked.limit, asked.search, candidates);
  if (first) candidates.push_back(first->choice ? first->choice->kept : first->lowest.kept);
  ChoicesSavingMost saving;
  if (!asked.limit.is_least && !is_work_limited(asked.search)) saving = within_saved_bytes(asked, problem);
  std::ranges::move(saving.choices, std::back_inserter(candidates));
  auto answer =
      search_within_peak(asked.analysis, problem, asked.storages, asked.limit, limits_by_kernels(asked.search), candidates);
  if (!answer || !first) return answer;
  answer->tried += first->tried + saving.choices.size();
  answer->steps += first->steps + saving.steps;
  answer->floor_bytes = std::max(answer->floor_bytes, first->floor_bytes);
  return answer;
}

std::optional<PeakAnswer> search_by_prices(const AskedPeak& asked, const RecomputeProblem& by_operators,
                                           const RecomputeProblem& problem, const std::vector<KeptStorages>& candidates) {
  if (problem.prices_kernels) return search_by_kernels(asked, by_operators, problem, candidates);
  return search_within_peak(asked.analysis, problem, asked.storages, asked.limit, asked.search, candidates);
}

// Choices without forms, as choices of the problem with them, whose further storages come last.
std::vector<KeptStorages> in_larger(const RecomputeProblem& larger, std::vector<KeptStorages> choices, KeptStorages best) {
  choices.push_back(std::move(best));
  for (KeptStorages& kept : choices) kept.resize(larger.storages.size(), false);
  return choices;
}

SavedValues saved_by(const AskedPeak& asked, const RecomputeProblem& problem, const PeakAnswer& answer) {
  if (!answer.choice) throw unmet_peak(asked.limit, answer.lowest.peak_bytes);
  return saved_by(asked.analysis, problem, answer,
                  runs_as_simulated(asked.analysis.joint) ? std::optional(answer.floor_bytes) : std::nullopt);
}

}  // namespace

SavedValues save_within_peak_near(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                  const SearchLimits& search, const std::unordered_set<std::string>& saved) {
  const RecomputeProblem problem = operators_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  auto answer = search_again_near(analysis, problem, storages, limit, search, kept_by(analysis, problem, {saved, {}}));
  return answer ? saved_by(analysis, problem, std::move(*answer)) : save_within_peak(analysis, storages, limit, search);
}

SavedValues save_within_peak(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                             const SearchLimits& search) {
  const RecomputeProblem by_operators = operators_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  const std::vector<KeptStorages> pytorchs = pytorchs_choices(analysis, by_operators);
  if (analysis.settings.recompute_again) {
    auto answer = search_again_within_peak(analysis, by_operators, storages, limit, search, pytorchs);
    if (!answer) throw is_impossible(analysis, by_operators);
    if (!answer->peak.choice) throw unmet_peak(limit, answer->lowest_bytes, ", with values recomputed again");
    return saved_by(analysis, by_operators, std::move(*answer));
  }
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  const AskedPeak asked{analysis, storages, limit, search};
  auto answer = search_by_prices(asked, by_operators, problem, pytorchs);
  if (!answer) throw is_impossible(analysis, problem);
  const RecomputeProblem larger = with_allowed_forms(analysis, problem);
  if (larger.forms.empty()) return saved_by(asked, problem, *answer);
  answer = search_by_prices(asked, with_allowed_forms(analysis, by_operators), larger,
                            in_larger(larger, pytorchs, answer->choice ? answer->choice->kept : answer->lowest.kept));
  return saved_by(asked, larger, *answer);
}

}  // namespace fxcut
