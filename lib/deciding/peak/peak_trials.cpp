#include "peak/peak_trials.h"

#include <utility>

namespace fxcut {

// Of the last evaluation.
std::optional<StepSimulation::Result> PeakTrials::memory() {
  const StepSimulation::Result simulated = simulation_.run(evaluation_);
  if (compiled_ == nullptr) return simulated;
  return compiled_->run(evaluation_, simulation_, simulated, effort_);
}

PeakTrials::Tried PeakTrials::offer(const KeptStorages& kept) {
  effort_.take(problem_.items.size() + simulation_.steps_a_run());
  ++tried_;
  const Outcome outcome = evaluation_.run(kept);
  if (!outcome.feasible) return {};
  const std::optional<StepSimulation::Result> found = memory();
  if (!found) return {};
  const Tried tried{true, outcome.run_cost, *found};
  const auto by_cost = [](const PeakChoice& c) { return std::pair(c.run_cost, c.peak_bytes); };
  const auto by_peak = [](const PeakChoice& c) { return std::pair(c.peak_bytes, c.run_cost); };
  const PeakChoice choice{{}, tried.run_cost, tried.peak_bytes()};
  if (tried.peak_bytes() <= limit_bytes_ && (!best_ || by_cost(choice) < by_cost(*best_))) {
    best_ = {evaluation_.used(), tried.run_cost, tried.peak_bytes()};
    effort_.note_better();
  }
  if (!lowest_ || by_peak(choice) < by_peak(*lowest_)) lowest_ = {evaluation_.used(), tried.run_cost, tried.peak_bytes()};
  return tried;
}

std::optional<Room> PeakTrials::room_after(const Tried& tried) {
  if (compiled_ != nullptr) return std::nullopt;
  effort_.take(simulation_.steps().size());
  return Room(problem_, evaluation_, simulation_, tried.memory);
}

}  // namespace fxcut
