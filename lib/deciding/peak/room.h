// Whether a recomputed storage is too large to be kept, known without simulating the step once more.
//
// A recomputed value is computed just before the first of the backward's own nodes that needs it (finish/execution_order.h). If
// its storage is kept instead, only two things change before that point: the storage's memory is in use as well, from its last
// use in the forward on, and its operands may be free sooner, if they were used before. So the most bytes in use between the
// forward and the operands' last earlier use, or that point, plus the storage's memory, are a bound of the new peak, unless
// something else is no longer saved. The few cases in which a view runs in the forward because of it are ignored: the bound
// serves to skip tries, not for proofs.
#pragma once

#include <cstddef>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "peak/step_simulation.h"

namespace fxcut {

class Room {
 public:
  // The room in the simulation's last run, given its result and its evaluation.
  Room(const RecomputeProblem& problem, const Evaluation& evaluation, const StepSimulation& simulation,
       const StepSimulation::Result& result);

  // Whether with the storage kept the peak is higher than that, almost for certain. `added_bytes`: the growth of the saved
  // bytes.
  bool is_exceeded(StorageIndex s, std::int64_t added_bytes, Int128 peak_bytes) const;

 private:
  struct Recomputed {
    Int128 bytes = 0;  // of its memory, the least of several; 0 if there is none, or it is in use between the sides anyway
    Int128 in_forward = 0, in_backward = 0;  // the most in use after it in the forward, and before it in the backward
  };
  std::vector<Recomputed> recomputed_;  // by storage
  Int128 state_bytes_ = 0;              // of random generators, which need not be kept for what is saved
};

}  // namespace fxcut
