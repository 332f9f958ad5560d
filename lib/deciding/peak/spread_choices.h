// Choices for a low peak: the forward in segments, of which the backward recomputes one at a time.
//
// At the begin of a segment all values are kept that the rest of the forward uses from before it, so that the segment can be
// recomputed from there. The backward needs the segments from the last to the first: while it runs the k-th, the values kept
// at the begins of the first k are in use, and the whole of the k-th. So the first segments may be long, and later ones have
// to be shorter the more is kept before them: each is made as long as a limit allows. On a chain of n equal layers about
// sqrt(2n) of their values are in use at once, with segments of equal length (Chen et al., "Training deep nets with
// sublinear memory cost", 2016) 2 sqrt(n).
#pragma once

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "peak/unavoidable.h"

namespace fxcut {

class SpreadChoices {
 public:
  // All are kept by reference. Storages fixed as kept are kept.
  SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable, const StepSimulation& simulation,
                const Analysis& analysis, const Fixings& fixings);

  // The choice for this limit of the peak, as an estimate: its peak may be higher. `earliest`: the share of a segment's
  // greatest length after which it may end, at the item where the least is kept.
  KeptStorages choice(Wide limit_bytes, double earliest) const;

 private:
  const RecomputeProblem& problem_;
  const Unavoidable& unavoidable_;
  const Fixings& fixings_;
  std::vector<ItemIndex> made_at_, last_used_;  // by storage: its first item, and the last that uses one of its items
  std::vector<std::vector<StorageIndex>> made_by_;  // by item
  std::vector<Wide> own_bytes_;                  // by item: the most that the backward's own nodes hold when they use it
  std::vector<Wide> crossing_;                   // by item: the bytes of values from before it that are used after it
};

}  // namespace fxcut
