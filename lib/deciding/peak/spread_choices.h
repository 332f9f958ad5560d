// Choices for a low peak: the forward in segments, of which the backward recomputes one at a time.
//
// All earlier values that the rest of the forward uses are kept at the beginning of a segment, so that the segment can be
// recomputed from them. The backward needs the segments from the last to the first: while it runs the k-th, the values kept at
// the beginnings of the first k are in use, of the k-th the values that the backward uses, and during its recomputation those
// that the rest of it needs. So the first segments may be long, and later ones have to be shorter the more is kept before them:
// each is made as long as a limit allows. On a chain of n equal layers about sqrt(2n) of their values are in use at once;
// segments of equal length (Chen et al., "Training deep nets with sublinear memory cost", 2016) need 2 sqrt(n).
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"
#include "peak/unavoidable.h"

namespace fxcut {

class SpreadChoices {
 public:
  // The problem is kept by reference. Every choice keeps the storages fixed as kept, and random numbers that are smaller than the
  // state of their generator, which would otherwise be kept to draw them again.
  SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable, const StepSimulation& simulation,
                const Analysis& analysis, const Fixings& fixings);

  // The choice for this limit of the peak, as an estimate: its peak may be higher. `earliest`: the share of a segment's
  // greatest length after which it may end, at the item where the least is kept.
  KeptStorages choice(Int128 limit_bytes, double earliest) const;

 private:
  // Bytes of values from before the end of an item that are used after it; those that cannot be saved are recomputed with theirs.
  struct Crossing {
    Int128 unsavable = 0, savable = 0;
    auto operator<=>(const Crossing&) const = default;
  };
  struct MadeStorage {
    StorageIndex storage = kNoStorage;
    Int128 bytes = 0;
    bool is_fixed = false;              // as kept
    bool is_for_backward = false;       // used by what runs in the backward only
    bool is_savable = false;
    ItemIndex made_at = kNoItem, last_used = 0;  // by the forward
  };
  class Segment;

  void fix_random_numbers(const Unavoidable& unavoidable, const StepSimulation& simulation);
  void find_storages(const Unavoidable& unavoidable);
  void find_uses_of_backward(const StepSimulation& simulation, const Analysis& analysis, const Unavoidable& unavoidable);
  void find_crossing();
  std::size_t least_crossing(std::size_t first, std::size_t last) const;
  void keep_never_recomputed(KeptStorages& kept) const;

  const RecomputeProblem& problem_;
  KeptStorages fixed_;
  std::vector<MadeStorage> storages_;              // in the order in which they are made
  std::vector<std::uint32_t> made_begin_;          // by item, into storages_; then their number
  std::vector<Int128> own_bytes_;                  // by item: the most that the backward's own nodes hold when they use it
  std::vector<Int128> passing_;                    // by item: bytes there, when it runs, of what the backward does not use
  std::vector<Crossing> crossing_;                 // by item
};

}  // namespace fxcut
