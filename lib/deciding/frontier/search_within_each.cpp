#include "frontier/search_within_each.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

#include "frontier/budget_search.h"
#include "frontier/improve_within_each.h"

namespace fxcut {
namespace {

constexpr int kMaxRounds = 8;
constexpr std::int64_t kItemsOfImprovement = 30'000'000;  // about a tenth of a second
constexpr Int128 kWholeLimit = Int128{1} << 30;           // a limit in the unit of shares of limits
constexpr Int128 kMaxMultiplier = 1 << 10;

// The part of the limit that these bytes are; of a limit of 0 all, or nothing.
Int128 share_rounded_down(Int128 bytes, std::int64_t limit_bytes) {
  return bytes * kWholeLimit / std::max<Int128>(limit_bytes, 1);
}

Int128 share_rounded_up(Int128 bytes, std::int64_t limit_bytes) {
  if (limit_bytes == 0) return bytes > 0 ? kWholeLimit + 1 : 0;
  return (bytes * kWholeLimit + limit_bytes - 1) / limit_bytes;
}

// The problem with the sum of the costs that count, and with all bans: without a limit.
RecomputeProblem summed(const std::vector<ProblemAtSize>& sizes) {
  RecomputeProblem sum = sizes.front().problem;
  for (Item& item : sum.items) item.run_cost = 0;
  for (KeepableStorage& storage : sum.storages) storage.keep_cost = 0;
  for (const ProblemAtSize& size : sizes) {
    for (std::size_t i = 0; i < sum.items.size(); ++i) {
      const Item& item = size.problem.items[i];
      if (sum.items[i].never == Ban::None) sum.items[i].never = item.never;
      if (size.counts) sum.items[i].run_cost += item.run_cost;
    }
    for (std::size_t s = 0; size.counts && s < sum.storages.size(); ++s) {
      sum.storages[s].keep_cost += size.problem.storages[s].keep_cost;
    }
  }
  return sum;
}

// Gives the storages other sizes: `bytes_of` that of each. What is above the limit is only just above it.
void resize(RecomputeProblem& problem, Int128 limit, const auto& bytes_of) {
  for (std::size_t s = 0; s < problem.storages.size(); ++s) {
    problem.storages[s].bytes = static_cast<std::int64_t>(std::min(bytes_of(s), limit + 1));
  }
}

class EachSearch {
 public:
  EachSearch(const std::vector<ProblemAtSize>& sizes, const SearchLimits& limits)
      : sizes_(sizes), limits_(limits), summed_(summed(sizes)), multipliers_(sizes.size(), 0) {
    for (const ProblemAtSize& size : sizes) evaluations_.emplace_back(size.problem);
  }

  ChoiceForEach run(const std::vector<KeptStorages>& candidates) {
    for (const KeptStorages& kept : candidates) offer(kept);
    multipliers_[tightest()] = kMaxMultiplier;
    for (int round = 0; round < kMaxRounds && !is_settled(); ++round) {
      const BudgetAnswer answer = search_within_sum(candidates);
      best_.bound = std::max(best_.bound, answer.bound);
      if (!answer.choice) {
        best_.is_impossible = answer.is_proven && !best_.kept;
        break;
      }
      const std::vector<Outcome> outcomes = offer(answer.choice->kept);
      if (exceeds_any(outcomes)) offer(improved_within_each(sizes_, answer.choice->kept, kItemsOfImprovement));
      if (!exceeds_any(outcomes) || !change_multipliers(outcomes)) break;
    }
    if (!is_settled()) search_within_largest_shares(candidates);
    if (!is_settled() && best_.kept) offer(improved_within_each(sizes_, *best_.kept, kItemsOfImprovement));
    if (best_.kept) best_.bound = std::min(best_.bound, best_.run_cost);
    return std::move(best_);
  }

 private:
  bool is_settled() const { return best_.is_impossible || (best_.kept && best_.run_cost <= best_.bound); }

  bool exceeds_any(const std::vector<Outcome>& outcomes) const {
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      if (outcomes[p].bytes > sizes_[p].limit_bytes) return true;
    }
    return false;
  }

  // The choice becomes the best if it is within each limit and costs less.
  std::vector<Outcome> offer(const KeptStorages& kept) {
    std::vector<Outcome> outcomes;
    Int128 run_cost = 0;
    bool feasible = true;
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      outcomes.push_back(evaluations_[p].run(kept));
      feasible = feasible && outcomes[p].feasible;
      if (sizes_[p].counts) run_cost += outcomes[p].run_cost;
    }
    if (feasible && !exceeds_any(outcomes) && (!best_.kept || run_cost < best_.run_cost)) {
      best_.kept = evaluations_.front().used();
      best_.run_cost = run_cost;
    }
    return outcomes;
  }

  // The size at which all storages together are the largest part of the limit.
  std::size_t tightest() const {
    std::size_t tightest = 0;
    Int128 most = -1;
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      Int128 bytes = 0;
      for (const KeepableStorage& storage : sizes_[p].problem.storages) bytes += storage.bytes;
      const Int128 share = share_rounded_down(bytes, sizes_[p].limit_bytes);
      if (share > most) tightest = p;
      most = std::max(most, share);
    }
    return tightest;
  }

  BudgetAnswer search_within_sum(const std::vector<KeptStorages>& candidates) {
    const auto counted = std::ranges::count_if(multipliers_, [](Int128 one) { return one > 0; });
    if (counted == 1) {
      const ProblemAtSize& only = sizes_[static_cast<std::size_t>(std::ranges::max_element(multipliers_) - multipliers_.begin())];
      resize(summed_, only.limit_bytes, [&](std::size_t s) { return Int128{only.problem.storages[s].bytes}; });
      return search_within(summed_, only.limit_bytes, limits_, candidates);
    }
    Int128 limit = 0;
    for (const Int128 multiplier : multipliers_) limit += multiplier * kWholeLimit;
    resize(summed_, limit, [&](std::size_t s) {
      Int128 bytes = 0;
      for (std::size_t p = 0; p < sizes_.size(); ++p) {
        bytes += multipliers_[p] * share_rounded_down(sizes_[p].problem.storages[s].bytes, sizes_[p].limit_bytes);
      }
      return bytes;
    });
    return search_within(summed_, static_cast<std::int64_t>(limit), limits_, candidates);
  }

  // Returns whether that changes them.
  bool change_multipliers(const std::vector<Outcome>& outcomes) {
    const std::vector<Int128> before = multipliers_;
    const Int128 most = *std::ranges::max_element(multipliers_);
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      Int128& multiplier = multipliers_[p];
      if (outcomes[p].bytes > sizes_[p].limit_bytes) {
        multiplier = multiplier == 0 ? most : multiplier * 2;
      } else {
        multiplier = multiplier * 3 / 4;
      }
    }
    const Int128 now = *std::ranges::max_element(multipliers_);
    for (Int128& multiplier : multipliers_) multiplier = multiplier * kMaxMultiplier / now;
    return multipliers_ != before;
  }

  void search_within_largest_shares(const std::vector<KeptStorages>& candidates) {
    resize(summed_, kWholeLimit, [&](std::size_t s) {
      Int128 share = 0;
      for (const ProblemAtSize& size : sizes_) {
        share = std::max(share, share_rounded_up(size.problem.storages[s].bytes, size.limit_bytes));
      }
      return share;
    });
    const BudgetAnswer answer = search_within(summed_, static_cast<std::int64_t>(kWholeLimit), limits_, candidates);
    if (answer.choice) offer(answer.choice->kept);
  }

  const std::vector<ProblemAtSize>& sizes_;
  const SearchLimits& limits_;
  RecomputeProblem summed_;  // its storages change from search to search
  std::vector<Evaluation> evaluations_;
  std::vector<Int128> multipliers_;
  ChoiceForEach best_;
};

}  // namespace

bool are_alike(const RecomputeProblem& a, const RecomputeProblem& b) {
  const auto is_same = [](const Item& one, const Item& other) {
    return one.node == other.node && one.storage == other.storage && one.savable == other.savable &&
           one.demanded == other.demanded && one.in_forward == other.in_forward && one.is_view == other.is_view;
  };
  return std::ranges::equal(a.items, b.items, is_same) && a.storages.size() == b.storages.size() && a.inputs == b.inputs &&
         a.inputs_begin == b.inputs_begin;
}

std::vector<Outcome> outcomes_of(const std::vector<ProblemAtSize>& sizes, const KeptStorages& kept) {
  std::vector<Outcome> outcomes;
  for (const ProblemAtSize& size : sizes) outcomes.push_back(Evaluation(size.problem).run(kept));
  return outcomes;
}

ChoiceForEach search_within_each(const std::vector<ProblemAtSize>& sizes, const SearchLimits& limits,
                                 const std::vector<KeptStorages>& candidates) {
  return EachSearch(sizes, limits).run(candidates);
}

}  // namespace fxcut
