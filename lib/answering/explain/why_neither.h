// Why nodes are neither saved nor recomputed.
#pragma once

#include <vector>

#include "explain/node_outcomes.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// Of a node that only the forward has; `path` is its path_to_saved.
Why why_forward_only(const Decision& decision, NodeId id, const std::vector<NodeId>& path);
// Of a node that only the backward has.
Why why_backward_only(const Decision& decision, NodeId id);
// Of what the decision was not made on, or of its output. `stands` is the name of the node that a merged one is.
Why why_removed(NodeOutcome outcome, const std::string& stands);

}  // namespace fxcut
