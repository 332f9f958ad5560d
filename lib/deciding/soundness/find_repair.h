// The cheapest change that makes a partition compute what the joint graph computes.
//
// Some calls must not run in the backward: those that would draw again, those that read memory which was written to
// since, and those that make memory which would lack what was written to it. To save more of what the backward computes
// again keeps it from them. What to save is a minimum cut over the calls that run on both sides, each an edge from its
// in- to its out-vertex with the bytes of saving it, of which what lives anyway takes none:
//
//     source -> x_in     x must not run in the backward; a random call may, for the bytes of its generator's state
//     x_out  -> y_in     y takes x
//     x_out  -> sink     what only the backward computes takes x, or the backward returns it
#pragma once

#include <vector>

#include "extract/forward_backward.h"
#include "extract/roles.h"
#include "graph/graph.h"
#include "settings/settings.h"
#include "soundness/unsound.h"

namespace fxcut {

struct Repair {
  std::vector<NodeId> saved;   // values to save besides, in execution order
  std::vector<NodeId> states;  // random calls whose generator's state is to be saved
  bool empty() const { return saved.empty() && states.empty(); }
};

// Of what is wrong, mends what saving can mend, all at once; the rest stays. Mending may bring other faults to light: ask
// again until nothing comes.
Repair find_repair(const JointGraph& joint, const Roles& roles, const ForwardBackward& sides,
                   const std::vector<Unsound>& wrong, const Settings& settings);

}  // namespace fxcut
