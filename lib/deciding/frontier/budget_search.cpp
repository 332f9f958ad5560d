#include "frontier/budget_search.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "frontier/hull_edge.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/local_search.h"
#include "frontier/path_search.h"
#include "solve/frontier_facts.h"

namespace fxcut {
namespace {

// The items that local search may take: about a tenth of a second at first, less for each better choice that is found later.
constexpr std::int64_t kItemsAtFirst = 30'000'000, kItemsLater = 3'000'000;

constexpr std::size_t kSizesToRoundTo = 10;

// Choices that agree in some storages.
struct Part {
  Fixings fixings;
  LagrangianBound bound;
  LagrangianBound rounded;          // within the rounded limit, if there is one
  StorageIndex split = kNoStorage;  // the storage that its halves differ in
  std::int64_t number = 0;          // in the order of their creation
};

struct Later {
  bool operator()(const Part& a, const Part& b) const {
    return a.bound.run_cost != b.bound.run_cost ? a.bound.run_cost > b.bound.run_cost : a.number < b.number;
  }
};

// The problem in which negligible run costs are 0.
RecomputeProblem without_trifles(RecomputeProblem problem) {
  constexpr Int128 kPartsOfAll = 1 << 20;
  Int128 all = 0;
  for (const Item& item : problem.items) all += item.run_cost;
  for (const KeepableStorage& storage : problem.storages) all += storage.keep_cost;
  const auto drop = [&](Int128& cost) {
    if (cost * kPartsOfAll < all) cost = 0;
  };
  for (Item& item : problem.items) drop(item.run_cost);
  for (KeepableStorage& storage : problem.storages) drop(storage.keep_cost);
  return problem;
}

// The most bytes that the sizes of the storages allow within the limit.
std::int64_t most_bytes(const RecomputeProblem& problem, std::int64_t limit_bytes) {
  std::vector<Int128> sizes;
  for (const KeepableStorage& storage : problem.storages) sizes.push_back(storage.bytes);
  return static_cast<std::int64_t>(SumGrid(std::move(sizes)).round_down(limit_bytes));
}

class BranchAndBound {
 public:
  BranchAndBound(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits)
      : problem_(problem), limits_(limits), work_(limits, problem.items.size()),
        incumbent_(problem, most_bytes(problem, limit_bytes), work_) {}

  BudgetAnswer run(const std::vector<KeptStorages>& candidates) {
    look_at(all_open(problem_), nullptr);
    for (const KeptStorages& kept : candidates) incumbent_.offer(kept);  // after the price is found
    try_without_trifles();
    improve_best(kItemsAtFirst);
    work_.watch_for_stagnation();
    if (!is_proven() && !why_to_end()) round_limit();
    if (!is_proven() && !why_to_end() && incumbent_.best()) {
      least_ = search_paths(problem_, open_.top().fixings, open_bound(), incumbent_);
    }
    while (!is_proven()) {
      ended_by_ = why_to_end();
      if (ended_by_) break;
      const Part part = open_.top();
      open_.pop();
      for (const Fixing fixing : {Fixing::Kept, Fixing::Dropped}) {
        Fixings fixings = part.fixings;
        fixings[part.split] = fixing;
        look_at(std::move(fixings), &part);
      }
      if (incumbent_.best() && (!improved_ || incumbent_.best()->run_cost < *improved_)) improve_best(kItemsLater);
    }
    return answer();
  }

 private:
  std::optional<EndedBy> why_to_end() {
    if (limits_.most_parts > 0 && parts_ >= limits_.most_parts) return EndedBy::Parts;
    if (incumbent_.best() && gap(incumbent_.best()->run_cost, open_bound()) <= limits_.gap) return EndedBy::Gap;
    return work_.is_exhausted() ? work_.ended_by() : std::nullopt;
  }

  bool is_proven() const { return open_.empty() || incumbent_.is_no_better(std::max(open_.top().bound.run_cost, least_)); }

  void look_at(Fixings fixings, const Part* wider) {
    ++parts_;
    work_.charge(problem_.items.size());
    std::optional<FixedState> state = propagate(problem_, std::move(fixings), incumbent_.limit_bytes());
    if (!state) return;
    LagrangianBound rounded;
    if (rounded_ && wider) {
      rounded = bound_rounded(*rounded_, *state, &wider->rounded);
      if (!rounded.feasible) return;
      if (incumbent_.is_no_better(rounded.run_cost)) return settle(rounded.run_cost);
    }
    Relaxation relaxation(problem_, std::move(*state), wider ? wider->bound.charged : std::vector<char>{});
    LagrangianBound found = lagrangian_bound(problem_, relaxation, incumbent_, wider ? &wider->bound : nullptr);
    if (!wider) price_ = found.price;
    if (!found.feasible) return;
    found.run_cost = std::max(found.run_cost, rounded.run_cost);
    if (found.above && !found.is_attained && !work_.is_exhausted()) {
      incumbent_.take_cut(relaxation.num_edges());
      HullEdge(relaxation, found.price).offer_nearest(incumbent_);
    }
    const StorageIndex split = choose_split(relaxation.state().fixings, found);
    if (incumbent_.is_no_better(found.run_cost) || split == kNoStorage) {
      settle(found.run_cost);
    } else {
      open_.push({relaxation.state().fixings, std::move(found), std::move(rounded), split, parts_});
    }
  }

  void settle(Int128 bound) { least_settled_ = least_settled_ ? std::min(*least_settled_, bound) : bound; }

  LagrangianBound bound_rounded(const RoundedLimit& rounded, FixedState state, const LagrangianBound* wider) {
    state.kept_bytes = 0;
    for (std::size_t s = 0; s < state.fixings.size(); ++s) {
      if (state.fixings[s] == Fixing::Kept) state.kept_bytes += rounded.problem.storages[s].bytes;
    }
    Relaxation relaxation(rounded.problem, std::move(state), wider ? wider->charged : std::vector<char>{});
    return lagrangian_bound(rounded, relaxation, incumbent_, wider);
  }

  // Finds the rounded limit that bounds the whole problem best, if it does better than the limit itself.
  void round_limit() {
    const std::optional<FixedState> state = propagate(problem_, open_.top().fixings, incumbent_.limit_bytes());
    if (!state) throw InternalError("an open part has no choice");
    Part whole = open_.top();
    open_.pop();
    for (const std::int64_t size : common_sizes(problem_, incumbent_.limit_bytes(), kSizesToRoundTo)) {
      if (work_.is_exhausted() || incumbent_.is_no_better(whole.bound.run_cost)) break;
      RoundedLimit rounded = rounded_limit(problem_, incumbent_.limit_bytes(), size);
      LagrangianBound bound = bound_rounded(rounded, *state, nullptr);
      if (bound.run_cost <= whole.bound.run_cost) continue;
      whole.bound.run_cost = bound.run_cost;
      whole.rounded = std::move(bound);
      rounded_ = std::move(rounded);
    }
    open_.push(std::move(whole));
  }

  // The prices at which different products are worth recomputing often differ only by a few operations of cheap nodes.
  // Without these the prices are equal, and the hull's edge there has choices of many sizes, some near any limit.
  void try_without_trifles() {
    if (work_.is_exhausted()) return;
    const RecomputeProblem coarse = without_trifles(problem_);
    std::optional<FixedState> state = propagate(coarse, all_open(coarse), incumbent_.limit_bytes());
    if (!state) return;
    Relaxation relaxation(coarse, std::move(*state));
    Incumbent best(coarse, incumbent_.limit_bytes(), work_);
    const LagrangianBound found = lagrangian_bound(coarse, relaxation, best);
    cuts_without_trifles_ = best.cuts();
    if (found.within && found.above && !work_.is_exhausted()) {
      incumbent_.take_cut(relaxation.num_edges());
      const HullEdge edge(relaxation, found.price);
      edge.offer_nearest(incumbent_);
      edge.offer_best_sum(incumbent_);
    }
  }

  // The largest storage that only one end of the hull's edge keeps; else the largest open one.
  StorageIndex choose_split(const Fixings& fixings, const LagrangianBound& found) const {
    StorageIndex differs = kNoStorage, any = kNoStorage;
    const auto is_larger = [&](StorageIndex s, StorageIndex than) {
      return than == kNoStorage || problem_.storages[s].bytes > problem_.storages[than].bytes;
    };
    for (StorageIndex s = 1; s < fixings.size(); ++s) {
      if (fixings[s] != Fixing::Open) continue;
      const bool within = found.within && found.within->used[s], above = found.above && found.above->used[s];
      if (within != above && is_larger(s, differs)) differs = s;
      if (is_larger(s, any)) any = s;
    }
    return differs != kNoStorage ? differs : any;
  }

  void improve_best(std::int64_t most_items) {
    const std::int64_t of_tries = limits_.most_tries_each * static_cast<std::int64_t>(problem_.items.size());
    improve(problem_, incumbent_, of_tries > 0 ? std::min(most_items, of_tries) : most_items);
    if (incumbent_.best()) improved_ = incumbent_.best()->run_cost;
  }

  BudgetAnswer answer() {
    BudgetAnswer answer;
    answer.choice = incumbent_.best();
    answer.price = price_;
    answer.cuts = incumbent_.cuts() + cuts_without_trifles_;
    answer.parts = parts_;
    answer.steps = work_.steps();
    if (answer.choice) {
      answer.bound = std::min(open_bound(), answer.choice->run_cost);
      answer.is_proven = answer.bound == answer.choice->run_cost;
    } else {
      answer.bound = least_settled_ || !open_.empty() ? open_bound() : 0;
      answer.is_proven = open_.empty();
    }
    if (!answer.is_proven) answer.ended_by = ended_by_.value_or(work_.ended_by().value_or(EndedBy::Exhausted));
    return answer;
  }

  // No unsettled choice costs less; if all are settled, the cost of the best.
  Int128 open_bound() const {
    std::optional<Int128> bound = least_settled_;
    if (!open_.empty() && (!bound || open_.top().bound.run_cost < *bound)) bound = open_.top().bound.run_cost;
    if (bound) return std::max(*bound, least_);
    return incumbent_.best() ? incumbent_.best()->run_cost : 0;
  }

  const RecomputeProblem& problem_;
  const SearchLimits& limits_;
  WorkBudget work_;
  Incumbent incumbent_;
  std::priority_queue<Part, std::vector<Part>, Later> open_;
  std::optional<RoundedLimit> rounded_;
  Int128 least_ = 0;  // no choice at all costs less
  std::optional<Int128> least_settled_;
  std::optional<Int128> improved_;  // the cost of the best choice when it was last improved
  std::int64_t parts_ = 0;
  std::int64_t cuts_without_trifles_ = 0;
  std::optional<EndedBy> ended_by_;
  Price price_;
};

}  // namespace

BudgetAnswer search_within(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits,
                           const std::vector<KeptStorages>& candidates) {
  return BranchAndBound(problem, limit_bytes, limits).run(candidates);
}

}  // namespace fxcut
