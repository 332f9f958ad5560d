#include "frontier/path_search.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "frontier/decision_states.h"
#include "frontier/labels.h"
#include "frontier/way_bounds.h"

namespace fxcut {
namespace {

// The steps for finding the states, and for the searches for coarse and for exact paths: together a second and a half at most.
constexpr std::int64_t kMaxStepsForStates = 30'000'000, kMaxStepsForCoarse = 80'000'000, kMaxStepsForExact = 80'000'000;
// The units in a limit: finer ones lose less, but there are more sums of sizes.
constexpr std::int64_t kMaxUnits = 1 << 16;

// The common divisor of the largest sizes, of as many as leave it large enough.
std::int64_t unit_of(const RecomputeProblem& problem, std::int64_t limit_bytes) {
  std::vector<std::int64_t> sizes;
  for (const KeepableStorage& storage : problem.storages) {
    if (storage.bytes > 0) sizes.push_back(storage.bytes);
  }
  std::ranges::sort(sizes, std::greater<>());
  std::int64_t unit = 0;
  for (const std::int64_t size : sizes) {
    const std::int64_t finer = std::gcd(unit, size);
    if (limit_bytes / finer > kMaxUnits) break;
    unit = finer;
  }
  return std::max<std::int64_t>(unit, 1);
}

RecomputeProblem in_units(RecomputeProblem problem, std::int64_t unit_bytes) {
  for (KeepableStorage& storage : problem.storages) storage.bytes -= storage.bytes % unit_bytes;
  return problem;
}

// A little of what is between the two, then more, then all.
std::vector<Int128> more_and_more(Int128 from, Int128 to) {
  const Int128 all = to - from;
  return {from + all / 64, from + all / 16, from + all / 4, to};
}

class PathSearch {
 public:
  PathSearch(const RecomputeProblem& problem, const DecisionStates& states, Int128 bound, Incumbent& incumbent)
      : problem_(problem), states_(states), coarse_(in_units(problem, unit_of(problem, incumbent.limit_bytes()))),
        backwards_(reversed(states)), bound_(bound), incumbent_(incumbent),
        ways_(problem_, states_, incumbent.limit_bytes(), incumbent.work()),
        coarse_ways_(coarse_, backwards_, incumbent.limit_bytes(), incumbent.work()) {}

  Int128 run() {
    for (const Int128 at_most : more_and_more(bound_, incumbent_.best()->run_cost - 1)) {
      if (at_most < bound_) continue;
      const auto rests = coarse_labels(at_most);
      std::optional<LabelBounds> bounds;
      if (rests) {
        bounds.emplace(states_, *rests, incumbent_.limit_bytes());
        bound_ = std::max(bound_, std::min(bounds->least(), at_most + 1));
      }
      if (bound_ <= at_most && !search(bounds, at_most)) break;
    }
    return bound_;
  }

 private:
  // All paths from the end that are worth going on with, with sizes in units. Nothing if that is too much work.
  std::optional<std::vector<std::vector<Label>>> coarse_labels(Int128 at_most) {
    LabelSearch search(coarse_, backwards_, [&](StateIndex state, const Label& label) {
      return coarse_ways_.may_end(state, label.bytes, label.run_cost, at_most);
    });
    search.keep_all();
    if (!search.run(coarse_steps_left_, incumbent_.work())) return std::nullopt;
    return search.take_labels();
  }

  // Looks for a path that costs at most this, and raises the bound. Returns whether to go on: not after finding one, which
  // is an optimum, and not where that is too much work.
  bool search(const std::optional<LabelBounds>& bounds, Int128 at_most) {
    for (const Int128 cost : more_and_more(bound_, at_most)) {
      if (cost < bound_) continue;
      const Int128 possible = incumbent_.run_costs().round_down(cost);
      LabelSearch search(problem_, states_, [&](StateIndex state, const Label& label) {
        return ways_.may_end(state, label.bytes, label.run_cost, possible) &&
               (!bounds || bounds->may_end(state, label, possible));
      });
      if (!search.run(steps_left_, incumbent_.work())) return false;
      const auto kept = search.best();
      bound_ = kept ? incumbent_.offer(*kept).run_cost : cost + 1;
      if (kept) return false;
    }
    return true;
  }

  const RecomputeProblem& problem_;
  const DecisionStates& states_;
  const RecomputeProblem coarse_;
  const DecisionStates backwards_;
  Int128 bound_;
  Incumbent& incumbent_;
  const WayBounds ways_, coarse_ways_;
  std::int64_t coarse_steps_left_ = kMaxStepsForCoarse, steps_left_ = kMaxStepsForExact;
};

}  // namespace

Int128 search_paths(const RecomputeProblem& problem, const Fixings& fixings, Int128 bound, Incumbent& incumbent) {
  const auto states = decision_states(problem, fixings, kMaxStepsForStates, incumbent.work());
  return states ? PathSearch(problem, *states, bound, incumbent).run() : bound;
}

}  // namespace fxcut
