// The path that leads to a decision: nodes each of which the next one takes.
//
//     saved         from what must not be recomputed, over what the backward does not have, to the value; and on, over
//                   what the backward computes again, to what it has to compute. In the network, which
//                   solve/saving_network.h describes, that is a path from the source to the sink on which no edge but
//                   the value's is cut: it is why something has to be saved, and shows what else could be.
//     recomputed    from a saved value, over what is recomputed, to the value, and on to what only the backward
//                   computes
//     forward only  from the value to the first that is saved of what is computed from it
//     backward only from a gradient that comes in to the value
//
// Of several paths the shortest, and of these the one that the order of nodes, inputs and users comes upon first.
#pragma once

#include <vector>

#include "explain/node_outcomes.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// Nodes in order, the value among them; none where there is no such path.
std::vector<NodeId> path_of_saved(const Decision& decision, NodeId value);
std::vector<NodeId> path_of_recomputed(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);
std::vector<NodeId> path_to_saved(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);
std::vector<NodeId> path_from_gradient(const Decision& decision, NodeId value);

// A value and one that takes it in the backward, or the value alone where the backward returns it; none where neither
// is so.
std::vector<NodeId> path_to_user(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);

}  // namespace fxcut
