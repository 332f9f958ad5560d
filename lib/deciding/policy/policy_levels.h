// What each level of a stack says of the nodes.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/nearest_subjects.h"
#include "policy/rule_verdicts.h"
#include "policy/policy_match.h"
#include "policy/policy_stack.h"
#include "policy/subject_index.h"

namespace fxcut {

// What the policies of one stack are asked about. What it is made of must outlive it.
struct PolicyTargets {
  PolicyTargets(const Graph& of, const PolicySubjects& found)
      : graph(of), subjects(found), index(of, found), nearest(of, found) {}

  const Graph& graph;
  const PolicySubjects& subjects;
  SubjectIndex index;
  NearestSubjects nearest;
};

// A policy's level. What of it speaks of nothing in the graph goes to `warnings`, with the nearest that exists.
Level level_of(const Policy& policy, PolicyTargets& targets, std::vector<std::string>& warnings);

}  // namespace fxcut
