// The work of a search and its limits.
//
// Work is counted in steps, not in seconds: equal input ends at the same point on every machine and under any load; only a
// clock or the user's interrupt ends it earlier. A search also ends when it stagnates: the longer it took to find the best
// choice so far, the longer it continues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "solve/frontier_facts.h"

namespace fxcut {

// Whether work has to end early, and why; long work checks it regularly.
enum class Halt { No, TimeIsUp, Interrupted };
using HaltRequested = std::function<Halt()>;
inline const HaltRequested kNeverHalt = [] { return Halt::No; };

struct SearchLimits {
  std::int64_t most_steps = 0;  // 0: by the size of the graph
  std::int64_t most_parts = 0;  // of branch and bound; 0: no limit
  double gap = 0;               // a choice this near to the bound, as a share of it, is good enough
  HaltRequested halt = kNeverHalt;
  std::int64_t most_tries_each = 0;  // of local search, for each better choice; 0: as many as take a tenth of a second

  // With that many steps, or fewer if there are fewer.
  SearchLimits with_at_most(std::int64_t steps) const {
    SearchLimits limits = *this;
    limits.most_steps = most_steps > 0 ? std::min(most_steps, steps) : steps;
    return limits;
  }
};

class WorkBudget {
 public:
  // Uses the steps and the halt of `limits`. `items`: the size of the problem.
  WorkBudget(const SearchLimits& limits, std::size_t items);

  // A step is the work of one item, some nanoseconds.
  void charge(std::size_t items) { steps_ += static_cast<std::int64_t>(items); }
  // Counts a minimum cut of a network with that many edges.
  void charge_cut(std::size_t edges);
  // Records that a better choice was found.
  void note_better() { better_at_ = steps_; }
  // From now on stagnation ends the search.
  void watch_for_stagnation() { watched_from_ = steps_; }

  // Allows more steps; if only their number has ended the search, it continues.
  void allow_more(std::int64_t steps);

  // Once true, true until more is allowed.
  bool is_exhausted();
  // The reason, if it is exhausted.
  std::optional<EndedBy> ended_by() const { return ended_by_; }
  std::int64_t steps() const { return steps_; }

 private:
  std::optional<EndedBy> find_end() const;

  std::int64_t most_steps_, patience_;
  HaltRequested halt_;
  std::int64_t steps_ = 0, better_at_ = 0;
  std::optional<std::int64_t> watched_from_;
  std::optional<EndedBy> ended_by_;
};

}  // namespace fxcut
