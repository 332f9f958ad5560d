#include "frontier/local_search.h"

#include <utility>

namespace fxcut {
namespace {

class LocalSearch {
 public:
  LocalSearch(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items)
      : problem_(problem), incumbent_(incumbent), items_left_(most_items) {}

  void run() {
    fill(incumbent_.best()->kept);
    for (bool improves = true; improves && !is_over();) {
      const Choice before = *incumbent_.best();
      improves = false;
      for (StorageIndex s = 1; s < before.kept.size() && !is_over() && !improves; ++s) {
        if (!before.kept[s]) continue;
        KeptStorages without = before.kept;
        without[s] = false;
        fill(std::move(without), s);
        improves = incumbent_.best()->run_cost < before.run_cost;
      }
    }
  }

 private:
  bool is_over() const { return items_left_ <= 0 || incumbent_.is_spent(); }

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
      for (const StorageIndex s : worth_keeping(problem_, incumbent_.evaluation())) {
        if (is_over()) break;
        const std::int64_t bytes = problem_.storages[s].bytes;
        if (s == left_out || now.bytes + bytes > incumbent_.limit_bytes()) continue;
        kept[s] = true;
        const Outcome then = offer(kept);
        kept[s] = false;
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
};

}  // namespace

void improve(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items) {
  if (incumbent.best()) LocalSearch(problem, incumbent, most_items).run();
}

}  // namespace fxcut
