// Dead code: nodes without users and side effects.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph without the nodes that have no remaining user and for which `must_stay` is false, found from the end to the
// beginning (torch.fx.Graph.eliminate_dead_code).
Graph eliminate_dead_code(Graph graph, bool (*must_stay)(const Node&));

// As above with `is_impure`, and in the subgraphs that the remaining get_attr nodes refer to, at every depth.
JointGraph eliminate_dead_code(JointGraph joint);

}  // namespace fxcut
