// What users call the values of a graph, and what their policies say of its nodes. Both speak of the graph as it was
// read: before dead code goes, and before repeats are merged, of which the user may have named only one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/rule_verdicts.h"
#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

// One occurrence of a name, by the names of nodes, which outlive what is done to the graph.
struct NameAsRead {
  std::string name;
  std::string naming;           // the node that carries the name
  std::string value;            // the node that computes the named value
  std::int64_t size_bytes = 0;  // of the naming node's value
};

struct MatchedPolicies {
  std::vector<std::string> nodes;     // the names of all nodes
  std::vector<NameAsRead> names;      // in execution order
  std::vector<Level> levels;          // of the stack, on the nodes as read; the graph's own tags are not among them
  std::vector<std::string> warnings;  // of what the policies cannot reach, or what is gone round
};

// Asks each policy of the stack about each node of the forward, and each input.
MatchedPolicies match_policies(const PolicyStack& stack, const JointGraph& joint, const Settings& settings);

}  // namespace fxcut
