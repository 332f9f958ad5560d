// The stage of each node of a joint graph that is cut at modules.
//
// Forward: a stage begins with the first node of its module, so stages are runs of nodes and values flow only to later stages.
// Backward: gradients flow only to earlier stages. A node that depends on a gradient is in the stage of its module, if all of the
// module's forward is in one; otherwise with its gradients. In either case its stage is no later than those of the gradients that
// it uses, and no earlier than those of the forward's values. Other nodes of the backward are as early as their first user.
// Inputs and constants are in every stage that uses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The role of a node in a cut into stages.
enum class StageRole { Anywhere, Forward, BackwardOfForward, Gradient };

struct AssignedStages {
  std::vector<StageRole> roles;  // by node: inputs other than tangents, constants and the output are Anywhere
  std::vector<int> stages;       // by node; 0 for Anywhere
};

// `modules`: where stages 1, 2, ... begin, in order; a module includes its submodules. Throws Failure (Usage) for a module
// without a forward node, suggesting the nearest with one, or that does not come after the one before it; Failure (NoPartition)
// if the backward of a stage needs values of a later one.
AssignedStages assign_stages(const JointGraph& joint, const std::vector<std::string>& modules);

}  // namespace fxcut
