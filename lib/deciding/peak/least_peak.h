// A lower bound of the peak of all choices of kept storages.
//
// The forward has some memory in use whatever is kept. In the backward a storage that is not kept is recomputed, at the latest
// where one of its values is used first; from there on the values it is recomputed from are in use as well, until their own last
// uses, kept or recomputed. A kept storage is in use from the beginning of the backward on. So each decision on a storage puts
// some memory in use for certain, whatever is decided on others.
//
// The least such memory over all decisions is found by Russian doll search (Verfaillie, Lemaitre and Schiex, 1996): first of
// the last storage of the forward alone, then of the last two, and so on, with all before them open. What earlier storages hold
// while the backward of the last ones runs is added to the least of the last ones, which is known by then: so most decisions
// turn out too high early. Values that are in use only while others are recomputed, and not by the backward itself, are not
// counted.
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
  Int128 bytes = 0;        // no choice within the fixings has a lower peak
  KeptStorages kept;       // a choice that may have it; empty if all storages were not looked at, or none is lower than reached
  std::int64_t steps = 0;  // of work, as frontier/work_budget.h counts it
};

// `reached_bytes`: the peak of a known choice; the search ends once that is proven to be the least. If `most_steps` of work do
// not suffice, the bound is that of the last storages alone. Runs the simulation.
LeastPeak find_least_peak(const PeakProblem& whole, StepSimulation& simulation, Int128 reached_bytes, std::int64_t most_steps);

}  // namespace fxcut
