#include "peak/prove_choice.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

class Proof {
 public:
  Proof(PeakTrials& trials, const Unavoidable& unavoidable, std::int64_t most_steps)
      : trials_(trials), problem_(trials.problem()), unavoidable_(unavoidable), last_step_(trials.work().steps() + most_steps),
        own_cost_(problem_.storages.size(), 0), fixed_(problem_.storages.size(), false) {}

  bool run(const Fixings& fixings) {
    KeptStorages kept(problem_.storages.size(), true);
    for (StorageIndex s = 0; s < kept.size(); ++s) {
      fixed_[s] = fixings[s] == Fixing::Kept;
      kept[s] = fixings[s] != Fixing::Dropped;
    }
    return settle(kept);
  }

 private:
  struct Candidate {
    StorageIndex storage;
    double price;  // cost of dropping it for its bytes
  };

  bool is_over() { return trials_.work().steps() >= last_step_ || trials_.is_spent(); }
  Int128 best_cost() const { return trials_.best()->run_cost; }

  // Whether no choice that drops more than these is cheaper than the best one.
  bool settle(const KeptStorages& kept) {
    if (is_over()) return false;
    const Outcome outcome = trials_.evaluate(kept);
    if (!outcome.feasible) return true;
    const Int128 cost = certain_cost();
    if (cost >= best_cost()) return true;
    const auto tried = trials_.offer(kept);
    if (tried.peak_bytes() <= trials_.limit_bytes() && outcome.run_cost == cost) return true;
    const KeptStorages used = trials_.evaluation().used();
    find_own_costs();
    const auto [excess, position] = find_excess(used);
    std::vector<Candidate> candidates = candidates_at(excess > 0 ? position : kEverywhere, used);
    if (excess > 0 && cost + least_to_free(excess, candidates) >= best_cost()) return true;
    return branch(kept, candidates, cost, excess > 0 ? excess : 0);
  }

  bool branch(const KeptStorages& kept, std::vector<Candidate> candidates, Int128 cost, Int128 excess) {
    bool is_settled = true;
    std::size_t fixed = 0;
    for (; fixed < candidates.size() && is_settled; ++fixed) {
      const std::vector<Candidate> left(candidates.begin() + static_cast<std::ptrdiff_t>(fixed), candidates.end());
      if (excess > 0 && cost + least_to_free(excess, left) >= best_cost()) break;
      KeptStorages fewer = kept;
      fewer[candidates[fixed].storage] = false;
      const std::vector<Int128> own_cost = own_cost_;
      is_settled = settle(fewer);
      own_cost_ = own_cost;
      fixed_[candidates[fixed].storage] = true;
    }
    for (std::size_t i = 0; i < fixed; ++i) fixed_[candidates[i].storage] = false;
    return is_settled;
  }

  // The cost of the last evaluation's recomputation, without values computed in the forward only to be saved: it grows with each
  // drop.
  Int128 certain_cost() const {
    Int128 cost = 0;
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      if (problem_.items[i].in_forward && trials_.evaluation().is_recomputed(i)) cost += problem_.items[i].run_cost;
    }
    return cost;
  }

  // By storage, the cost of recomputing the values that the last evaluation saves in it.
  void find_own_costs() {
    own_cost_.assign(own_cost_.size(), 0);
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      if (item.in_forward && trials_.evaluation().is_saved(i)) own_cost_[item.storage] += item.run_cost;
    }
  }

  // By how much the kept storages exceed the limit, and where most.
  std::pair<Int128, BackwardPosition> find_excess(const KeptStorages& used) {
    const std::vector<Int128> bytes = kept_by_position(unavoidable_, used);
    std::pair<Int128, BackwardPosition> most{-trials_.limit_bytes(), 0};
    for (BackwardPosition p = 0; p < bytes.size(); ++p) {
      most = std::max(most, {bytes[p] + unavoidable_.bytes[p] - trials_.limit_bytes(), p});
    }
    return most;
  }

  static constexpr BackwardPosition kEverywhere = kNever;

  std::vector<Candidate> candidates_at(BackwardPosition position, const KeptStorages& used) const {
    std::vector<Candidate> found;
    for (StorageIndex s = 1; s < used.size(); ++s) {
      if (!used[s] || fixed_[s]) continue;
      const bool is_there = position == kEverywhere || std::ranges::any_of(unavoidable_.kept[s], [&](const Span& span) {
        return span.first <= position && position <= span.last;
      });
      if (!is_there || (position != kEverywhere && unavoidable_.memory[s] == 0)) continue;
      const auto bytes = static_cast<double>(std::max<std::int64_t>(unavoidable_.memory[s], 1));
      found.push_back({s, static_cast<double>(own_cost_[s]) / bytes});
    }
    std::ranges::stable_sort(found, {}, &Candidate::price);
    return found;
  }

  // More than any choice costs if even all of them together do not free that much.
  Int128 least_to_free(Int128 excess, const std::vector<Candidate>& candidates) const {
    Int128 cost = 0;
    for (const Candidate& one : candidates) {
      const Int128 bytes = unavoidable_.memory[one.storage];
      if (bytes >= excess) return cost + own_cost_[one.storage] * excess / bytes;
      cost += own_cost_[one.storage];
      excess -= bytes;
    }
    return best_cost();
  }

  PeakTrials& trials_;
  const RecomputeProblem& problem_;
  const Unavoidable& unavoidable_;
  std::int64_t last_step_;
  std::vector<Int128> own_cost_;  // by storage
  std::vector<bool> fixed_;     // by storage: kept for good
};

}  // namespace

bool prove_cheapest(PeakTrials& trials, const Unavoidable& unavoidable, const Fixings& fixings, std::int64_t most_steps) {
  return Proof(trials, unavoidable, most_steps).run(fixings);
}

}  // namespace fxcut
