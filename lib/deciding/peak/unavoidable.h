// The memory in use in the backward whatever is decided, and the memory that a kept storage adds.
//
// At each position of the backward these are in use for certain: results of the backward's own nodes that are still needed,
// outputs of the forward, and each value of the forward from its first to its last use by the backward's own nodes, saved
// or recomputed. A kept storage adds its memory at the other positions: from the forward to the last use of its values. A
// value that is kept only to recompute others is used when one of these is, at the earliest.
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
inline constexpr BackwardPosition kNever = 0xffffffff;
inline constexpr Span kUnused{kNever, 0};

// By item, its uses by the backward's own nodes after a position; a form has those of its value.
std::vector<Span> find_uses(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation,
                            BackwardPosition after);

struct Unavoidable {
  BackwardPosition from = 0;             // the first position that kept storages are counted at
  std::vector<Int128> bytes;             // by position; the last is the backward's output
  std::vector<Int128> own_bytes;         // of these, results of the backward's own nodes
  std::vector<std::int64_t> memory;      // by storage: its size; 0 for the step's inputs
  std::vector<std::vector<Span>> kept;   // by storage: the positions at which it adds its memory if it is kept
  std::vector<bool> is_needed;           // by storage: whether the backward may use one of its values after `from`

  std::size_t positions() const { return bytes.size(); }
};

// Storages count as kept from position `from` on, also those that are recomputed before it.
Unavoidable find_unavoidable(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation,
                             BackwardPosition from = 0);

// How many bytes of kept storages may exceed a limit of the peak when the forward ends: the step's inputs do not count towards
// the peak, but the gradients that enter the backward do, so it may be negative.
std::int64_t beyond_limit(const RecomputeProblem& problem, const Unavoidable& unavoidable);

// By position, the bytes that these storages add.
std::vector<Int128> kept_by_position(const Unavoidable& unavoidable, const KeptStorages& kept);

// By position, the most bytes that the simulation's last run had in use, and before it since the position before.
std::vector<Int128> most_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                     const StepSimulation::Result& result);

// By position, the run cost of what it recomputed since the position before.
std::vector<Int128> run_cost_by_position(const Evaluation& evaluation, const RecomputeProblem& problem,
                                         const StepSimulation& simulation, const StepSimulation::Result& result);

// By position, the other bytes that the simulation's last run had in use: values recomputed before their first use.
std::vector<Int128> recomputed_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                           const StepSimulation::Result& result, const KeptStorages& used);

// A lower bound of the peak of the backward for all choices within these fixings.
Int128 least_backward_peak(const Unavoidable& unavoidable, const Fixings& fixings);

}  // namespace fxcut
