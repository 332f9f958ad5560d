// The cheapest change that makes a partition compute the same values as the joint graph.
//
// Calls must not run in the backward if they draw random numbers, have an effect, read memory that has been written to since,
// or make memory that would lack a write. To prevent it, more of the recomputed values are saved: a minimum cut over the calls
// that run on both sides, each an edge from its in- to its out-vertex with the bytes of saving it (0 if always resident):
//
//     source -> x_in     x must not run in the backward; a random call may, for the bytes of its generator's state
//     x_out  -> y_in     y uses x
//     x_out  -> sink     a call that only the backward can run uses x, or the backward returns it
//
// An effect that PyTorch's reordering of the backward loses stays in it.
//
// If the backward writes to the operands of a saved value before the joint graph computes it, the value is not saved but computed
// where the joint graph does: in the backward, from its inputs.
#pragma once

#include <vector>

#include "extract/forward_backward.h"
#include "extract/roles.h"
#include "graph/graph.h"
#include "settings/settings.h"
#include "soundness/unsound.h"

namespace fxcut {

struct Repair {
  std::vector<NodeId> saved;   // more values to save, in execution order
  std::vector<NodeId> states;  // random calls whose generator state is saved
  std::vector<NodeId> late;    // saved values that the backward computes instead, from values in `saved`
  std::vector<NodeId> effects;  // lost calls that stay in the backward
  bool empty() const { return saved.empty() && states.empty() && late.empty() && effects.empty(); }
};

// Repairs all faults that saving can repair; the others remain. A repair may reveal more faults: repeat until it is empty.
Repair find_repair(const JointGraph& joint, const Roles& roles, const ForwardBackward& sides,
                   const std::vector<Unsound>& faults, const Settings& settings);

}  // namespace fxcut
