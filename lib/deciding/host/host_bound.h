// A lower bound on the time spent recomputing and waiting for copies, whichever storages are copied, and whichever value of each.
//
// It is a bound for a relaxed problem, with fewer bytes and less recomputation than any decision has: a storage counts as the
// smallest value that is copied in its place, and values that the forward might not run as recomputed for free, since saving a
// view may be what makes the forward run them. So keeping more never recomputes more, and every decision is one of the relaxed
// problem. Among the storages last used after some time of the forward, or first used before some time of the backward, only as
// many escape the limit as copies can carry in the remaining time. The bytes of these are divided into ranges: within a range no
// choice recomputes less than the bound at its end, nor waits less than its start requires.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "host/host_channel.h"
#include "host/movable_storages.h"

namespace fxcut {

struct BoundWork {
  std::int64_t searches = 0;  // for the recomputation within a limit (frontier/budget_search.h); 0: by the size of the problem
  bool both_ways = true;      // also bound by what is needed early in the backward
  std::int64_t most_steps = std::numeric_limits<std::int64_t>::max();  // after that many, no further search begins
};

// The relaxed problem of `problem`'s decisions: its bytes are those of the smallest copies, and what the forward may not run is
// recomputed for free.
RecomputeProblem relaxed_for_copies(RecomputeProblem problem, const MovableStorages& movable);

class HostBound {
 public:
  // The first three are kept by reference. `limit_bytes`: of what stays on the device between forward and
  // backward.
  HostBound(const RecomputeProblem& problem, const MovableStorages& movable, const HostChannel& channel, std::int64_t limit_bytes,
            const SearchLimits& limits, const BoundWork& work = {})
      : problem_(problem), relaxed_(relaxed_for_copies(problem, movable)), movable_(movable), channel_(channel),
        limit_bytes_(limit_bytes), limits_(of_bounds(limits, problem)), work_(work) {}

  using BestTime = std::function<std::optional<Int128>()>;
  using Offer = std::function<void(const KeptStorages& available)>;
  // In picoseconds. Stops once the bound reaches the best time; `offer` is called with choices found on the way.
  Int128 find(const BestTime& best_time, const Offer& offer);

  // The work that it took, as frontier/work_budget.h counts it.
  std::int64_t steps() const { return steps_; }

 private:
  static SearchLimits of_bounds(SearchLimits limits, const RecomputeProblem& problem);

  struct Part;
  struct Range;

  Range range(const Part& part, std::int64_t from, std::int64_t to);
  KeptStorages with_others(const Part& part, KeptStorages kept) const;
  Int128 least_wait(const Part& part, std::int64_t bytes) const;
  Int128 bound_of(const Part& part, const Range& one) const;
  Int128 bound_of(const Part& part, std::int64_t searches);
  Part part_of(double hidden, const std::function<bool(StorageIndex)>& counts) const;
  std::vector<Part> parts(std::size_t most) const;
  bool is_met(Int128 bound) const;

  const RecomputeProblem& problem_;
  RecomputeProblem relaxed_;
  const MovableStorages& movable_;
  const HostChannel& channel_;
  std::int64_t limit_bytes_;
  SearchLimits limits_;
  BoundWork work_;
  BestTime best_time_;
  Offer offer_;
  std::int64_t steps_ = 0;
};

}  // namespace fxcut
