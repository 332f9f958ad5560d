// Whether a node was traced in the forward or the backward, which the text of a graph lacks.
#pragma once

#include <vector>

#include "import/text_graph.h"

namespace fxcut {

// By node, a guess at node.meta["partitioner_tag"]. The forward is traced first: it ends with the last node that its outputs
// need, and the values of its nodes that autograd keeps. Later nodes, and nodes that depend on a tangent, are the backward's;
// but later writes to an input that depend on no tangent must be in the forward. The output has no tag.
std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs);

}  // namespace fxcut
