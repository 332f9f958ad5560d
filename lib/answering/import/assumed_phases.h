// Whether a node was traced in the forward or the backward, which the text of a graph does not say.
#pragma once

#include <vector>

#include "import/text_graph.h"

namespace fxcut {

// By node, a guess at node.meta["partitioner_tag"]. The forward is traced first: it goes on up to the last node that
// its outputs need, and what is kept for the backward of nodes so far. What comes behind that, and whatever depends on
// a tangent, is the backward's; but what writes to an input without any tangent must be in the forward. The output has
// no tag.
std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs);

}  // namespace fxcut
