// The verdicts of each level of a stack.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/nearest_subjects.h"
#include "policy/policy_stack.h"
#include "policy/policy_subjects.h"
#include "policy/rule_verdicts.h"
#include "policy/subject_index.h"

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

}  // namespace fxcut
