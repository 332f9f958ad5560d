#include "peak/peak_trials.h"

#include <utility>

namespace fxcut {

// The memory of the last evaluation.
std::optional<PredictedStep::Run> PeakTrials::memory() {
  const StepSimulation::Result simulated = simulation_.run(evaluation_);
  if (compiled_ == nullptr) return PredictedStep::Run{simulated};
  return compiled_->run(evaluation_, simulation_, simulated, work_);
}

PeakTrials::Tried PeakTrials::offer(const KeptStorages& kept) {
  work_.charge(problem_.items.size() + simulation_.steps_a_run());
  ++tried_;
  const Outcome outcome = evaluation_.run(kept);
  if (!outcome.feasible) return {};
  const std::optional<PredictedStep::Run> found = memory();
  if (!found) return {};
  const Tried tried{true, outcome.run_cost, found->memory, found->time, outcome.keep_cost};
  const auto by_cost = [](const PeakChoice& c) { return std::pair(c.cost(), c.peak_bytes); };
  const auto by_peak = [](const PeakChoice& c) { return std::pair(c.peak_bytes, c.cost()); };
  PeakChoice choice{{}, tried.run_cost, tried.peak_bytes(), tried.step_time};
  const bool fits = tried.peak_bytes() <= limit_bytes_;
  const bool is_best = fits && (!best_ || by_cost(choice) < by_cost(*best_));
  const bool is_lowest = !lowest_ || by_peak(choice) < by_peak(*lowest_);
  if (fits) least_run_cost_ = std::min(least_run_cost_.value_or(tried.run_cost), tried.run_cost);
  if (is_best || is_lowest) choice.kept = evaluation_.used();
  if (is_best) {
    best_ = choice;
    work_.note_better();
  }
  if (is_lowest) lowest_ = std::move(choice);
  return tried;
}

std::optional<Room> PeakTrials::room_after(const Tried& tried) {
  if (compiled_ != nullptr) return std::nullopt;
  work_.charge(simulation_.steps().size());
  return Room(problem_, evaluation_, simulation_, tried.memory);
}

}  // namespace fxcut
