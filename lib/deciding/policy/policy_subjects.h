// The nodes that policies apply to, with the values that rules match. For the selection see policy/subject_index.h.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_stack.h"

namespace fxcut {

// The names of a value in the order in which they were given: a user of the value by name uses the last.
using ValueNames = std::vector<std::string>;

// The nodes that rules match, with the values of each.
struct PolicySubjects {
  std::vector<bool> is_subject;                 // by node: a call of the forward, or an input
  std::vector<NodeId> same;                     // by node: the node of its value (policy/names.h)
  std::vector<ValueNames> names;                // by node: of its value; empty unless same[i] == i
  std::vector<NodeId> copied;                   // by node: the value that it copies, else itself
  std::vector<NodeId> wholes;                   // by node: the owner of its memory
};

// By node, whether policies apply to it: the inputs and calls that do not depend on a gradient.
std::vector<bool> find_subjects(const Graph& graph);

// The node that computes a value: of an item of a tuple, the tuple's, unless its items are views.
NodeId computing_node(const Graph& graph, NodeId id);

}  // namespace fxcut
