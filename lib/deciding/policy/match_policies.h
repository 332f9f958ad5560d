// Checkpoint names of a graph's values, and the policies' verdicts on its nodes. Both are about the graph as read:
// before dead code is removed, and before repeats are merged, of which the user may have named only one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/nearest_subjects.h"
#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"
#include "policy/rule_verdicts.h"
#include "policy/subject_index.h"
#include "settings/settings.h"

namespace fxcut {

// The graph that the policies of a stack are matched with. The arguments must outlive it.
struct PolicyTargets {
  PolicyTargets(const Graph& of, const PolicySubjects& found)
      : graph(of), subjects(found), index(of, found), nearest(of, found) {}

  const Graph& graph;
  const PolicySubjects& subjects;
  SubjectIndex index;
  NearestSubjects nearest;
};

// A policy's level. Adds to `warnings` the parts that match nothing in the graph, with the nearest that exists.
Level level_of(const Policy& policy, PolicyTargets& targets, std::vector<std::string>& warnings);

// One occurrence of a name. Nodes are given by name, which stays valid when the graph changes.
struct NameAsRead {
  std::string name;
  std::string naming;           // the node that carries the name
  std::string value;            // the node that computes the named value
  std::int64_t size_bytes = 0;  // of the naming node's value
};

struct MatchedPolicies {
  std::vector<std::string> nodes;     // the names of all nodes
  std::vector<NameAsRead> names;      // in execution order
  std::vector<Level> levels;          // of the stack, on the nodes as read; without the graph's own tags
  std::vector<std::string> warnings;  // of rules and names without effect or with a surprising one
};

// Matches each policy of the stack with each node of the forward and each input.
MatchedPolicies match_policies(const PolicyStack& stack, const JointGraph& joint, const Settings& settings);

}  // namespace fxcut
