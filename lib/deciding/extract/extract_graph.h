// Extraction of one side of a joint graph, as planned.
#pragma once

#include <vector>

#include "extract/plan_extraction.h"
#include "graph/graph.h"

namespace fxcut {

// The side as a graph of its own. Placeholders have the names of their values' nodes. `rebuilt_before`: the number of
// calls rebuilt by earlier extractions from the joint graph, which the numbers of this one's subgraphs follow.
Graph extract_graph(const JointGraph& joint, const ExtractionPlan& plan, std::size_t rebuilt_before = 0);

// The subgraphs of the rebuilt calls, named as in extract_graph.
Subgraphs rebuilt_subgraphs(const JointGraph& joint, const ExtractionPlan& plan, std::size_t rebuilt_before);

// Every node whose name the side has used in PyTorch, dead ones included, in the order of copying: torch.fx gives none
// of these names to another node.
std::vector<NodeId> copied_nodes(const Graph& joint, const ExtractionPlan& plan);

}  // namespace fxcut
