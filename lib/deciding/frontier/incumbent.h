// The best choice so far, and the work of the search for a better one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "graph/int128.h"

namespace fxcut {

// The possible sums of given numbers: products have few sizes, and everything else is small, so that most numbers are not
// a sum of them. A bound on a sum can be moved to the next possible one.

class SumGrid {
 public:
  // The grid of the sums in which each of these numbers (none negative) occurs at most once.
  explicit SumGrid(std::vector<Int128> numbers);

  // No sum is in [bound, result), and none in (result, bound].
  Int128 round_up(Int128 bound) const;
  Int128 round_down(Int128 bound) const;

 private:
  // The largest numbers are multiples of `step`, and the others add up to `rest`, which is less.
  struct Level {
    Int128 step;
    Int128 rest;
  };
  std::vector<Level> levels_;
};

struct Choice {
  KeptStorages kept;  // only storages that something is saved in
  Int128 run_cost = 0;
  std::int64_t bytes = 0;
};

class Incumbent {
 public:
  // Both are kept by reference.
  Incumbent(const RecomputeProblem& problem, std::int64_t limit_bytes, WorkBudget& work)
      : work_(work), items_(problem.items.size()), evaluation_(problem), problem_(problem), limit_bytes_(limit_bytes) {}

  std::int64_t limit_bytes() const { return limit_bytes_; }
  // The possible sums of run costs, those of keeping included.
  const SumGrid& run_costs() const {
    if (!run_costs_) run_costs_ = run_costs_of(problem_);
    return *run_costs_;
  }
  const std::optional<Choice>& best() const { return best_; }
  // Whether a choice of this cost would not be better.
  bool is_no_better(Int128 run_cost) const { return best_ && run_cost >= best_->run_cost; }

  bool is_better(const Outcome& outcome) const {
    if (!outcome.feasible || outcome.bytes > limit_bytes_) return false;
    return !best_ || outcome.run_cost < best_->run_cost ||
           (outcome.run_cost == best_->run_cost && outcome.bytes < best_->bytes);
  }

  // Evaluates keeping these storages; the choice becomes the best if it is within the limit and cheaper, or as cheap and
  // smaller.
  Outcome offer(const KeptStorages& kept) {
    work_.charge(items_);
    const Outcome outcome = evaluation_.run(kept);
    if (is_better(outcome)) {
      best_ = {evaluation_.used(), outcome.run_cost, outcome.bytes};
      work_.note_better();
    }
    return outcome;
  }
  // Counts an offer that was known not to be better.
  void take_offer() { work_.charge(items_); }
  // Counts a minimum cut of a network with that many edges.
  void take_cut(std::size_t edges) {
    ++cuts_;
    work_.charge_cut(edges);
  }
  std::int64_t cuts() const { return cuts_; }
  WorkBudget& work() const { return work_; }
  bool is_spent() const { return work_.is_exhausted(); }

  // The evaluation of the last offer.
  const Evaluation& evaluation() const { return evaluation_; }

 private:
  static SumGrid run_costs_of(const RecomputeProblem& problem) {
    std::vector<Int128> costs;
    for (const Item& item : problem.items) costs.push_back(item.never == Ban::None ? item.run_cost : 0);
    for (const KeepableStorage& storage : problem.storages) costs.push_back(storage.keep_cost);
    return SumGrid(std::move(costs));
  }

  WorkBudget& work_;
  std::size_t items_;
  std::int64_t cuts_ = 0;  // that were solved
  Evaluation evaluation_;
  const RecomputeProblem& problem_;
  mutable std::optional<SumGrid> run_costs_;  // once it is asked for: to sort the costs takes as long as several offers
  std::int64_t limit_bytes_;
  std::optional<Choice> best_;
};

}  // namespace fxcut
