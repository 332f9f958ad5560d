// What is in use while the backward runs, whatever is decided, and what a kept storage adds to that.
//
// At each position of the backward there is for certain what the backward's own nodes have made and still need, what the
// forward has returned to its caller, and each value of the forward that the backward's own nodes take both before and
// after it, or at it: that is there from its first use to its last, saved or recomputed. A kept storage adds its memory
// where it is not there anyway: from the forward on to the last use of what it holds. What is kept only so that other
// things can be recomputed is used when one of these is, at the earliest.
#pragma once

#include <cstdint>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/fixings.h"
#include "peak/step_simulation.h"

namespace fxcut {

// Positions, both included.
struct Span {
  BackwardPosition first = 0, last = 0;
};

struct Unavoidable {
  std::vector<Wide> bytes;               // by position; the last is the backward's output
  std::vector<Wide> own_bytes;           // of these, what the backward's own nodes have made
  std::vector<std::int64_t> memory;      // by storage: what it takes; nothing for the step's inputs
  std::vector<std::vector<Span>> kept;   // by storage: where it adds its memory if it is kept

  std::size_t positions() const { return bytes.size(); }
};

Unavoidable find_unavoidable(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation);

// By position, what these storages add.
std::vector<Wide> kept_by_position(const Unavoidable& unavoidable, const KeptStorages& kept);

// By position, what the simulation's last run had in use besides what is unavoidable and what it keeps: what was
// recomputed before its first use.
std::vector<Wide> recomputed_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                         const StepSimulation::Result& result, const KeptStorages& used);

// No choice within these fixings has a lower peak while the backward runs.
Wide least_backward_peak(const Unavoidable& unavoidable, const Fixings& fixings);

}  // namespace fxcut
