// Which nodes the backward uses, depending on what policies keep.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node.
struct BackwardReach {
  // Calls that depend on no gradient and that no output of the forward needs: only the backward uses them, for example
  // the cosine in the derivative of a sine. Random and impure operators are not included.
  std::vector<bool> own;
  // Nodes that the backward needs, for a gradient or to recompute values that are not kept.
  std::vector<bool> needed;
};

// `kept`: by node, whether the forward passes its value to the backward.
BackwardReach find_backward_reach(const JointGraph& joint, const std::vector<bool>& kept);

// Whether the backward needs an input other than under a checkpoint name. `needed` is BackwardReach::needed; `same` is
// by node (same_values in policy/names.h).
bool is_needed_without_name(const Graph& graph, const Users& users, NodeId input, const std::vector<bool>& needed,
                            const std::vector<NodeId>& same, const std::vector<std::string>& naming_operators);

}  // namespace fxcut
