#include "peak/improve_choice.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace fxcut {
namespace {

constexpr std::size_t kMostWithRoom = 12;  // dropped storages after which make_room() is tried as well

// The storages in use at that step of the last offer that were made in the backward, or before it; each once.
std::vector<StorageIndex> in_use_at(const PeakTrials& trials, std::size_t step, bool made_in_backward) {
  std::vector<StorageIndex> found;
  for (const auto& in_use : trials.simulation().in_use_at(step)) {
    const ItemIndex item = trials.simulation().item_of(in_use.node);
    if (item == kNoItem || in_use.made_in_backward != made_in_backward) continue;
    const StorageIndex s = trials.problem().items[item].storage;
    if (s != kNoStorage && s != kFreeStorage) found.push_back(s);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

class Filling {
 public:
  Filling(PeakTrials& trials, const std::vector<double>& prices) : trials_(trials), prices_(prices) {}

  // Never keeps `left_out`. Lazy: the gain of a storage is computed again only when its last one is the largest, and the
  // peak only when it still is.
  void run(KeptStorages kept, StorageIndex left_out) {
    auto now = trials_.offer(kept);
    if (!now.is_feasible) return;
    trials_.change_from(kept);
    std::priority_queue<Offer> offers;
    for (const StorageIndex s : worth_keeping(trials_.problem(), trials_.evaluation())) {
      if (s != left_out) offers.push({std::numeric_limits<double>::infinity(), s});
    }
    while (!offers.empty() && !trials_.is_spent()) {
      const Offer best = offers.top();
      offers.pop();
      const Outcome then = trials_.evaluate_with(best.storage);
      const double worth = static_cast<double>(now.run_cost - then.run_cost) / prices_[best.storage];
      const bool is_best = offers.empty() || worth >= offers.top().worth;
      if (!then.feasible || then.run_cost >= now.run_cost) continue;
      if (!is_best) {
        offers.push({worth, best.storage});
        continue;
      }
      kept[best.storage] = true;
      const auto tried = trials_.offer(kept);
      if (tried.peak_bytes() <= std::max(trials_.limit_bytes(), now.peak_bytes())) {
        now = tried;
        trials_.change_from(kept);
      } else {
        kept[best.storage] = false;
      }
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

  PeakTrials& trials_;
  const std::vector<double>& prices_;
};

// The kept storages, those that cost least for their price to drop first.
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

class Lowering {
 public:
  Lowering(PeakTrials& trials, const std::vector<double>& prices)
      : trials_(trials), prices_(prices), worth_(prices.size(), -1), is_left_(prices.size(), true) {}

  std::optional<KeptStorages> run(KeptStorages kept) {
    auto now = trials_.offer(kept);
    while (now.is_feasible && now.peak_bytes() > trials_.limit_bytes() && !trials_.is_spent()) {
      kept = trials_.evaluation().used();
      const std::vector<StorageIndex> in_use = left_of(in_use_at(trials_, now.memory.peak_step, false), kept);
      const std::optional<StorageIndex> least = least_worth(kept, in_use, now.run_cost);
      if (!least) return std::nullopt;
      kept[*least] = false;
      const auto then = trials_.offer(kept);
      if (!then.is_feasible || then.peak_bytes() >= now.peak_bytes()) {
        kept[*least] = true;
        is_left_[*least] = false;
        if (!then.is_feasible || then.peak_bytes() > now.peak_bytes()) {
          now = trials_.offer(kept);
          continue;
        }
        kept[*least] = false;
      }
      now = then;
    }
    return now.is_feasible && now.peak_bytes() <= trials_.limit_bytes() ? std::optional(kept) : std::nullopt;
  }

 private:
  std::vector<StorageIndex> left_of(std::vector<StorageIndex> storages, const KeptStorages& kept) const {
    std::erase_if(storages, [&](StorageIndex s) { return !kept[s] || !is_left_[s]; });
    return storages;
  }

  // Lazy: the worth of a storage is computed again only when its last one is the least.
  std::optional<StorageIndex> least_worth(const KeptStorages& kept, std::vector<StorageIndex> of, Wide run_cost) {
    const auto by_worth = [&](StorageIndex a, StorageIndex b) { return worth_[a] != worth_[b] ? worth_[a] > worth_[b] : a > b; };
    std::make_heap(of.begin(), of.end(), by_worth);
    std::vector<char> is_fresh(worth_.size(), 0);
    trials_.change_from(kept);
    while (!of.empty() && !trials_.is_spent()) {
      std::pop_heap(of.begin(), of.end(), by_worth);
      const StorageIndex s = of.back();
      if (is_fresh[s] != 0) return s;
      of.pop_back();
      const Outcome without = trials_.evaluate_with(s);
      if (!without.feasible) {
        is_left_[s] = false;
        continue;
      }
      worth_[s] = static_cast<double>(without.run_cost - run_cost) / prices_[s];
      is_fresh[s] = 1;
      of.push_back(s);
      std::push_heap(of.begin(), of.end(), by_worth);
    }
    return std::nullopt;
  }

  PeakTrials& trials_;
  const std::vector<double>& prices_;
  std::vector<double> worth_;   // by storage, when last computed
  std::vector<bool> is_left_;   // by storage: whether dropping it may help
};

}  // namespace

std::optional<KeptStorages> bring_within_limit(PeakTrials& trials, KeptStorages kept, const std::vector<double>& prices) {
  return Lowering(trials, prices).run(std::move(kept));
}

KeptStorages make_room(PeakTrials& trials, KeptStorages kept) {
  while (!trials.is_spent()) {
    const auto now = trials.offer(kept);
    if (!now.is_feasible) return kept;
    kept = trials.evaluation().used();
    std::optional<StorageIndex> best;
    Wide lowest = now.peak_bytes();
    for (const StorageIndex s : in_use_at(trials, now.memory.peak_step, true)) {
      if (trials.is_spent()) return kept;
      if (kept[s]) continue;
      kept[s] = true;
      const auto then = trials.offer(kept);
      kept[s] = false;
      if (!then.is_feasible || then.run_cost > now.run_cost || then.peak_bytes() >= lowest) continue;
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
      if (looked_at++ < kMostWithRoom) without = make_room(trials, std::move(without));
      filling.run(std::move(without), s);
      improves = trials.best()->run_cost < before.run_cost;
      if (improves) break;
    }
  }
}

void make_lower(PeakTrials& trials, KeptStorages kept) {
  if (trials.is_spent()) return;
  auto now = trials.offer(kept);
  const auto rank = [](const PeakTrials::Tried& tried) { return std::pair(tried.peak_bytes(), tried.run_cost); };
  while (now.is_feasible) {
    kept = trials.evaluation().used();
    std::vector<StorageIndex> flips = in_use_at(trials, now.memory.peak_step, false);
    for (const StorageIndex s : in_use_at(trials, now.memory.peak_step, true)) flips.push_back(s);
    std::optional<StorageIndex> best;
    auto lowest = now;
    for (const StorageIndex s : flips) {
      if (trials.is_spent()) return;
      kept[s] = !kept[s];
      const auto then = trials.offer(kept);
      kept[s] = !kept[s];
      if (!then.is_feasible || rank(then) >= rank(lowest)) continue;
      best = s;
      lowest = then;
    }
    if (!best || lowest.peak_bytes() >= now.peak_bytes() || trials.is_spent()) return;
    kept[*best] = !kept[*best];
    now = trials.offer(kept);
  }
}

}  // namespace fxcut
