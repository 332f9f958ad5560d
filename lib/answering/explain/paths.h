// The path that leads to a decision; each node is used by the next.
//
//     saved         from a node that must not be recomputed, over nodes that the backward does not have, to the value; then
//                   over recomputed nodes to a node that the backward has to compute. In the network of
//                   solve/saving_network.h that is a path from source to sink whose only cut edge is the value's: it is
//                   the reason that something has to be saved, and shows the other candidates.
//     recomputed    from a saved value, over recomputed nodes, to the value, and on to a node that only the backward computes
//     forward only  from the value to the first saved value that is computed from it
//     backward only from a gradient, an input of the backward, to the value
//
// The shortest path; of several, the first in the order of nodes, inputs and users.
#pragma once

#include <vector>

#include "explain/node_outcomes.h"
#include "partition/partition.h"

namespace fxcut {

// The nodes of the path in order, with the value among them; empty if there is no such path.
std::vector<NodeId> path_of_saved(const Decision& decision, NodeId value);
std::vector<NodeId> path_of_recomputed(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);
std::vector<NodeId> path_to_saved(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);
std::vector<NodeId> path_from_gradient(const Decision& decision, NodeId value);

// The value and one of its users in the backward, or the value alone if the backward returns it; else empty.
std::vector<NodeId> path_to_user(const Decision& decision, const NodeOutcomes& outcomes, NodeId value);

}  // namespace fxcut
