// Taking one side out of a joint graph, as planned.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "extract/plan_extraction.h"
#include "graph/graph.h"

namespace fxcut {

// The side as a graph of its own. Placeholders are named after the nodes that they carry. `rebuilt_before`: how many
// calls earlier extractions from the joint graph have rebuilt, after which the subgraphs of this one are named.
Graph extract_graph(const JointGraph& joint, const ExtractionPlan& plan, std::size_t rebuilt_before = 0);

// The subgraphs of the rebuilt calls, under the names that extract_graph gives.
Subgraphs rebuilt_subgraphs(const JointGraph& joint, const ExtractionPlan& plan, std::size_t rebuilt_before);

// Every node whose name the side has used in PyTorch, dead ones included, in the order of copying: torch.fx gives none
// of these names to another node.
std::vector<NodeId> copied_nodes(const Graph& joint, const ExtractionPlan& plan);

}  // namespace fxcut
