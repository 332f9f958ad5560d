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
    changed_.set(incumbent_.best()->kept);
    fill();
    for (bool improves = true; improves && !is_over();) {
      const Choice before = *incumbent_.best();
      improves = false;
      changed_.set(before.kept);
      for (StorageIndex s = 1; s < before.kept.size() && !is_over() && !improves; ++s) {
        if (!before.kept[s] || makes_no_room(s)) continue;
        changed_.flip(s);
        std::vector<StorageIndex> added = fill(s);
        improves = incumbent_.best()->run_cost < before.run_cost;
        for (const StorageIndex one : added) changed_.flip(one);
        changed_.flip(s);
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

  // Offers what is kept now.
  Outcome offer() {
    const Outcome now = changed_.outcome();
    if (!incumbent_.is_better(now)) {
      count_try();
      return now;
    }
    items_left_ -= static_cast<std::int64_t>(problem_.items.size());
    return incumbent_.offer(changed_.kept());
  }

  Outcome try_with(StorageIndex s) {
    const Outcome then = changed_.outcome_with(s);
    if (!incumbent_.is_better(then)) {
      count_try();
      return then;
    }
    changed_.flip(s);
    offer();
    changed_.flip(s);
    return then;
  }

  // Adds to what is kept now, but for `left_out`; returns what is added.
  std::vector<StorageIndex> fill(StorageIndex left_out = kNoStorage) {
    std::vector<StorageIndex> added;
    while (!is_over()) {
      const Outcome now = offer();
      StorageIndex best = kNoStorage;
      Int128 best_gain = 0;
      for (const StorageIndex s : changed_.worth_keeping()) {
        if (is_over()) break;
        const std::int64_t bytes = problem_.storages[s].bytes;
        if (s == left_out || now.bytes + bytes > incumbent_.limit_bytes()) continue;
        const Outcome then = try_with(s);
        const Int128 gain = now.run_cost - then.run_cost;
        if (then.bytes > incumbent_.limit_bytes() || (!then.feasible && now.feasible)) continue;
        if (gain * (best == kNoStorage ? 1 : problem_.storages[best].bytes) > best_gain * bytes) {
          best = s;
          best_gain = gain;
        }
      }
      if (best == kNoStorage) break;
      changed_.flip(best);
      added.push_back(best);
    }
    return added;
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
