// Choices for a low peak: the forward in segments, of which one at a time is there again in the backward.
//
// What is kept of a segment's begin is what the rest of the forward takes from before it, so that the segment can be run
// again from there. The backward needs the segments from the last to the first. While it runs the k-th, what is in use
// is what was kept at the begins of the first k, and all of the k-th. So the first segments may be long, and later ones
// have to be the shorter the more is kept before them: from the first on each is made as long as a limit allows. On a
// chain of n equal layers that takes about sqrt(2n) of their values at once, where segments of equal length (Chen et
// al., "Training deep nets with sublinear memory cost", 2016) take 2 sqrt(n).
#pragma once

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "peak/unavoidable.h"

namespace fxcut {

class SpreadChoices {
 public:
  // All are kept by reference. What `fixings` keep is kept.
  SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable, const StepSimulation& simulation,
                const Analysis& analysis, const Fixings& fixings);

  // The choice for this limit of the peak, as an estimate: its peak may be higher. `earliest`: of each segment as long
  // as it may be, the share behind which it may end where little is kept for that.
  KeptStorages choice(Wide limit_bytes, double earliest) const;

 private:
  const RecomputeProblem& problem_;
  const Unavoidable& unavoidable_;
  const Fixings& fixings_;
  std::vector<ItemIndex> made_at_, last_taken_;  // by storage: the first item in it, and the last that takes one of it
  std::vector<std::vector<StorageIndex>> made_by_;  // by item
  std::vector<Wide> beside_;                     // by item: what the backward's own nodes take where they need it
  std::vector<Wide> crossing_;                   // by item: the bytes that are taken both before and behind it
};

}  // namespace fxcut
