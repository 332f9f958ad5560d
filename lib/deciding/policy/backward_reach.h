// How the backward comes to what policies keep.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node.
struct BackwardReach {
  // A call that depends on no gradient and that no output of the forward needs: only the backward uses it, as the cosine
  // that is the derivative of a sine. Random operators and such with an effect are none of them.
  std::vector<bool> own;
  // What the backward needs: for a gradient, or to compute again what is not kept.
  std::vector<bool> needed;
};

// `kept`: by node, whether the backward will have it from the forward.
BackwardReach find_backward_reach(const JointGraph& joint, const std::vector<bool>& kept);

// Whether the backward needs an input other than by a name that is given to it. `needed` is of find_backward_needs;
// `same` by node, whose value it is (policy/names.h).
bool is_needed_without_name(const Graph& graph, const Users& users, NodeId input, const std::vector<bool>& needed,
                            const std::vector<NodeId>& same, const std::vector<std::string>& naming_operators);

}  // namespace fxcut
