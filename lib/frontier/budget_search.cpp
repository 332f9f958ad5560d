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

// Of local search: about a tenth of a second, and of each better choice that turns up later.
constexpr std::int64_t kItemsAtFirst = 30'000'000, kItemsLater = 3'000'000;

// Choices that agree in some storages.
struct Part {
  Fixings fixings;
  LagrangianBound bound;
  StorageIndex split = kNoStorage;  // the storage that tells its halves apart
  std::int64_t number = 0;          // in the order in which they were made
};

struct Later {
  bool operator()(const Part& a, const Part& b) const {
    return a.bound.run_cost != b.bound.run_cost ? a.bound.run_cost > b.bound.run_cost : a.number < b.number;
  }
};

// The problem with what costs next to nothing to run again costing nothing.
RecomputeProblem without_trifles(RecomputeProblem problem) {
  constexpr Wide kPartsOfAll = 1 << 20;
  Wide all = 0;
  for (const Item& item : problem.items) all += item.run_cost;
  for (Item& item : problem.items) {
    if (item.run_cost * kPartsOfAll < all) item.run_cost = 0;
  }
  return problem;
}

// As many bytes as can be kept within the limit, as far as the sizes of storages tell.
std::int64_t most_bytes(const RecomputeProblem& problem, std::int64_t limit_bytes) {
  std::vector<Wide> sizes;
  for (const KeepableStorage& storage : problem.storages) sizes.push_back(storage.bytes);
  return static_cast<std::int64_t>(SumGrid(std::move(sizes)).round_down(limit_bytes));
}

class Search {
 public:
  Search(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits)
      : problem_(problem), limits_(limits), incumbent_(problem, most_bytes(problem, limit_bytes)) {}

  BudgetAnswer run() {
    look_at(all_open(problem_), nullptr);
    try_without_trifles();
    improve_best(kItemsAtFirst);
    while (!open_.empty() && !incumbent_.is_no_better(open_.top().bound.run_cost)) {
      if (parts_ >= limits_.most_parts || limits_.is_over()) break;
      const Part part = open_.top();
      open_.pop();
      for (const Fixing fixing : {Fixing::Kept, Fixing::Dropped}) {
        Fixings fixings = part.fixings;
        fixings[part.split] = fixing;
        look_at(std::move(fixings), &part.bound);
      }
      if (incumbent_.best() && (!improved_ || incumbent_.best()->run_cost < *improved_)) improve_best(kItemsLater);
    }
    return answer();
  }

 private:
  void look_at(Fixings fixings, const LagrangianBound* wider) {
    ++parts_;
    std::optional<FixedState> state = propagate(problem_, std::move(fixings), incumbent_.limit_bytes());
    if (!state) return;
    Relaxation relaxation(problem_, std::move(*state), wider ? wider->charged : std::vector<char>{});
    LagrangianBound found = lagrangian_bound(problem_, relaxation, incumbent_, wider);
    if (!wider) price_ = found.price;
    if (!found.feasible) return;
    if (found.beyond && !found.is_attained) {
      ++incumbent_.cuts;
      HullEdge(relaxation, found.price).offer_nearest(incumbent_);
    }
    const StorageIndex split = choose_split(relaxation.state().fixings, found);
    if (incumbent_.is_no_better(found.run_cost) || split == kNoStorage) {
      settle(found.run_cost);
    } else {
      open_.push({relaxation.state().fixings, std::move(found), split, parts_});
    }
  }

  // Prices at which different products are worth recomputing often differ by the few operations of what is cheap beside
  // them. Without these they are one, and its hull edge has choices of many sizes, which come near to any limit.
  void try_without_trifles() {
    const RecomputeProblem coarse = without_trifles(problem_);
    std::optional<FixedState> state = propagate(coarse, all_open(coarse), incumbent_.limit_bytes());
    if (!state) return;
    Relaxation relaxation(coarse, std::move(*state));
    Incumbent best(coarse, incumbent_.limit_bytes());
    const LagrangianBound found = lagrangian_bound(coarse, relaxation, best);
    if (found.within && found.beyond) {
      const HullEdge edge(relaxation, found.price);
      edge.offer_nearest(incumbent_);
      edge.offer_best_sum(incumbent_);
    }
    incumbent_.cuts += best.cuts + 1;
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

  void improve_best(std::int64_t most_items) {
    improve(problem_, incumbent_, most_items);
    if (incumbent_.best()) improved_ = incumbent_.best()->run_cost;
  }

  void settle(Wide bound) { least_settled_ = least_settled_ ? std::min(*least_settled_, bound) : bound; }

  BudgetAnswer answer() {
    BudgetAnswer answer;
    answer.choice = incumbent_.best();
    answer.price = price_;
    answer.cuts = incumbent_.cuts;
    answer.parts = parts_;
    std::optional<Wide> bound = least_settled_;
    if (!open_.empty() && (!bound || open_.top().bound.run_cost < *bound)) bound = open_.top().bound.run_cost;
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
  std::optional<Wide> improved_;  // what the best choice cost when it was last improved
  std::int64_t parts_ = 0;
  Price price_;
};

}  // namespace

BudgetAnswer search_within(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits) {
  return Search(problem, limit_bytes, limits).run();
}

}  // namespace fxcut
