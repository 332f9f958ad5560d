#include "frontier/priced_search.h"

#include <utility>
#include <vector>

#include "frontier/lagrangian_bound.h"

namespace fxcut {
namespace {

class PricedSearch {
 public:
  PricedSearch(const RecomputeProblem& problem, const Price& price, Effort& effort)
      : problem_(problem), price_(price), incumbent_(problem, kNoLimit, effort) {}

  Wide look_at(Relaxation& relaxation) {
    const PricedOptimum optimum = optimum_at(problem_, relaxation, incumbent_, price_);
    Evaluation evaluation(problem_);
    const Outcome outcome = evaluation.run(optimum.point.used);
    const Wide cost = price_.of(outcome.run_cost, outcome.bytes);
    if (outcome.feasible && (!has_best_ || cost < best_cost_)) {
      best_ = {evaluation.used(), outcome.run_cost, outcome.bytes};
      best_cost_ = cost;
      has_best_ = true;
    }
    if (optimum.is_exact || optimum.value >= best_cost_) return optimum.value;
    const StorageIndex split = choose_split(relaxation.state().fixings, evaluation);
    if (split == kNoStorage) {
      is_proven_ = false;
      return optimum.value;
    }
    for (const Fixing fixing : {Fixing::Dropped, Fixing::Kept}) {
      open_.push_back(relaxation.state().fixings);
      open_.back()[split] = fixing;
    }
    return optimum.value;
  }

  PricedChoice run(Relaxation& relaxation, std::int64_t most_parts) {
    const Wide bound = look_at(relaxation);
    for (std::int64_t parts = 1; !open_.empty(); ++parts) {
      if (parts >= most_parts || incumbent_.is_spent()) {
        is_proven_ = false;
        break;
      }
      std::optional<FixedState> state = propagate(problem_, std::move(open_.back()), kNoLimit);
      open_.pop_back();
      if (!state) continue;
      Relaxation narrower(problem_, std::move(*state), relaxation.charged());
      look_at(narrower);
    }
    return {std::move(best_), is_proven_ ? best_cost_ : bound, incumbent_.cuts(), is_proven_};
  }

 private:
  // An open storage with recomputed views or several roots; else any that is open and used.
  StorageIndex choose_split(const Fixings& fixings, const Evaluation& evaluation) const {
    StorageIndex any = kNoStorage;
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      if (item.storage == kNoStorage || fixings[item.storage] != Fixing::Open) continue;
      if (!evaluation.is_saved(i) && !evaluation.is_recomputed(i)) continue;
      if (item.is_view || problem_.storages[item.storage].roots > 1) return item.storage;
      any = item.storage;
    }
    return any;
  }

  const RecomputeProblem& problem_;
  const Price& price_;
  Incumbent incumbent_;
  Choice best_;
  Wide best_cost_ = 0;
  bool has_best_ = false, is_proven_ = true;
  std::vector<Fixings> open_;
};

}  // namespace

PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price,
                     std::int64_t most_parts, Effort& effort) {
  return PricedSearch(problem, price, effort).run(relaxation, most_parts);
}

}  // namespace fxcut
