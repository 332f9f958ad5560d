// From what stands for each node to the tags that the partitioners heed.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_levels.h"
#include "policy/resolve_policies.h"

namespace fxcut {

// What stands for one node while the levels are gone through.
struct Standing {
  CheckpointPolicy policy = CheckpointPolicy::PreferSave;
  const Level* level = nullptr;  // null while nobody has an opinion
  std::string rule;
  std::vector<std::string> overrode;

  std::string describe() const;  // "MUST_SAVE of 'base' (rule 2: op aten.mm.*)"
};

// The node that computes a value: of an item of a tuple, the tuple's.
NodeId computing_node(const Graph& graph, NodeId id);

// Tags the graph's nodes: see apply_policies. `standings` are by node.
PolicyOutcome tag_nodes(Graph& graph, const PolicySubjects& subjects, std::vector<Standing> standings);

}  // namespace fxcut
