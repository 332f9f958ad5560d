// The choices tried so far: the cheapest within the limit, and the one with the lowest peak. Peaks are those of the operators,
// which are simulated, or those of compiled code, which are predicted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "frontier/changed_evaluation.h"
#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "peak/predicted_step.h"
#include "peak/room.h"
#include "peak/step_simulation.h"

namespace fxcut {

struct PeakChoice {
  KeptStorages kept;  // only storages that something is saved in
  Int128 run_cost = 0;
  Int128 peak_bytes = 0;
  std::optional<Int128> step_time = std::nullopt;  // of compiled code, where that is priced (PredictedStep::Run)

  // The measure by which choices within the limit are compared.
  Int128 cost() const { return step_time.value_or(run_cost); }
};

class PeakTrials {
 public:
  // All are kept by reference. `compiled`: predicts the code's peaks, which then count instead of the operators'.
  PeakTrials(const RecomputeProblem& problem, StepSimulation& simulation, WorkBudget& work,
             const PredictedStep* compiled = nullptr)
      : problem_(problem), simulation_(simulation), work_(work), compiled_(compiled), evaluation_(problem), changed_(problem) {}

  // From now on only choices with a peak within the limit can be the best; of those tried before, only the one with the lowest
  // peak is considered.
  void set_limit(Int128 limit_bytes) {
    limit_bytes_ = limit_bytes;
    best_.reset();
    least_run_cost_.reset();
    if (!lowest_ || lowest_->peak_bytes > limit_bytes) return;
    best_ = lowest_;
    least_run_cost_ = lowest_->run_cost;
  }
  Int128 limit_bytes() const { return limit_bytes_; }

  struct Tried {
    bool is_feasible = false;  // nothing is recomputed that must not be, and there is a peak
    Int128 run_cost = 0;
    StepSimulation::Result memory = {};
    std::optional<Int128> step_time = std::nullopt;
    Int128 keep_cost = 0;  // of the run cost
    Int128 recompute_cost() const { return run_cost - keep_cost; }
    Int128 peak_bytes() const { return memory.peak_bytes; }
  };
  Tried offer(const KeptStorages& kept);
  // The cost without the peak.
  Outcome evaluate(const KeptStorages& kept) {
    work_.charge(problem_.items.size());
    return evaluation_.run(kept);
  }
  // change_from() sets a choice, and evaluate_with() returns its outcome, without the peak, if one storage that was dropped is
  // kept, or the reverse; of an infeasible choice only that it is infeasible.
  void change_from(const KeptStorages& kept) {
    work_.charge(kept.size() / kStoragesAStep);
    count_changes([&] { changed_.set(kept); });
  }
  Outcome evaluate_with(StorageIndex changed) {
    Outcome found;
    count_changes([&] { found = changed_.feasible_with(changed); });
    return found;
  }

  // The saved bytes of the choice that evaluate_with() changes.
  std::int64_t bytes_before_change() const { return changed_.outcome().bytes; }
  // The room after the last offer, given its outcome. nullopt for compiled code.
  std::optional<Room> room_after(const Tried& tried);

  // Nothing if none is within the limit.
  const std::optional<PeakChoice>& best() const { return best_; }
  // The least run cost among the choices tried within the limit; the best may cost more and take less time.
  const std::optional<Int128>& least_run_cost() const { return least_run_cost_; }
  // Nothing if none is feasible.
  const std::optional<PeakChoice>& lowest() const { return lowest_; }
  std::size_t tried() const { return tried_; }
  bool is_spent() { return tried_ >= last_try_ || work_.is_exhausted(); }
  WorkBudget& work() { return work_; }

  const RecomputeProblem& problem() const { return problem_; }
  // The evaluation and the simulation of the last offer.
  const Evaluation& evaluation() const { return evaluation_; }
  const StepSimulation& simulation() const { return simulation_; }

 private:
  friend class FewTries;
  static constexpr std::size_t kStoragesAStep = 4;  // to compare two choices
  void count_changes(const auto& change) {
    const std::size_t before = changed_.work();
    change();
    work_.charge(changed_.work() - before + 1);
  }
  std::optional<PredictedStep::Run> memory();

  const RecomputeProblem& problem_;
  StepSimulation& simulation_;
  WorkBudget& work_;
  const PredictedStep* compiled_;
  Evaluation evaluation_;
  ChangedEvaluation changed_;
  Int128 limit_bytes_ = 0;
  std::optional<PeakChoice> best_, lowest_;
  std::optional<Int128> least_run_cost_;
  std::size_t tried_ = 0, last_try_ = std::numeric_limits<std::size_t>::max();
};

// While it lives, the trials are spent after that many more tries, or after those that were allowed before if these are fewer.
class [[nodiscard]] FewTries {
 public:
  FewTries(PeakTrials& trials, std::size_t most) : trials_(trials), last_try_before_(trials.last_try_) {
    trials.last_try_ = std::min(last_try_before_, trials.tried_ + most);
  }
  ~FewTries() { trials_.last_try_ = last_try_before_; }
  FewTries(const FewTries&) = delete;
  FewTries& operator=(const FewTries&) = delete;

 private:
  PeakTrials& trials_;
  std::size_t last_try_before_;
};

}  // namespace fxcut
