// Which nodes a rule of a policy selects.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_stack.h"

namespace fxcut {

// What the rules look at besides the node.
struct PolicySubjects {
  std::vector<bool> is_subject;                 // by node: a call of the forward, or an input
  std::vector<NodeId> same;                     // by node: whose value it is (policy/names.h)
  std::vector<std::set<std::string>> names;     // by node: of its value; empty but where same[i] == i
};

// By node, whether the rule selects it. A rule on names selects the nodes that compute the named values.
std::vector<bool> select(const Graph& graph, const PolicySubjects& subjects, const PolicyMatch& match);

// "op aten.mm.*, every 2": the parts of a match.
std::string describe(const PolicyMatch& match);

}  // namespace fxcut
