#include "peak/host_trials.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fxcut {
namespace {

constexpr int kMaxRounds = 12;  // of more copies
constexpr double kTooLittle = 2;  // picoseconds: no better, but for how it is rounded

// The first of these that together have the bytes.
void take(std::vector<StorageUse>& copied, const std::vector<StorageUse>& ordered, Int128 bytes) {
  for (const StorageUse& use : ordered) {
    if (bytes <= 0) return;
    copied.push_back(use);
    bytes -= use.freed;
  }
}

}  // namespace

std::optional<Outcome> HostTrials::evaluate(const KeptStorages& available) {
  steps_ += static_cast<std::int64_t>(problem_.items.size());
  const Outcome outcome = evaluation_.run(available);
  if (!outcome.feasible || (best_ && outcome.run_cost >= best_->time)) return std::nullopt;
  return outcome;
}

HostTrials::Simulated HostTrials::simulate(const Outcome& outcome, const std::vector<StorageUse>& copied) {
  steps_ += static_cast<std::int64_t>(simulation_.steps_a_run());
  ++tried_;
  const StepSimulation::Result memory = simulation_.run(evaluation_, copied, &channel_);
  const auto waiting = static_cast<Int128>(memory.waiting);
  HostPlan plan{{}, {}, outcome.bytes, 0, outcome.run_cost + waiting, waiting, memory.peak_bytes};
  for (const StorageUse& use : copied) {
    plan.on_host += use.bytes;
    plan.on_device -= use.freed;
  }
  if (plan.on_host > channel_.channel.most_bytes) return {memory, false};
  const auto by_time = [](const HostPlan& p) { return std::tuple(p.time, p.on_host, p.peak_bytes); };
  const auto by_peak = [](const HostPlan& p) { return std::tuple(p.peak_bytes, p.time, p.on_host); };
  const bool is_better = plan.peak_bytes <= limit_bytes_ && (!best_ || by_time(plan) < by_time(*best_));
  const bool is_lower = !lowest_ || by_peak(plan) < by_peak(*lowest_);
  if (is_better || is_lower) {
    plan.available = evaluation_.used();
    plan.copied = copied;
  }
  if (is_lower) lowest_ = plan;
  if (is_better) {
    best_ = std::move(plan);
    is_changed_from_best_ = is_estimate_of_best_ = false;
    room_of_best_.reset();
  }
  return {memory, is_better};
}

bool HostTrials::offer(const StorageStates& states) {
  const auto outcome = evaluate(available_in(states));
  if (!outcome) return false;
  std::vector<StorageUse> copied = uses_.of(evaluation_);
  std::erase_if(copied, [&](const StorageUse& use) { return states[use.storage] != StorageState::Copied; });
  return simulate(*outcome, copied).is_better;
}

// The uses that a copy would take away from the last simulation's peak.
std::vector<StorageUse> HostTrials::in_use_at_peak(const StepSimulation::Result& result,
                                                   const std::vector<StorageUse>& uses) const {
  std::vector<bool> is_in_use(problem_.storages.size(), false);
  for (const StepSimulation::InUse& one : simulation_.in_use_at(result.peak_step)) {
    const ItemIndex item = simulation_.item_of(one);
    if (item == kNoItem || one.made_in_backward || problem_.items[item].storage == kNoStorage) continue;
    is_in_use[problem_.items[item].storage] = true;
  }
  const bool in_forward = result.peak_step < result.forward_steps;
  double at = 0;  // on the clock of its side
  for (std::size_t s = in_forward ? 0 : result.forward_steps; s < result.peak_step; ++s) {
    at += static_cast<double>(channel_.run_times[index_of(simulation_.steps()[s])]);
  }
  std::vector<StorageUse> found;
  for (const StorageUse& use : uses) {
    const bool is_away = in_forward ? use.last_in_forward <= at : use.first_in_backward > at;
    if (is_in_use[use.storage] && is_away) found.push_back(use);
  }
  return found;
}

bool HostTrials::offer_with_copies(const KeptStorages& available, bool earliest) {
  const auto outcome = evaluate(available);
  if (!outcome) return false;
  std::vector<StorageUse> uses = uses_.of(evaluation_), copied;
  std::vector<bool> is_copied(problem_.storages.size(), false);
  std::ranges::stable_sort(uses, {}, [&](const StorageUse& use) {
    return earliest ? use.last_in_forward : use.last_in_forward - use.first_in_backward;
  });
  for (int round = 0; round < kMaxRounds; ++round) {
    const Simulated simulated = simulate(*outcome, copied);
    if (simulated.memory.peak_bytes <= limit_bytes_) return simulated.is_better;
    std::vector<StorageUse> candidates = in_use_at_peak(simulated.memory, uses);
    std::erase_if(candidates, [&](const StorageUse& use) { return is_copied[use.storage]; });
    if (candidates.empty()) return false;
    const std::size_t before = copied.size();
    take(copied, candidates, simulated.memory.peak_bytes - limit_bytes_);
    for (std::size_t i = before; i < copied.size(); ++i) is_copied[copied[i].storage] = true;
  }
  return false;
}

StorageStates HostTrials::states_of_best() const {
  StorageStates states = keeping(best_->available);
  for (const StorageUse& use : best_->copied) states[use.storage] = StorageState::Copied;
  return states;
}

void HostTrials::change_from_best() {
  if (std::exchange(is_changed_from_best_, true)) return;
  changed_.set(best_->available);
}

void HostTrials::estimate_from_best() {
  if (std::exchange(is_estimate_of_best_, true)) return;
  steps_ += static_cast<std::int64_t>(problem_.items.size());
  evaluation_.run(best_->available);
  const std::vector<StorageUse> uses = uses_.if_saved(evaluation_);
  estimate_.change_from(states_of_best(), {}, uses, uses_.forward_time());
}

bool HostTrials::may_be_better(std::span<const StateChange> changes) {
  const std::size_t before = estimate_.work();
  estimate_from_best();
  const bool may = estimate_.may_be_within(changes, kNoLimit, estimate_.time() - kTooLittle);
  steps_ += static_cast<std::int64_t>(estimate_.work() - before);
  return may;
}

bool HostTrials::may_keep(StorageIndex s) {
  if (!room_of_best_) find_room_of_best();
  change_from_best();
  const Outcome now = changed_.outcome(), then = changed_.feasible_with(s);
  return !room_of_best_->is_exceeded(s, then.bytes - now.bytes, limit_bytes_);
}

// Simulates the best plan again.
void HostTrials::find_room_of_best() {
  steps_ += static_cast<std::int64_t>(problem_.items.size() + 2 * simulation_.steps_a_run());
  evaluation_.run(best_->available);
  const StepSimulation::Result memory = simulation_.run(evaluation_, best_->copied, &channel_);
  room_of_best_.emplace(problem_, evaluation_, simulation_, memory);
}

}  // namespace fxcut
