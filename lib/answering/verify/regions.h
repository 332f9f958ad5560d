// Checkpointed regions that the joint graph still has as calls.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The joint graph with the body of each region in the place of its call, level by level, under the names that reports
// have for its nodes: a body's name where it is free, else with a number (torch.fx's namespaces). Throws Failure
// (NoPartition) where a call does not fit its body: no report is of such a graph.
JointGraph expand_regions(JointGraph joint);

}  // namespace fxcut
