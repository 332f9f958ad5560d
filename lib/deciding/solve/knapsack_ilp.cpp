// The optimum. PyTorch uses scipy's `milp` for it; here it is found by dynamic programming over the reachable sums
// (Nemhauser and Ullmann), pruned by bounds:
//
//   Equal items are grouped into bundles of 1, 2, 4, ... and the rest, so that every number of them can be combined.
//   Bundles are added one by one, in descending order of run time for their memory. `reached` has the memory and run
//   time of each choice among the bundles so far that no other choice dominates, in the order of their memory. A choice
//   is kept as long as it may still beat the best known: its bound is its run time, plus that of the next bundles that
//   fit in the remaining memory if the last of them may be divided. Without that last part it is a choice of its own:
//   if it is the best so far, it is stored.
//
// Few choices survive if many items are equal, as the layers of a model are. If there are thousands of different items
// of about the same ratio, the number would grow without end: then the best choice after two million is returned, which
// is not proven to be the optimum, like milp's within its gap of a ten-thousandth.
#include <algorithm>
#include <cstdint>
#include <map>

#include "solve/knapsack.h"

namespace fxcut {
namespace {

// Equal sums of shares and of run times may differ in the last bits: sums that differ by less than these shares of the
// whole memory or run time are equal. scipy's tolerances are wider.
constexpr double kSameMemory = 1e-12, kSameRuntime = 1e-10;
constexpr std::size_t kMaxChoices = std::size_t{1} << 21;

struct Bundle {
  double memory, runtime;
  std::vector<std::size_t> items;
};

struct Choice {
  double memory, runtime;
  std::uint32_t taken;  // its last bundle: an index into BundleSearch::taken_
};

struct Taken {
  std::uint32_t bundle, before;
};
constexpr std::uint32_t kNothing = 0;  // index of the empty choice

std::vector<Bundle> bundles_of(const Knapsack& knapsack) {
  std::map<std::pair<double, double>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < knapsack.memory.size(); ++i) {
    const bool may_be_saved = knapsack.memory[i] <= knapsack.limit + kSameMemory && knapsack.runtime[i] > 0;
    if (may_be_saved) alike[{knapsack.memory[i], knapsack.runtime[i]}].push_back(i);
  }
  std::vector<Bundle> bundles;
  for (const auto& [item, all] : alike) {
    for (std::size_t from = 0, count = 1; from < all.size(); from += count, count *= 2) {
      count = std::min(count, all.size() - from);
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
      bundles.push_back({item.first * static_cast<double>(count), item.second * static_cast<double>(count),
                         {begin, begin + static_cast<std::ptrdiff_t>(count)}});
    }
  }
  std::stable_sort(bundles.begin(), bundles.end(),
                   [](const Bundle& a, const Bundle& b) { return a.runtime * b.memory > b.runtime * a.memory; });
  return bundles;
}

class BundleSearch {
 public:
  explicit BundleSearch(const Knapsack& knapsack)
      : limit_(knapsack.limit + kSameMemory), items_(knapsack.memory.size()), bundles_(bundles_of(knapsack)) {
    for (const Bundle& bundle : bundles_) {
      memory_before_.push_back(memory_before_.back() + bundle.memory);
      runtime_before_.push_back(runtime_before_.back() + bundle.runtime);
    }
  }

  std::vector<bool> solve() {
    std::vector<Choice> reached = {{0, 0, kNothing}};
    const auto continues = [&](std::size_t next) {
      return next < bundles_.size() && !reached.empty() && taken_.size() < kMaxChoices;
    };
    for (std::size_t next = 0; continues(next); ++next) reached = add_bundle(next, reached);
    std::vector<bool> saved(items_, false);
    const auto save = [&](std::size_t bundle) {
      for (const std::size_t item : bundles_[bundle].items) saved[item] = true;
    };
    for (std::uint32_t t = best_.taken; t != kNothing; t = taken_[t].before) save(taken_[t].bundle);
    for (std::size_t bundle = best_next_; bundle < best_end_; ++bundle) save(bundle);
    return saved;
  }

 private:
  // Whether a choice of the bundles before `next` may still beat the best known; stores it if it is the best.
  bool may_be_best(const Choice& choice, std::size_t next) {
    const double room = limit_ - choice.memory + memory_before_[next];
    const auto first = memory_before_.begin() + static_cast<std::ptrdiff_t>(next);
    const auto beyond = std::upper_bound(first, memory_before_.end(), room);
    const std::size_t end = next + static_cast<std::size_t>(beyond - first) - 1;  // all bundles before it fit
    const double runtime = choice.runtime + runtime_before_[end] - runtime_before_[next];
    if (runtime > best_.runtime) {
      best_ = {choice.memory, runtime, choice.taken};
      best_next_ = next;
      best_end_ = end;
    }
    const double left = room - memory_before_[end];
    const double part = end < bundles_.size() ? left / bundles_[end].memory * bundles_[end].runtime : 0;
    return runtime + part > best_.runtime * (1 + kSameRuntime);
  }

  // Adds a choice after those of no more memory, unless one of them saves as much run time.
  static void add(std::vector<Choice>& choices, const Choice& choice) {
    if (!choices.empty()) {
      if (choice.runtime <= choices.back().runtime * (1 + kSameRuntime)) return;
      if (choice.memory <= choices.back().memory + kSameMemory) choices.pop_back();
    }
    choices.push_back(choice);
  }

  std::vector<Choice> with_bundle(std::size_t next, const std::vector<Choice>& reached) {
    std::vector<Choice> with;
    for (const Choice& choice : reached) {
      const Choice more{choice.memory + bundles_[next].memory, choice.runtime + bundles_[next].runtime,
                        static_cast<std::uint32_t>(taken_.size())};
      if (more.memory > limit_) break;
      taken_.push_back({static_cast<std::uint32_t>(next), choice.taken});
      if (may_be_best(more, next + 1)) {
        with.push_back(more);
      } else if (best_.taken != more.taken) {
        taken_.pop_back();
      }
    }
    return with;
  }

  std::vector<Choice> add_bundle(std::size_t next, const std::vector<Choice>& reached) {
    const std::vector<Choice> with = with_bundle(next, reached);
    std::vector<Choice> choices;
    auto taken = with.begin();
    for (const Choice& without : reached) {
      for (; taken != with.end() && taken->memory < without.memory; ++taken) add(choices, *taken);
      if (may_be_best(without, next + 1)) add(choices, without);
    }
    for (; taken != with.end(); ++taken) add(choices, *taken);
    return choices;
  }

  double limit_;
  std::size_t items_;
  std::vector<Bundle> bundles_;
  std::vector<double> memory_before_ = {0}, runtime_before_ = {0};  // of the bundles before each
  std::vector<Taken> taken_ = {{0, kNothing}};                      // the first is the empty choice
  Choice best_{0, 0, kNothing};                                     // with the bundles from best_next_ to before best_end_
  std::size_t best_next_ = 0, best_end_ = 0;
};

}  // namespace

std::vector<bool> knapsack_ilp(const Knapsack& knapsack) { return BundleSearch(knapsack).solve(); }

}  // namespace fxcut
