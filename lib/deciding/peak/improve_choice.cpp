#include "peak/improve_choice.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace fxcut {
namespace {

constexpr std::size_t kMaxWithRoom = 12;  // dropped storages after which make_room() is tried as well

// The storages in use at that step of the last offer that were made in the backward, or before it; each once.
std::vector<StorageIndex> in_use_at(const PeakTrials& trials, std::size_t step, bool made_in_backward) {
  std::vector<StorageIndex> found;
  for (const auto& in_use : trials.simulation().in_use_at(step)) {
    const ItemIndex item = trials.simulation().item_of(in_use);
    if (item == kNoItem || in_use.made_in_backward != made_in_backward) continue;
    const Item& made = trials.problem().items[item];
    if (made.has_storage()) found.push_back(made.storage);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Tries one storage, and then twice as many at once as long as all fit.
class Filling {
 public:
  Filling(PeakTrials& trials, const std::vector<double>& prices) : trials_(trials), prices_(prices) {}

  // Never keeps `left_out`.
  void run(KeptStorages kept, StorageIndex left_out) {
    now_ = trials_.offer(kept);
    if (!now_.is_feasible) return;
    kept_ = std::move(kept);
    note_accepted();
    offers_ = {};
    for (const StorageIndex s : worth_keeping(trials_.problem(), trials_.evaluation())) {
      if (s != left_out) offers_.push({std::numeric_limits<double>::infinity(), s});
    }
    for (std::size_t at_once = 1; !offers_.empty() && !trials_.is_spent();) {
      const std::vector<Offer> added = add_best(at_once);
      if (added.empty()) return;
      const auto tried = trials_.offer(kept_);
      if (tried.peak_bytes() <= most_bytes()) {
        now_ = tried;
        note_accepted();
        at_once *= 2;
        continue;
      }
      for (const Offer& offer : added) kept_[offer.storage] = false;
      trials_.change_from(kept_);
      if (added.size() > 1) {
        for (const Offer& offer : added) offers_.push(offer);
      }
      at_once = std::max<std::size_t>(1, added.size() / 2);
    }
  }

 private:
  struct Offer {
    double worth;
    StorageIndex storage;
    bool operator<(const Offer& other) const {
      return worth != other.worth ? worth < other.worth : storage > other.storage;
    }
  };

  Int128 most_bytes() const { return std::max(trials_.limit_bytes(), now_.peak_bytes()); }

  void note_accepted() {
    trials_.change_from(kept_);
    room_ = trials_.room_after(now_);
  }

  // Keeps the best offers, that many or all that are left. Lazy: the gain of a storage is computed again only when its last one
  // is the largest.
  std::vector<Offer> add_best(std::size_t count) {
    std::vector<Offer> added;
    Int128 run_cost = now_.run_cost;
    while (added.size() < count && !offers_.empty() && !trials_.is_spent()) {
      const StorageIndex s = offers_.top().storage;
      offers_.pop();
      const Outcome then = trials_.evaluate_with(s);
      if (!then.feasible || then.run_cost >= run_cost) continue;
      const double worth = static_cast<double>(run_cost - then.run_cost) / prices_[s];
      if (!offers_.empty() && worth < offers_.top().worth) {
        offers_.push({worth, s});
        continue;
      }
      if (room_ && room_->is_exceeded(s, then.bytes - trials_.bytes_before_change(), most_bytes())) continue;
      added.push_back({worth, s});
      kept_[s] = true;
      if (added.size() == count) break;
      trials_.change_from(kept_);
      run_cost = then.run_cost;
    }
    return added;
  }

  PeakTrials& trials_;
  const std::vector<double>& prices_;
  KeptStorages kept_;
  PeakTrials::Tried now_;       // with these
  std::optional<Room> room_;    // of the same
  std::priority_queue<Offer> offers_;
};

// The kept storages, first those whose loss costs least for their price.
std::vector<StorageIndex> by_worth(PeakTrials& trials, const PeakChoice& choice, const std::vector<double>& prices) {
  std::vector<std::pair<double, StorageIndex>> worth;
  trials.change_from(choice.kept);
  for (StorageIndex s = 1; s < choice.kept.size(); ++s) {
    if (!choice.kept[s]) continue;
    const Outcome without = trials.evaluate_with(s);
    if (without.feasible) worth.push_back({static_cast<double>(without.run_cost - choice.run_cost) / prices[s], s});
  }
  std::stable_sort(worth.begin(), worth.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<StorageIndex> storages;
  for (const auto& [cost, s] : worth) storages.push_back(s);
  return storages;
}

class PeakLowering {
 public:
  PeakLowering(PeakTrials& trials, const std::vector<double>& prices)
      : trials_(trials), prices_(prices), worth_(prices.size(), -1), is_left_(prices.size(), true) {}

  std::optional<KeptStorages> run(KeptStorages kept) {
    auto now = trials_.offer(kept);
    std::size_t at_once = 1;
    while (now.is_feasible && now.peak_bytes() > trials_.limit_bytes() && !trials_.is_spent()) {
      kept = trials_.evaluation().used();
      const std::vector<StorageIndex> in_use = left_of(in_use_at(trials_, now.memory.peak_step, false), kept);
      at_once = std::min(at_once, 1 + in_use.size() / kShareAtOnce);
      const std::vector<StorageIndex> least = least_worth(kept, in_use, now.run_cost, at_once);
      if (least.empty()) return std::nullopt;
      for (const StorageIndex s : least) kept[s] = false;
      const auto then = trials_.offer(kept);
      const bool is_lower = then.is_feasible && then.peak_bytes() < now.peak_bytes();
      if (least.size() > 1 && (!is_lower || then.peak_bytes() <= trials_.limit_bytes())) {  // fewer may be enough
        for (const StorageIndex s : least) kept[s] = true;
        now = trials_.offer(kept);
        at_once = least.size() / 2;
        continue;
      }
      if (!is_lower) is_left_[least.front()] = false;
      if (!then.is_feasible || then.peak_bytes() > now.peak_bytes()) {
        kept[least.front()] = true;
        now = trials_.offer(kept);
        continue;
      }
      if (is_lower) at_once = 2 * least.size();
      now = then;
    }
    return now.is_feasible && now.peak_bytes() <= trials_.limit_bytes() ? std::optional(kept) : std::nullopt;
  }

 private:
  static constexpr std::size_t kShareAtOnce = 16;  // of those in use at the peak, how small a part is dropped at once

  std::vector<StorageIndex> left_of(std::vector<StorageIndex> storages, const KeptStorages& kept) const {
    std::erase_if(storages, [&](StorageIndex s) { return !kept[s] || !is_left_[s]; });
    return storages;
  }

  // Those of the least worth, one after the other. Lazy: it is computed again only when a storage's last one is the least.
  std::vector<StorageIndex> least_worth(KeptStorages kept, std::vector<StorageIndex> of, Int128 run_cost, std::size_t count) {
    const auto by_worth = [&](StorageIndex a, StorageIndex b) { return worth_[a] != worth_[b] ? worth_[a] > worth_[b] : a > b; };
    std::make_heap(of.begin(), of.end(), by_worth);
    std::vector<StorageIndex> least;
    std::vector<std::size_t> fresh_at(worth_.size(), count);  // by storage, how many were found when its worth was computed
    trials_.change_from(kept);
    while (!of.empty() && !trials_.is_spent()) {
      std::pop_heap(of.begin(), of.end(), by_worth);
      const StorageIndex s = of.back();
      of.pop_back();
      const Outcome without = trials_.evaluate_with(s);
      if (!without.feasible) {
        if (least.empty()) is_left_[s] = false;
        continue;
      }
      if (fresh_at[s] == least.size()) {
        least.push_back(s);
        if (least.size() == count) return least;
        kept[s] = false;
        run_cost = without.run_cost;
        trials_.change_from(kept);
        continue;
      }
      worth_[s] = static_cast<double>(without.run_cost - run_cost) / prices_[s];
      fresh_at[s] = least.size();
      of.push_back(s);
      std::push_heap(of.begin(), of.end(), by_worth);
    }
    return trials_.is_spent() ? std::vector<StorageIndex>() : least;
  }

  PeakTrials& trials_;
  const std::vector<double>& prices_;
  std::vector<double> worth_;   // by storage, when last computed
  std::vector<bool> is_left_;   // by storage: whether dropping it may help
};

}  // namespace

std::optional<KeptStorages> bring_within_limit(PeakTrials& trials, KeptStorages kept, const std::vector<double>& prices) {
  return PeakLowering(trials, prices).run(std::move(kept));
}

KeptStorages make_room(PeakTrials& trials, KeptStorages kept) {
  while (!trials.is_spent()) {
    const auto now = trials.offer(kept);
    if (!now.is_feasible) return kept;
    kept = trials.evaluation().used();
    std::optional<StorageIndex> best;
    Int128 lowest = now.peak_bytes();
    for (const StorageIndex s : in_use_at(trials, now.memory.peak_step, true)) {
      if (trials.is_spent()) return kept;
      if (kept[s]) continue;
      kept[s] = true;
      const auto then = trials.offer(kept);
      kept[s] = false;
      if (!then.is_feasible || then.recompute_cost() > now.recompute_cost() || then.peak_bytes() >= lowest) continue;
      best = s;
      lowest = then.peak_bytes();
    }
    if (!best) return kept;
    kept[*best] = true;
  }
  return kept;
}

void fill(PeakTrials& trials, const KeptStorages& kept, const std::vector<double>& prices) {
  Filling(trials, prices).run(kept, kNoStorage);
}

void make_cheaper(PeakTrials& trials, const std::vector<double>& prices) {
  if (!trials.best()) return;
  Filling filling(trials, prices);
  filling.run(trials.best()->kept, kNoStorage);
  for (bool improves = true; improves && !trials.is_spent();) {
    improves = false;
    const PeakChoice before = *trials.best();
    std::size_t looked_at = 0;
    for (const StorageIndex s : by_worth(trials, before, prices)) {
      if (trials.is_spent()) break;
      KeptStorages without = before.kept;
      without[s] = false;
      if (looked_at++ < kMaxWithRoom) without = make_room(trials, std::move(without));
      filling.run(std::move(without), s);
      improves = trials.best()->cost() < before.cost();
      if (improves) break;
    }
  }
}

void make_lower(PeakTrials& trials, KeptStorages kept, Descent descent) {
  if (trials.is_spent()) return;
  auto now = trials.offer(kept);
  const auto rank = [](const PeakTrials::Tried& tried) { return std::pair(tried.peak_bytes(), tried.run_cost); };
  while (now.is_feasible) {
    kept = trials.evaluation().used();
    std::vector<StorageIndex> flips = in_use_at(trials, now.memory.peak_step, false);
    for (const StorageIndex s : in_use_at(trials, now.memory.peak_step, true)) flips.push_back(s);
    if (descent == Descent::First) {
      const auto bytes = [&](StorageIndex s) { return trials.problem().storages[s].bytes; };
      std::ranges::stable_sort(flips, std::greater(), bytes);
    }
    std::optional<StorageIndex> best;
    auto lowest = now;
    trials.change_from(kept);
    for (const StorageIndex s : flips) {
      if (trials.is_spent()) return;
      if (!trials.evaluate_with(s).feasible) continue;
      kept[s] = !kept[s];
      const auto then = trials.offer(kept);
      kept[s] = !kept[s];
      if (!then.is_feasible || rank(then) >= rank(lowest)) continue;
      best = s;
      lowest = then;
      if (descent == Descent::First && lowest.peak_bytes() < now.peak_bytes()) break;
    }
    if (!best || lowest.peak_bytes() >= now.peak_bytes() || trials.is_spent()) return;
    kept[*best] = !kept[*best];
    now = trials.offer(kept);
  }
}

}  // namespace fxcut
