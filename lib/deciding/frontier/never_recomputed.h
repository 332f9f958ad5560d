// The nodes that must not be recomputed.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"

namespace fxcut {

// By node of the forward, why the frontier solver may not recompute it; Ban::None if it may. Unlike PyTorch's bans, which
// estimate what is worth recomputing, these prevent wrong values: inputs, side effects, collectives (unless
// unsafe_allow_optimization_of_collectives), nodes tagged MUST_SAVE that the forward computes in any case, calls that read or
// make memory that is written to later, loops in inductor's code, and random operators whose generator cannot be reset: in
// subgraphs, needed by the backward only, Inductor's seeds, and all if the backward takes no gradient. With
// ban_recompute_products also operators with a formula in PyTorch's FLOP counter. Recompute tags lift the same bans as in
// PyTorch, but for memory that is written to, and loops.
std::vector<Ban> never_recomputed(const Analysis& analysis);

// Whether it is a loop in inductor's code, whose body writes over what is carried into it: the backward may read that again.
bool writes_over_carried(const JointGraph& joint, const Node& call);

}  // namespace fxcut
