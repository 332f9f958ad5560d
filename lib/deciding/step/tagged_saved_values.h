// The values that a whole step keeps for its backward if only its tags decide.
#pragma once

#include "extract/roles.h"
#include "graph/graph.h"
#include "solve/saved_values.h"

namespace fxcut {

// Each value of the forward that the backward uses, or that it needs to recompute one, is saved unless it is tagged to be
// recomputed (PyTorch's remat_using_tags_for_fwd_loss_bwd_graph). Values with a side effect are always saved. `joint` is a
// step's, with its tags resolved.
SavedValues tagged_saved_values(const JointGraph& joint, const Roles& roles);

// Whether a decision saves the same values, in any order. Sizes do not count: a replayed report also has those that only the
// shapes of other saved values need.
bool saves_as_tagged(const SavedValues& choice, const JointGraph& joint, const Roles& roles);

}  // namespace fxcut
