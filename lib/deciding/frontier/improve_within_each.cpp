#include "frontier/improve_within_each.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "frontier/changed_evaluation.h"
#include "frontier/search_within_each.h"

namespace fxcut {
namespace {

class EachImprovement {
 public:
  EachImprovement(const std::vector<ProblemAtSize>& sizes, const KeptStorages& kept, std::int64_t most_items)
      : sizes_(sizes), most_items_(static_cast<std::size_t>(most_items)) {
    at_.reserve(sizes.size());
    for (const ProblemAtSize& size : sizes) at_.emplace_back(size.problem).set(kept);
  }

  KeptStorages run() {
    while (const auto exceeded = most_exceeded()) {
      if (!flip(cheapest_to_drop(*exceeded))) break;
    }
    while (!most_exceeded() && flip(best_to_keep())) {
    }
    return at_.front().kept();
  }

 private:
  // The sum over all sizes that count.
  Int128 run_cost() const {
    Int128 cost = 0;
    for (std::size_t p = 0; p < at_.size(); ++p) cost += sizes_[p].counts ? at_[p].outcome().run_cost : 0;
    return cost;
  }

  std::optional<std::size_t> most_exceeded() const {
    std::optional<std::size_t> most;
    Int128 excess = 0;
    for (std::size_t p = 0; p < at_.size(); ++p) {
      const Int128 here = Int128{at_[p].outcome().bytes} - sizes_[p].limit_bytes;
      if (here > excess) most = p;
      excess = std::max(excess, here);
    }
    return most;
  }

  bool is_spent() const {
    std::size_t work = 0;
    for (const ChangedEvaluation& one : at_) work += one.work();
    return work > most_items_;
  }

  // The cost with the storage kept or dropped that is not; nullopt if that is not possible or, `within`, exceeds a limit.
  std::optional<Int128> cost_with(StorageIndex s, bool within) {
    Int128 cost = 0;
    for (std::size_t p = 0; p < at_.size(); ++p) {
      const Outcome outcome = at_[p].feasible_with(s);
      if (!outcome.feasible || (within && outcome.bytes > sizes_[p].limit_bytes)) return std::nullopt;
      cost += sizes_[p].counts ? outcome.run_cost : 0;
    }
    return cost;
  }

  // kNoStorage: none, or the work is spent.
  StorageIndex cheapest_to_drop(std::size_t exceeded) {
    StorageIndex cheapest = kNoStorage;
    double least = 0;
    const Int128 now = run_cost();
    const KeptStorages kept = at_.front().kept();
    for (StorageIndex s = 1; s < kept.size(); ++s) {
      if (!kept[s]) continue;
      if (is_spent()) return kNoStorage;
      const std::int64_t freed = at_[exceeded].outcome().bytes - at_[exceeded].feasible_with(s).bytes;
      const std::optional<Int128> cost = freed > 0 ? cost_with(s, false) : std::nullopt;
      if (!cost) continue;
      const double price = static_cast<double>(*cost - now) / static_cast<double>(freed);
      if (cheapest == kNoStorage || price < least) {
        cheapest = s;
        least = price;
      }
    }
    return cheapest;
  }

  StorageIndex best_to_keep() {
    StorageIndex best = kNoStorage;
    Int128 least = run_cost();
    for (const StorageIndex s : at_.front().worth_keeping()) {
      if (is_spent()) return kNoStorage;
      const std::optional<Int128> cost = at_.front().kept()[s] ? std::nullopt : cost_with(s, true);
      if (!cost || *cost >= least) continue;
      best = s;
      least = *cost;
    }
    return best;
  }

  bool flip(StorageIndex s) {
    if (s == kNoStorage) return false;
    for (ChangedEvaluation& one : at_) one.flip(s);
    return true;
  }

  const std::vector<ProblemAtSize>& sizes_;
  std::size_t most_items_;
  std::vector<ChangedEvaluation> at_;
};

}  // namespace

KeptStorages improved_within_each(const std::vector<ProblemAtSize>& sizes, const KeptStorages& kept, std::int64_t most_items) {
  return EachImprovement(sizes, kept, most_items).run();
}

}  // namespace fxcut
