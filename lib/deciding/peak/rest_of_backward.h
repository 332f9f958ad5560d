// The part of the backward after a position, as a problem of its own.
//
// A value is recomputed at most once. So at a position of the backward, each value that is used both before and after it is in
// memory, and of the others a choice from which everything used later can be recomputed. This is the same problem as that of a
// whole backward, in which "kept" means "in memory at the position", whether the value was saved or recomputed before. Its
// least recomputation is a lower bound of the whole step's: it leaves out only what is recomputed before the position. It counts
// values that are needed late, whereas unavoidable.h has to assume of each kept value that others were recomputed from it early.
#pragma once

#include <vector>

#include "peak/unavoidable.h"

namespace fxcut {

// By item: whether it may be recomputed and stay in memory at a position without being savable; a tuple whose parts are taken
// right after it does not.
std::vector<bool> is_in_memory_unsaved(const RecomputeProblem& problem, const Analysis& analysis);

struct RestOfBackward {
  RestOfBackward(const RecomputeProblem& whole, const Analysis& analysis, const StepSimulation& simulation,
                 BackwardPosition position);

  RecomputeProblem problem;  // the same items and storages
  Unavoidable unavoidable;   // from the position on
};

}  // namespace fxcut
