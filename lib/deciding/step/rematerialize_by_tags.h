// PyTorch's rematerialisation of a whole step, by tags alone: remat_using_tags_for_fwd_loss_bwd_graph in
// torch/_functorch/_activation_checkpointing/remat_using_tags_for_fwd_loss_bwd_graph_pass.py of 2.15.
#pragma once

#include <variant>

#include "diagnostic/diagnostic.h"
#include "graph/graph.h"

namespace fxcut {

// The step after the pass, node by node, names included: each forward node that is tagged to be recomputed, and that the
// backward needs, is copied to just before its first use there, as NAME_recomputed; the backward uses the copies, and forward
// nodes without users go. Without tags the step is unchanged. Or why PyTorch refuses it (NoPartition): a random operator is to
// be recomputed, more than one region of the backward needs recomputed values, or a copy's name is taken.
std::variant<Graph, Failure> rematerialize_by_tags(const WholeStep& step);

}  // namespace fxcut
