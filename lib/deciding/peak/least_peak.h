// A bound of the peak: no choice of kept storages has a lower one.
//
// The forward has some memory in use whatever is kept. In the backward a storage that is not kept is recomputed, at the latest
// where one of its values is used first; from there on the values it is recomputed from are in use as well, until their own last
// uses, kept or recomputed. A storage that is kept is in use from the begin on. So each decision on a storage has memory in use
// for certain, whatever is decided on others.
//
// The least of that over all decisions is found by Russian doll search (Verfaillie, Lemaitre and Schiex, 1996): first of the last
// storage of the forward alone, then of the last two, and so on, with all before them open. What earlier storages hold while the
// backward of the last ones runs is added to the least of these, which was found before: so most decisions are seen early to be
// too high. Values that are in use only while others are recomputed, and not by the backward itself, are not counted.
#pragma once

#include <cstdint>

#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"
#include "peak/step_simulation.h"
#include "peak/unavoidable.h"

namespace fxcut {

struct PeakProblem {  // all by reference
  const RecomputeProblem& problem;
  const Analysis& analysis;
  const Unavoidable& unavoidable;
  const Fixings& fixings;
};

struct LeastPeak {
  Wide bytes = 0;          // no choice within the fixings has a lower peak
  KeptStorages kept;       // a choice that may have it; empty if all storages were not looked at, or none is lower than reached
  std::int64_t steps = 0;  // of work, as frontier/effort.h counts it
};

// `reached_bytes`: a peak that is reached; the search ends where it is the least. If `most_steps` of work are too few, the bound
// is of the last storages alone. Runs the simulation.
LeastPeak find_least_peak(const PeakProblem& whole, StepSimulation& simulation, Wide reached_bytes, std::int64_t most_steps);

}  // namespace fxcut
