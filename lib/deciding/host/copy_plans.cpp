#include "host/copy_plans.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

constexpr std::int64_t kTimesAnItem = CopyPlans::kStepsAnItem - 1;  // relative to an evaluation's work

KeptStorages storages_in(const StorageStates& states, StorageState state) {
  KeptStorages storages;
  for (const StorageState one : states) storages.push_back(one == state);
  return storages;
}

}  // namespace

StorageStates states_of(const CopyPlan& plan) {
  StorageStates states = keeping(plan.available);
  for (const StorageUse& copied : plan.copies.copied) {
    const bool is_base = !plan.only.empty() && plan.only[copied.storage] != kNoItem;
    states[copied.storage] = is_base ? StorageState::CopiedBase : StorageState::Copied;
  }
  return states;
}

OnlySaved CopyPlans::only_bases(const KeptStorages& storages) const {
  OnlySaved only(problem_.storages.size(), kNoItem);
  for (StorageIndex s = 1; s < only.size(); ++s) {
    if (storages[s] && movable().may_move(s)) only[s] = movable().base_of(s);
  }
  return only;
}

bool CopyPlans::is_copied(const StorageUse& use, const StorageStates& states) const {
  const StorageState state = states[use.storage];
  return state == StorageState::Copied || state == StorageState::CopiedBase || is_marked(use.value);
}

std::vector<StorageUse> CopyPlans::take_marked(std::vector<StorageUse>& uses) const {
  const auto is_open = [&](const StorageUse& use) { return !is_marked(use.value); };
  const auto first = std::stable_partition(uses.begin(), uses.end(), is_open);
  std::vector<StorageUse> marked(first, uses.end());
  uses.erase(first, uses.end());
  return marked;
}

std::optional<Copies> CopyPlans::choose(const Run& run) {
  std::vector<StorageUse> open = run.uses;
  std::int64_t excess = run.outcome.bytes - limit_bytes_;
  for (const StorageUse& use : take_marked(open)) excess -= use.freed;
  return choose_copies(open, excess, uses_.forward_time(), channel_);
}

std::optional<CopyPlans::Run> CopyPlans::run(const KeptStorages& available, const OnlySaved& only, std::optional<Int128> most) {
  steps_ += static_cast<std::int64_t>(problem_.items.size());
  const Outcome outcome = evaluation_.run(available, only);
  if (!outcome.feasible || (most && outcome.run_cost >= *most)) return std::nullopt;
  steps_ += kTimesAnItem * static_cast<std::int64_t>(problem_.items.size());
  std::vector<StorageUse> uses = uses_.of(evaluation_);
  return Run{outcome, std::move(uses), uses_.forward_time()};
}

std::optional<CopyPlans::Run> CopyPlans::run(const StorageStates& states, std::optional<Int128> most) {
  return run(available_in(states), only_bases(storages_in(states, StorageState::CopiedBase)), most);
}

std::optional<CopyPlan> CopyPlans::of(const StorageStates& states, std::optional<Int128> most) {
  OnlySaved only = only_bases(storages_in(states, StorageState::CopiedBase));
  auto run_of = run(available_in(states), only, most);
  if (!run_of) return std::nullopt;
  Copies copies{std::move(run_of->uses), 0, 0};
  std::erase_if(copies.copied, [&](const StorageUse& use) { return !is_copied(use, states); });
  std::int64_t on_device = run_of->outcome.bytes;
  for (const StorageUse& use : copies.copied) {
    if (!is_marked(use.value)) copies.bytes += use.bytes;
    on_device -= use.freed;
  }
  if (on_device > limit_bytes_ || copies.bytes > channel_.most_bytes) return std::nullopt;
  copies.waiting = waiting_for(copies.copied, uses_.forward_time(), channel_);
  const Int128 time = run_of->outcome.run_cost + static_cast<Int128>(copies.waiting);
  return CopyPlan{evaluation_.used(), std::move(only), std::move(copies), on_device, time};
}

std::pair<std::vector<StorageUse>, double> CopyPlans::uses_if_saved(const CopyPlan& plan) {
  steps_ += (1 + kTimesAnItem) * static_cast<std::int64_t>(problem_.items.size());
  evaluation_.run(plan.available, plan.only);
  std::vector<StorageUse> uses = uses_.if_saved(evaluation_);
  return {std::move(uses), uses_.forward_time()};
}

std::optional<CopyPlan> CopyPlans::with_saved_values(const KeptStorages& available) {
  const auto all = run(available, {});
  if (!all) return std::nullopt;
  const auto copies = choose(*all);
  if (!copies) return std::nullopt;
  StorageStates states = keeping(evaluation_.used());
  for (const StorageUse& use : copies->copied) states[use.storage] = StorageState::Copied;
  return of(states);
}

std::optional<CopyPlan> CopyPlans::with_bases(const KeptStorages& available) {
  const auto all = run(available, only_bases(available));
  if (!all || all->outcome.bytes <= limit_bytes_) return std::nullopt;
  const auto copies = choose(*all);
  if (!copies) return std::nullopt;
  StorageStates states = keeping(available);
  for (const StorageUse& use : copies->copied) states[use.storage] = StorageState::CopiedBase;
  return of(states);
}

std::optional<StorageStates> CopyPlans::with_most_copies(const KeptStorages& available) {
  auto all = run(available, {});
  if (!all) return std::nullopt;
  StorageStates states = keeping(evaluation_.used());
  const auto copy = [&](std::vector<StorageUse> uses, StorageState state, std::int64_t host_bytes) {
    std::ranges::stable_sort(uses, {}, [](const StorageUse& use) {  // large ones first: small ones fill what room is left
      return std::pair(static_cast<double>(use.bytes) / static_cast<double>(use.freed), -use.bytes);
    });
    for (const StorageUse& use : take_marked(uses)) states[use.storage] = state;
    for (const StorageUse& use : uses) {
      if (states[use.storage] != StorageState::Kept || use.bytes > channel_.most_bytes - host_bytes) continue;
      states[use.storage] = state;
      host_bytes += use.bytes;
    }
    return host_bytes;
  };
  const std::int64_t host_bytes = copy(std::move(all->uses), StorageState::Copied, 0);
  all = run(available, only_bases(storages_in(states, StorageState::Kept)));  // where several values are saved
  if (all) copy(std::move(all->uses), StorageState::CopiedBase, host_bytes);
  return states;
}

std::optional<std::int64_t> CopyPlans::bytes_on_device(const StorageStates& states) {
  const auto all = run(states, std::nullopt);
  if (!all) return std::nullopt;
  std::int64_t bytes = all->outcome.bytes, host_bytes = 0;
  for (const StorageUse& use : all->uses) {
    if (!is_copied(use, states)) continue;
    bytes -= use.freed;
    if (!is_marked(use.value)) host_bytes += use.bytes;
  }
  return host_bytes > channel_.most_bytes ? std::nullopt : std::optional(bytes);
}

}  // namespace fxcut
