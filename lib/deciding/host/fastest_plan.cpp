#include "host/fastest_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontier/fixings.h"
#include "host/host_bound.h"

namespace fxcut {
namespace {

constexpr std::int64_t kStepsACopy = 4;  // of computing the waits anew, for each copy

// By storage: that of the form of its value.
std::vector<StorageIndex> storages_of_forms(const RecomputeProblem& problem) {
  std::vector<StorageIndex> forms(problem.storages.size(), kNoStorage);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].is_form()) continue;
    const Item& value = problem.items[problem.inputs_of(i).front()];
    if (value.has_storage()) forms[value.storage] = problem.items[i].storage;
  }
  return forms;
}

}  // namespace

// All storages are decided; the copies are being chosen.
struct FastestPlan::Leaf {
  std::vector<StorageUse> uses = {};  // that may be copied
  std::vector<StorageUse> copied = {};
  double forward_time = 0;
  Int128 run_cost = 0;
  std::int64_t on_device = 0, on_host = 0;
  std::vector<std::int64_t> freed_from = {};  // by use: bytes that copies of it and of later ones free

  void copy(const StorageUse& use) {
    copied.push_back(use);
    on_device -= use.freed;
    on_host += use.bytes;
  }

  void take_back_last() {
    on_device += copied.back().freed;
    on_host -= copied.back().bytes;
    copied.pop_back();
  }
};

bool have_one_value_each(const RecomputeProblem& problem, const MovableStorages& movable) {
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    if (movable.base_of(s) != kNoItem) return false;
  }
  return true;
}

FastestPlan::FastestPlan(const RecomputeProblem& problem, CopyPlans& plans, std::int64_t most_steps)
    : problem_(problem), plans_(plans), most_steps_(most_steps), relaxed_(relaxed_for_copies(problem, plans.movable())),
      evaluation_(relaxed_), states_(problem.storages.size(), StorageState::Recomputed), kept_(problem.storages.size(), false) {
  states_[kFreeStorage] = StorageState::Kept;
  kept_[kFreeStorage] = true;
  add_decisions();
  for (KeepableStorage& storage : relaxed_.storages) keep_costs_.push_back(std::exchange(storage.keep_cost, 0));
}

void FastestPlan::add_decisions() {
  const std::vector<StorageIndex> forms = storages_of_forms(problem_);
  std::vector<bool> is_form(forms.size(), false);  // of a value that may be kept as well
  for (const StorageIndex form : forms) {
    if (form != kNoStorage) is_form[form] = true;
  }
  const std::optional<FixedState> state = propagate(problem_, all_open(problem_), kNoLimit);
  is_complete_ = state.has_value();
  for (StorageIndex s = 1; state && s < problem_.storages.size(); ++s) {
    if (is_form[s]) continue;
    Decision decision{{s}, state->fixings[s] != Fixing::Kept};
    if (forms[s] != kNoStorage) decision.options.push_back(forms[s]);
    decisions_.push_back(std::move(decision));
    kept_[s] = true;
  }
  std::ranges::stable_sort(decisions_, std::ranges::greater(), [&](const Decision& decision) {
    const StorageIndex s = decision.options.front();
    return plans_.movable().may_move(s) ? plans_.movable().last_in_forward(s) : kNoTime;
  });
}

std::optional<CopyPlan> FastestPlan::find(std::optional<Int128> below) {
  below_ = below;
  fastest_.reset();
  if (is_complete_) decide(0);
  return std::move(fastest_);
}

bool FastestPlan::is_spent() {
  if (steps_ >= most_steps_) is_complete_ = false;
  return !is_complete_;
}

bool FastestPlan::may_be_faster() {
  steps_ += static_cast<std::int64_t>(problem_.items.size() + available_.size());
  const Outcome least = evaluation_.run(kept_);
  return least.feasible && (!below_ || least.run_cost + static_cast<Int128>(least_wait()) < *below_);
}

// Picoseconds, whatever is decided on the open storages.
double FastestPlan::least_wait() const {
  const HostChannel& channel = plans_.channel();
  double wait = 0;
  std::int64_t beyond = not_movable_ - plans_.limit_bytes();
  for (const Available& one : available_) {
    beyond += one.bytes;
    const double left = channel.overlaps ? plans_.movable().most_forward_time() - one.last_in_forward : 0;
    const double ways = channel.overlaps ? 1 : 2;
    wait = std::max(wait, ways * channel.picoseconds_per_byte * static_cast<double>(beyond) - left);
  }
  return std::floor(wait);
}

void FastestPlan::decide(std::size_t next) {
  if (is_spent() || !may_be_faster()) return;
  if (next == decisions_.size()) return choose_copies();
  const Decision& decision = decisions_[next];
  kept_[decision.options.front()] = false;
  for (const StorageIndex option : decision.options) decide_with(next, option);
  if (decision.may_be_recomputed) decide(next + 1);
  kept_[decision.options.front()] = true;
}

void FastestPlan::decide_with(std::size_t next, StorageIndex s) {
  const bool may_move = plans_.movable().may_move(s);
  const std::int64_t stays = may_move ? 0 : problem_.storages[s].bytes;
  if (not_movable_ + stays > plans_.limit_bytes()) return;
  kept_[s] = true;
  states_[s] = StorageState::Kept;
  relaxed_.storages[s].keep_cost = keep_costs_[s];
  not_movable_ += stays;
  if (may_move) add_available(s);
  decide(next + 1);
  if (may_move) drop_available(s);
  not_movable_ -= stays;
  relaxed_.storages[s].keep_cost = 0;
  states_[s] = StorageState::Recomputed;
  kept_[s] = false;
}

// After others that are last used at the same time.
std::vector<FastestPlan::Available>::iterator FastestPlan::place_of(StorageIndex s) {
  return std::ranges::upper_bound(available_, plans_.movable().last_in_forward(s), std::ranges::greater(),
                                  &Available::last_in_forward);
}

void FastestPlan::add_available(StorageIndex s) {
  const auto place = place_of(s);
  available_.insert(place, {plans_.movable().last_in_forward(s), relaxed_.storages[s].bytes});
}

// The last that was added.
void FastestPlan::drop_available(StorageIndex s) { available_.erase(place_of(s) - 1); }

void FastestPlan::choose_copies() {
  steps_ += CopyPlans::kStepsAnItem * static_cast<std::int64_t>(problem_.items.size());
  auto run = plans_.run(states_, below_);
  if (!run) return;
  std::vector<StorageUse> marked = plans_.take_marked(run->uses);
  Leaf leaf{.uses = std::move(run->uses),
            .copied = std::move(marked),
            .forward_time = run->forward_time,
            .run_cost = run->outcome.run_cost,
            .on_device = run->outcome.bytes};
  for (const StorageUse& use : leaf.copied) leaf.on_device -= use.freed;
  std::ranges::stable_sort(leaf.uses, {}, [](const StorageUse& use) { return use.last_in_forward - use.first_in_backward; });
  leaf.freed_from.assign(leaf.uses.size() + 1, 0);
  for (std::size_t i = leaf.uses.size(); i-- > 0;) leaf.freed_from[i] = leaf.freed_from[i + 1] + leaf.uses[i].freed;
  copy_more(leaf, 0);
}

void FastestPlan::copy_more(Leaf& leaf, std::size_t next) {
  const bool is_impossible = leaf.on_host > plans_.channel().most_bytes ||
                             leaf.on_device - leaf.freed_from[next] > plans_.limit_bytes();
  if (is_impossible || is_spent()) return;
  steps_ += kStepsACopy * static_cast<std::int64_t>(leaf.copied.size() + 1);
  const Int128 time = leaf.run_cost + static_cast<Int128>(waiting_for(leaf.copied, leaf.forward_time, plans_.channel()));
  if (below_ && time >= *below_) return;
  if (leaf.on_device <= plans_.limit_bytes()) {
    StorageStates states = states_;
    for (const StorageUse& use : leaf.copied) states[use.storage] = StorageState::Copied;
    if (std::optional<CopyPlan> plan = plans_.of(states)) {
      below_ = plan->time;
      fastest_ = std::move(plan);
    }
    return;
  }
  leaf.copy(leaf.uses[next]);
  copy_more(leaf, next + 1);
  leaf.take_back_last();
  copy_more(leaf, next + 1);
}

}  // namespace fxcut
