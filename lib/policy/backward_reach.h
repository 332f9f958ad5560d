// How the backward comes to what policies keep.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node, whether it is a call that depends on no gradient and that no output of the forward needs: only the backward
// uses it, as the cosine that is the derivative of a sine. Random operators and such with an effect are none of them.
std::vector<bool> find_backward_own(const JointGraph& joint);

// By node, whether the backward needs it: for a gradient, or to compute again what is not `kept` (by node).
std::vector<bool> find_backward_needs(const JointGraph& joint, const std::vector<bool>& kept);

// Whether the backward needs an input other than by a name that is given to it. `needed` is of find_backward_needs;
// `same` by node, whose value it is (policy/names.h).
bool is_needed_without_name(const Graph& graph, const Users& users, NodeId input, const std::vector<bool>& needed,
                            const std::vector<NodeId>& same, const std::vector<std::string>& naming_operators);

}  // namespace fxcut
