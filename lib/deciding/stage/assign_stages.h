// The stage of each node of a joint graph that is cut at modules.
//
// Forward: a stage begins with the first node of its module, so that stages are runs of nodes and values flow to later stages
// only. Backward: gradients flow to earlier stages only. A node that depends on a gradient is in the stage of its module, if all
// of the module's forward is in one; else with its gradients. In either case it is in no later stage than the gradients that it
// uses, and in no earlier one than the forward's values. What else the backward computes is as early as its first user. Inputs
// and constants are in every stage that uses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// What a node is to a cut into stages.
enum class StageRole { Anywhere, Forward, BackwardOfForward, Gradient };

struct AssignedStages {
  std::vector<StageRole> roles;  // by node: inputs other than tangents, constants and the output are Anywhere
  std::vector<int> stages;       // by node; 0 of what is Anywhere
};

// `modules`: those at which stages 1, 2, ... begin, in order; a module stands also for those in it. Throws Failure (Usage) for
// one that has no forward node, with the nearest that has, or does not come after the one before it; Failure (NoPartition) if the
// backward of a stage needs values of a later one.
AssignedStages assign_stages(const JointGraph& joint, const std::vector<std::string>& modules);

}  // namespace fxcut
