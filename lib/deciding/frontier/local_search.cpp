#include "frontier/local_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "frontier/changed_evaluation.h"

namespace fxcut {
namespace {

class LocalSearch {
 public:
  LocalSearch(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items)
      : problem_(problem), incumbent_(incumbent), items_left_(most_items), changed_(problem) {
    for (std::size_t s = 1; s < problem.storages.size(); ++s) least_bytes_ = std::min(least_bytes_, problem.storages[s].bytes);
  }

  void run() {
    fill(incumbent_.best()->kept);
    for (bool improves = true; improves && !is_over();) {
      const Choice before = *incumbent_.best();
      improves = false;
      changed_.set(before.kept);
      for (StorageIndex s = 1; s < before.kept.size() && !is_over() && !improves; ++s) {
        if (!before.kept[s] || makes_no_room(s)) continue;
        KeptStorages without = before.kept;
        without[s] = false;
        fill(std::move(without), s);
        improves = incumbent_.best()->run_cost < before.run_cost;
        changed_.set(before.kept);
      }
    }
  }

 private:
  bool is_over() const { return items_left_ <= 0 || incumbent_.is_spent(); }

  // Whether nothing fits in its place. Tries count as a pass over all items, also where less is looked at: so the search ends
  // where it did when each was one.
  bool makes_no_room(StorageIndex s) {
    const Outcome without = changed_.outcome_with(s);
    if (without.bytes + least_bytes_ <= incumbent_.limit_bytes() || incumbent_.is_better(without)) return false;
    count_try();
    return true;
  }

  void count_try() {
    items_left_ -= static_cast<std::int64_t>(problem_.items.size());
    incumbent_.take_offer();
  }

  Outcome try_with(KeptStorages& kept, StorageIndex s) {
    Outcome then = changed_.outcome_with(s);
    if (!incumbent_.is_better(then)) {
      count_try();
      return then;
    }
    kept[s] = true;
    then = offer(kept);
    kept[s] = false;
    return then;
  }

  Outcome offer(const KeptStorages& kept) {
    items_left_ -= static_cast<std::int64_t>(problem_.items.size());
    return incumbent_.offer(kept);
  }

  // Does not keep `left_out`.
  void fill(KeptStorages kept, StorageIndex left_out = kNoStorage) {
    while (!is_over()) {
      const Outcome now = offer(kept);
      StorageIndex best = kNoStorage;
      Wide best_gain = 0;
      changed_.set(kept);
      for (const StorageIndex s : worth_keeping(problem_, incumbent_.evaluation())) {
        if (is_over()) break;
        const std::int64_t bytes = problem_.storages[s].bytes;
        if (s == left_out || now.bytes + bytes > incumbent_.limit_bytes()) continue;
        const Outcome then = try_with(kept, s);
        const Wide gain = now.run_cost - then.run_cost;
        if (then.bytes > incumbent_.limit_bytes() || (!then.feasible && now.feasible)) continue;
        if (gain * (best == kNoStorage ? 1 : problem_.storages[best].bytes) > best_gain * bytes) {
          best = s;
          best_gain = gain;
        }
      }
      if (best == kNoStorage) return;
      kept[best] = true;
    }
  }

  const RecomputeProblem& problem_;
  Incumbent& incumbent_;
  std::int64_t items_left_;
  ChangedEvaluation changed_;
  std::int64_t least_bytes_ = std::numeric_limits<std::int64_t>::max() / 2;  // of a storage
};

}  // namespace

void improve(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items) {
  if (incumbent.best()) LocalSearch(problem, incumbent, most_items).run();
}

}  // namespace fxcut
