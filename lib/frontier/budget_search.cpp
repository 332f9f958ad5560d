#include "frontier/budget_search.h"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "frontier/hull_edge.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/local_search.h"

namespace fxcut {
namespace {

constexpr std::int64_t kItemsAtFirst = 30'000'000;  // a tenth of a second of local search

// Choices that agree in some storages.
struct Part {
  Fixings fixings;
  Wide bound = 0;
  Price price;
  StorageIndex split = kNoStorage;  // the storage that tells its halves apart
  std::int64_t number = 0;          // in the order in which they were made
};

struct Later {
  bool operator()(const Part& a, const Part& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
  }
};

class Search {
 public:
  Search(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits)
      : problem_(problem), limits_(limits), incumbent_(problem, limit_bytes) {}

  BudgetAnswer run() {
    look_at(all_open(problem_), 0, std::nullopt);
    improve(problem_, incumbent_, kItemsAtFirst);
    while (!open_.empty() && !incumbent_.is_no_better(open_.top().bound)) {
      if (parts_ >= limits_.most_parts || limits_.is_over()) break;
      const Part part = open_.top();
      open_.pop();
      for (const Fixing fixing : {Fixing::Kept, Fixing::Dropped}) {
        Fixings fixings = part.fixings;
        fixings[part.split] = fixing;
        look_at(std::move(fixings), part.bound, part.price);
      }
    }
    return answer();
  }

 private:
  void look_at(Fixings fixings, Wide bound, const std::optional<Price>& hint) {
    ++parts_;
    std::optional<FixedState> state = propagate(problem_, std::move(fixings), incumbent_.limit_bytes());
    if (!state) return;
    Relaxation relaxation(problem_, std::move(*state));
    const LagrangianBound found = lagrangian_bound(problem_, relaxation, incumbent_, hint);
    if (!hint) price_ = found.price;
    if (!found.feasible) return;
    bound = std::max(bound, found.run_cost);
    if (found.beyond && !found.is_attained) {
      ++incumbent_.cuts;
      HullEdge(relaxation, found.price).offer_nearest(incumbent_);
    }
    if (incumbent_.is_no_better(bound)) {
      settle(bound);
      return;
    }
    const StorageIndex split = choose_split(relaxation.state().fixings, found);
    if (split == kNoStorage) {
      settle(bound);
    } else {
      open_.push({relaxation.state().fixings, bound, found.price, split, parts_});
    }
  }

  // Of the storages that only one end of the hull's edge keeps the largest; else the largest that is open at all.
  StorageIndex choose_split(const Fixings& fixings, const LagrangianBound& found) const {
    StorageIndex differs = kNoStorage, any = kNoStorage;
    const auto is_larger = [&](StorageIndex s, StorageIndex than) {
      return than == kNoStorage || problem_.storages[s].bytes > problem_.storages[than].bytes;
    };
    for (StorageIndex s = 1; s < fixings.size(); ++s) {
      if (fixings[s] != Fixing::Open) continue;
      const bool within = found.within && found.within->used[s], beyond = found.beyond && found.beyond->used[s];
      if (within != beyond && is_larger(s, differs)) differs = s;
      if (is_larger(s, any)) any = s;
    }
    return differs != kNoStorage ? differs : any;
  }

  void settle(Wide bound) { least_settled_ = least_settled_ ? std::min(*least_settled_, bound) : bound; }

  BudgetAnswer answer() {
    BudgetAnswer answer;
    answer.choice = incumbent_.best();
    answer.price = price_;
    answer.cuts = incumbent_.cuts;
    answer.parts = parts_;
    std::optional<Wide> bound = least_settled_;
    if (!open_.empty() && (!bound || open_.top().bound < *bound)) bound = open_.top().bound;
    if (answer.choice) {
      answer.bound = bound ? std::min(*bound, answer.choice->run_cost) : answer.choice->run_cost;
      answer.is_proven = answer.bound == answer.choice->run_cost;
    } else {
      answer.bound = bound.value_or(0);
      answer.is_proven = open_.empty();
    }
    return answer;
  }

  const RecomputeProblem& problem_;
  const SearchLimits& limits_;
  Incumbent incumbent_;
  std::priority_queue<Part, std::vector<Part>, Later> open_;
  std::optional<Wide> least_settled_;
  std::int64_t parts_ = 0;
  Price price_;
};

}  // namespace

BudgetAnswer search_within(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits) {
  return Search(problem, limit_bytes, limits).run();
}

}  // namespace fxcut
