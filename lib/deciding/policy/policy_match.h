// What rules of policies look at. Which nodes they select is for policy/subject_index.h.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_stack.h"

namespace fxcut {

// The names of a value, in the order in which they were given: who uses the value by a name uses the last.
using ValueNames = std::vector<std::string>;

// What the rules look at besides the node.
struct PolicySubjects {
  std::vector<bool> is_subject;                 // by node: a call of the forward, or an input
  std::vector<NodeId> same;                     // by node: whose value it is (policy/names.h)
  std::vector<ValueNames> names;                // by node: of its value; empty but where same[i] == i
  std::vector<NodeId> copied;                   // by node: the value that it copies, or else itself
  std::vector<NodeId> wholes;                   // by node: whose memory it is in
};

// "op aten.mm.*, every 2": the parts of a match.
std::string describe(const PolicyMatch& match);

}  // namespace fxcut
